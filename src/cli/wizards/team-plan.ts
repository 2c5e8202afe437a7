// A team as a wizard puts it together, before it is text.
import type { App, InstalledProgram, LocalServer } from '../../app/app-contract';
import { knownServices, lastingModels, type Member, settingsOf } from '../../app/services-table';
import type { Found } from './found';

export interface PlannedMember extends Omit<Member, 'type'> {
  /** Absent: the model tells it. */
  readonly type?: string;
  readonly systemMessage?: string;
  /** Further keys of the backend block. */
  readonly further?: Readonly<Record<string, unknown>>;
}

export interface PlannedPath {
  readonly path: string;
  readonly permission: 'read' | 'write';
  readonly protectedPaths?: readonly string[];
}

export interface TeamPlan {
  readonly name: string;
  readonly members: readonly PlannedMember[];
  readonly paths: readonly PlannedPath[];
  /** Further keys of the orchestrator block. */
  readonly rules?: Readonly<Record<string, unknown>>;
  readonly limits: {
    readonly minutes: number;
    /** US dollars; `null`: no limit. */
    readonly usd: number | null;
  };
}

/** Where the model of an agent can come from. */
export interface Source {
  readonly label: string;
  readonly hint: string;
  readonly member: Omit<Member, 'model'>;
  /** Best first; empty where a name must be typed, or where the program chooses. */
  readonly models: readonly string[];
  /** A program chooses its model by itself. */
  readonly choosesModel: boolean;
  readonly isLocal: boolean;
}

type Kinds = App['backendKinds'];

/** What can be used now: services with a key, programs, local servers. `today`: Unix ms. */
export function sourcesOf(found: Found, kinds: Kinds, today: number): readonly Source[] {
  const known = knownServices(kinds, today);
  return [
    ...found.services.flatMap(({ kind, key }): Source[] => {
      const proposed = known.find(({ type }) => type === kind.type)?.models ?? [];
      const models = [...new Set([...proposed, ...lastingModels(kind, today)])];
      // One with an address for each customer cannot be used without it.
      const isUsable = kind.hostOf(settingsOf(kind, models[0] ?? '')) !== undefined;
      const common = { label: kind.title, choosesModel: false, isLocal: false };
      return key === undefined || !isUsable
        ? []
        : [{ ...common, hint: key.name, member: { id: idOf(kind.type), type: kind.type }, models }];
    }),
    ...found.programs.map(programSource),
    ...found.servers.map((server) => serverSource(server, kinds)),
  ];
}

function programSource({ title, type, command, path }: InstalledProgram): Source {
  const isNamed = type === 'acp' || command.length > 1 || command[0]?.includes('/') === true;
  return {
    ...{ label: title, hint: path, models: [], choosesModel: true, isLocal: false },
    member: { id: idOf(title), type, ...(isNamed ? { command } : {}) },
  };
}

/** By its own type where it has one; the address stands there all the same, so that a reader sees where it goes. */
function serverSource({ name, baseUrl, models }: LocalServer, kinds: Kinds): Source {
  const type = kinds.find(({ title }) => title === name)?.type ?? 'chatcompletion';
  return {
    ...{ label: name, hint: baseUrl, models, choosesModel: false, isLocal: true },
    member: { id: idOf(name), type, baseUrl },
  };
}

/** So many agents of these sources: one of each first, then the next model of each. Empty without a source. */
export function proposedMembers(
  sources: readonly Source[],
  count: number,
): readonly PlannedMember[] {
  const usable = sources.filter(({ models, choosesModel }) => choosesModel || models.length > 0);
  if (usable.length === 0) {
    return [];
  }
  const members = Array.from({ length: count }, (_, index): PlannedMember[] => {
    const source = usable[index % usable.length];
    const round = Math.floor(index / usable.length);
    return source === undefined ? [] : [memberOf(source, nth(source.models, round))];
  }).flat();
  return withOwnIds(members);
}

export function memberOf({ member }: Source, model: string | undefined): PlannedMember {
  return { ...member, ...(model === undefined ? {} : { model }) };
}

function nth<T>(items: readonly T[], index: number): T | undefined {
  return items.length === 0 ? undefined : items[index % items.length];
}

/** The same members, each with an id of its own: `claude`, `claude_2`. */
export function withOwnIds(members: readonly PlannedMember[]): readonly PlannedMember[] {
  const taken = new Set<string>();
  return members.map((member) => {
    let id = member.id;
    for (let number = 2; taken.has(id); number += 1) {
      id = `${member.id}_${number}`;
    }
    taken.add(id);
    return { ...member, id };
  });
}

function idOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}

/** Whether everybody is played by this machine. */
export function isLocalTeam(
  members: readonly PlannedMember[],
  sources: readonly Source[],
): boolean {
  return members.every(({ type }) =>
    sources.some(({ member, isLocal }) => member.type === type && isLocal),
  );
}

/** Models of one machine answer one after the other: more time, and no price to limit. */
export function usualLimits(isLocal: boolean): TeamPlan['limits'] {
  return isLocal ? { minutes: 120, usd: null } : { minutes: 30, usd: 2 };
}
