// The services whose models can be asked with a key, and teams made of them; all of it follows from the kinds.
import type { BackendKind, BackendSettings, CatalogModel } from '../core/ports/backend-kind';

/** A service that is asked with a key. Models are a proposal that the user may change. */
export interface KnownService {
  readonly type: string;
  readonly name: string;
  /** Variables that can hold the key; the first is the usual one. */
  readonly keyNames: readonly [string, ...string[]];
  /** At least one; the best first. */
  readonly models: readonly string[];
}

/** Models of services that host what others make, and so have no list of their own. */
const hosted: Readonly<Record<string, readonly string[]>> = {
  openrouter: ['openai/gpt-6.2-sol', 'x-ai/grok-4.6', 'deepseek/deepseek-v4-pro'],
};

/** The type that stands for any address. */
const anyAddress = 'chatcompletion';

const teamSize = 3;
const dayMs = 86_400_000;
/** A model that ends sooner than this is not proposed, days. */
const shortestLifeDays = 90;

/** Services with an address of their own, in the order of the kinds; `today` is Unix ms. */
export function knownServices(
  kinds: readonly BackendKind[],
  today: number,
): readonly KnownService[] {
  return kinds.flatMap((kind): KnownService[] => {
    const [first, ...others] = namesAtHome(kind);
    const models = proposedModels(kind, today);
    // Programs have their own place.
    const isOwn = kind.type !== anyAddress && kind.isProgram !== true;
    return first === undefined || models.length === 0 || !isOwn
      ? []
      : [{ type: kind.type, name: kind.title, keyNames: [first, ...others] as const, models }];
  });
}

function namesAtHome(kind: BackendKind): readonly string[] {
  return kind.keyNamesOf(settingsOf(kind, kind.defaultModel ?? ''));
}

/** The default, then the newest of other families, then of its own; each without an end in sight. */
function proposedModels(kind: BackendKind, today: number): readonly string[] {
  const { defaultModel = '', models = [] } = kind;
  const lasting = models.filter((model) => isLasting(model, today));
  const isDead =
    models.some(({ id }) => id === defaultModel) && !lasting.some(({ id }) => id === defaultModel);
  const first = defaultModel === '' || isDead ? [] : [defaultModel];
  const named = [...first, ...lasting.map(({ id }) => id), ...(hosted[kind.type] ?? [])];
  return [...new Set(named)].slice(0, teamSize);
}

/** Names of the models of the catalog without an end in sight, newest first. */
export function lastingModels({ models = [] }: BackendKind, today: number): readonly string[] {
  return models.filter((model) => isLasting(model, today)).map(({ id }) => id);
}

/** The model that is proposed first; `undefined` when none is known. */
export function proposedModel(kind: BackendKind, today: number): string | undefined {
  return proposedModels(kind, today)[0];
}

function isLasting({ retires }: CatalogModel, today: number): boolean {
  return retires === undefined || Date.parse(retires) - today > shortestLifeDays * dayMs;
}

export function settingsOf(kind: BackendKind, model: string): BackendSettings {
  return { type: kind.type, model, apiKeyName: undefined, options: {} };
}

/** Addresses that a block has to name before its kind can tell which key belongs to it. */
const examples = ['https://example.openai.azure.com', 'https://example.org/v1'];

/** Every variable under which any kind looks for a key, each once. */
export function keyNamesOf(kinds: readonly BackendKind[]): readonly string[] {
  const names = kinds.flatMap((kind) =>
    [{}, ...examples.map((address) => ({ base_url: address }))].flatMap((options) =>
      kind.keyNamesOf({ ...settingsOf(kind, kind.defaultModel ?? 'm'), options }),
    ),
  );
  return [...new Set(names)];
}

/** A service that takes a key, whether its models are known or not. */
export interface KeyService {
  readonly kind: BackendKind;
  /** Variables that can hold the key; the first is the usual one. */
  readonly keyNames: readonly [string, ...string[]];
}

/** Every service with a key of its own, in the order of the kinds; programs and plain addresses have none. */
export function keyServices(kinds: readonly BackendKind[]): readonly KeyService[] {
  const all = keyNamesOf(kinds);
  return kinds.flatMap((kind): KeyService[] => {
    // A service with an address for each customer has its variables named after its type.
    const named = all.filter((name) => name.startsWith(`${kind.type.toUpperCase()}_`));
    const atHome = namesAtHome(kind);
    const [first, ...others] = atHome.length > 0 ? atHome : named;
    const isOwn = kind.type !== anyAddress && kind.isProgram !== true;
    return first === undefined || !isOwn ? [] : [{ kind, keyNames: [first, ...others] as const }];
  });
}

/** The service of each variable that is at home at one; of several the first. */
export function keyTitles(kinds: readonly BackendKind[]): ReadonlyMap<string, string> {
  const own = kinds.filter(({ type, isProgram }) => type !== anyAddress && isProgram !== true);
  const pairs = own.flatMap((kind) =>
    namesAtHome(kind).map((name): [string, string] => [name, kind.title]),
  );
  return new Map(pairs.reverse());
}

/** One agent of a team that is written to a file. */
export interface Member {
  readonly id: string;
  /** For people; not in the file. */
  readonly title?: string;
  readonly type: string;
  /** Absent: the choice of the kind or the program. */
  readonly model?: string;
  readonly baseUrl?: string;
  readonly keyName?: string;
  /** Program and arguments; for programs that are not a kind of their own. */
  readonly command?: readonly string[];
}

/** Members of a team at one service or local server; a single model stands for three agents. */
export function membersAt(
  place: Omit<Member, 'id' | 'model'>,
  models: readonly string[],
): readonly Member[] {
  const [only] = models;
  const all = models.length === 1 && only !== undefined ? [only, only, only] : models;
  return all.map((model, index) => ({ ...place, id: `member_${index + 1}`, model }));
}

/** The best model of each of the first of these services: judges of different makers err in different ways. */
export function mixedTeam(services: readonly KnownService[]): readonly Member[] {
  return services.slice(0, largestMix).map(({ type, models: [model], keyNames: [keyName] }) => ({
    ...{ id: type, type, keyName },
    ...(model === undefined ? {} : { model }),
  }));
}

const largestMix = 4;

/** Text of a team file with these agents. */
export function teamText(title: string, members: readonly Member[]): string {
  const agents = members.map(({ id, type, model, baseUrl, keyName, command }) =>
    [
      `  - id: ${id}`,
      '    backend:',
      `      type: ${type}`,
      ...(model === undefined ? [] : [`      model: ${JSON.stringify(model)}`]),
      ...(baseUrl === undefined ? [] : [`      base_url: ${JSON.stringify(baseUrl)}`]),
      ...(keyName === undefined ? [] : [`      api_key: \${${keyName}}`]),
      ...(command === undefined ? [] : [`      command: ${JSON.stringify(command)}`]),
    ].join('\n'),
  );
  return [
    `name: ${JSON.stringify(title)}`,
    'agents:',
    ...agents,
    'orchestrator:',
    '  profile: recommended',
    '',
  ].join('\n');
}
