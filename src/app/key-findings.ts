// Keys and variables that a team needs and this machine does not have.
import { raceAbort } from '../base/abort';
import { referencesIn } from '../base/variables';
import { isPlaceName, serverTexts } from '../config/egress-programs';
import { unsetMessage } from '../config/interpolation';
import { MassGenError } from '../core/errors';
import type { AgentConfig, RunConfig } from '../config/run-config';
import type { FilePlace } from '../config/team-places';
import type { BackendKind } from '../core/ports/backend-kind';
import type { Secrets } from '../core/ports/secrets';

/** One thing of this machine that is not as a team needs it. */
export interface Finding {
  readonly place: FilePlace;
  readonly severity: 'error' | 'warning';
  readonly code: 'unset' | 'not-found' | 'wrong-value';
  readonly message: string;
  /** The key that is missing; absent: something else is. */
  readonly keyName?: string;
}

interface Needing {
  readonly config: RunConfig;
  readonly kinds: readonly BackendKind[];
  readonly secrets: Secrets;
}

/** All that is missing, each name once, in the order of the file. Sends nothing. Throws `cancelled/*`. */
export async function keyFindings(
  { config, kinds, secrets }: Needing,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const isSet = async (name: string): Promise<boolean> =>
    ((await raceAbort(secrets.get(name), signal)) ?? '').trim() !== '';
  const findings: Finding[] = [];
  for (const { names, users, isNamed } of neededKeys(config, kinds)) {
    const [first = ''] = names;
    if (!(await isAnySet(names, isSet))) {
      const where = lookedIn(secrets, first);
      findings.push({
        place: keyPlace(users[0]?.id, isNamed),
        ...{ severity: 'error', code: 'unset', keyName: first },
        message: `There is no key under the name ${names.join(' or ')}. ${neededBy(users)}.${where} Set it, or name another one with api_key.`,
      });
    }
  }
  for (const { name, agentId } of neededVariables(config)) {
    if (!(await isSet(name))) {
      const message = unsetMessage(name, secrets.placesOf?.(name) ?? []);
      const place = { agentId, keys: [], text: name };
      findings.push({ place, severity: 'error', code: 'unset', message });
    }
  }
  return findings;
}

function keyPlace(agentId: string | undefined, isNamed: boolean): FilePlace {
  const outer = agentId === undefined ? 'judge' : 'backend';
  return { agentId, keys: isNamed ? [outer, 'api_key'] : [outer] };
}

/** Throws `config/missing-secret` with everything that `keyFindings` finds, and `cancelled/*`. */
export async function requireKeys(
  { kinds, secrets }: Omit<Needing, 'config'>,
  config: RunConfig,
  signal: AbortSignal,
): Promise<void> {
  const findings = await keyFindings({ config, kinds, secrets }, signal);
  if (findings.length > 0) {
    const message = findings.map((finding) => finding.message).join('\n');
    throw new MassGenError('config/missing-secret', message);
  }
}

async function isAnySet(
  names: readonly string[],
  isSet: (name: string) => Promise<boolean>,
): Promise<boolean> {
  for (const name of names) {
    if (await isSet(name)) {
      return true;
    }
  }
  return false;
}

function lookedIn(secrets: Secrets, name: string): string {
  const places = secrets.placesOf?.(name) ?? [];
  return places.length === 0 ? '' : ` Looked in: ${places.join(', ')}.`;
}

interface User {
  /** `undefined`: the judge. */
  readonly id: string | undefined;
  readonly title: string;
}

interface NeededKey {
  /** One of them must be set. */
  readonly names: readonly string[];
  readonly users: readonly User[];
  readonly isNamed: boolean;
}

function neededKeys(config: RunConfig, kinds: readonly BackendKind[]): readonly NeededKey[] {
  const { agents, judge } = config;
  const needed = new Map<string, NeededKey>();
  for (const { id, backend } of [
    ...agents,
    ...(judge === undefined ? [] : [{ id: undefined, backend: judge }]),
  ]) {
    const kind = kinds.find(({ type }) => type === backend.type);
    const names = kind === undefined ? [] : keysOf(backend, kind);
    const key = names.join(' ');
    if (kind !== undefined && names.length > 0) {
      const { users = [], isNamed = backend.apiKeyName !== undefined } = needed.get(key) ?? {};
      needed.set(key, { names, users: [...users, { id, title: kind.title }], isNamed });
    }
  }
  return [...needed.values()];
}

/** A program without a named key signs in by itself. */
function keysOf(backend: AgentConfig['backend'], kind: BackendKind): readonly string[] {
  const { apiKeyName } = backend;
  return apiKeyName !== undefined
    ? [apiKeyName]
    : kind.isProgram === true
      ? []
      : kind.keyNamesOf(backend);
}

function neededBy(users: readonly User[]): string {
  const names = users.map(({ id }) => id ?? 'the judge');
  const titles = [...new Set(users.map(({ title }) => title))].join(', ');
  const last = names.at(-1) ?? '';
  const all = names.length === 1 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
  return `Needed by ${all} for ${titles}`;
}

/** Variables that servers and programs are given without anything to fall back on. */
function neededVariables(
  config: RunConfig,
): readonly { readonly name: string; readonly agentId: string }[] {
  const needed = new Map<string, string>();
  for (const { id, tools, backend } of config.agents) {
    const texts = [
      ...(tools?.servers ?? []).flatMap(serverTexts),
      ...textsOf(tools?.custom.map(({ presetArguments }) => presetArguments) ?? []),
      ...textsOf([backend.options['env'] ?? null, backend.options['command'] ?? null]),
    ];
    for (const { name, instead } of texts.flatMap((text) => referencesIn(text))) {
      if (instead === undefined && !isPlaceName(name) && !needed.has(name)) {
        needed.set(name, id);
      }
    }
  }
  return [...needed].map(([name, agentId]) => ({ name, agentId }));
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
