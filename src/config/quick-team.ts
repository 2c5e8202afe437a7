// A team from a few words, e.g. of the command line: as the text of a team file, so that it is checked like any other.
import { stringify } from 'yaml';
import type { BackendKind } from '../core/ports/backend-kind';
import { kindOfModelName, kindOfType, typeAdvice } from './schema/backend-type';

export interface QuickTeam {
  /** One agent each. `TYPE/MODEL` names the service too, e.g. `openrouter/openai/gpt-5`; the rest is then the model. */
  readonly models: readonly string[];
  /** Type of all backends, for models that do not name one themselves; absent: the model tells. */
  readonly backend?: string;
  readonly systemMessage?: string;
  readonly baseUrl?: string;
  /** How many agents there are, in turns with these models; absent: one for each. */
  readonly agents?: number;
}

export type QuickTeamResult =
  | { readonly kind: 'ok'; readonly text: string }
  /** Every reason, each one sentence or more. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

const mostAgents = 10;

/** Never throws. What the text says is checked by whoever reads it. */
export function quickTeam(wish: QuickTeam, kinds: readonly BackendKind[]): QuickTeamResult {
  const models = wish.models.length === 0 ? [''] : wish.models;
  const count = wish.agents ?? models.length;
  const members = models.map((model) => memberOf(model.trim(), wish, kinds));
  const problems = [
    ...members.flatMap((member) => (typeof member === 'string' ? [member] : [])),
    ...countProblems(count, models.length),
  ];
  if (problems.length > 0) {
    return { kind: 'problems', problems: [...new Set(problems)] };
  }
  const found = members.filter((member) => typeof member !== 'string');
  const taken = new Set<string>();
  const agents = Array.from({ length: count }, (_unused, i) => found[i % found.length]).flatMap(
    (member) => (member === undefined ? [] : [agentOf(member, wish, taken)]),
  );
  return { kind: 'ok', text: stringify({ agents, orchestrator: { profile: 'recommended' } }) };
}

function countProblems(count: number, models: number): readonly string[] {
  if (!Number.isInteger(count) || count < 1 || count > mostAgents) {
    return [`A team has one to ${mostAgents} agents, not ${String(count)}.`];
  }
  return count < models ? [`${models} models need at least as many agents, not ${count}.`] : [];
}

interface Member {
  readonly type: string;
  /** Empty: the one that the service falls back on. */
  readonly model: string;
}

/** A text says why there is none. */
function memberOf(
  written: string,
  { backend }: QuickTeam,
  kinds: readonly BackendKind[],
): Member | string {
  if (backend !== undefined) {
    const kind = kindOfType(backend, kinds);
    return kind === undefined
      ? typeAdvice(backend, kinds).message
      : withModel(kind, withoutType(written, kind, kinds));
  }
  if (written === '') {
    return 'Neither a model nor a type of backend is named.';
  }
  const named = namedKind(written, kinds);
  if (named !== undefined) {
    return withModel(named, written.slice(written.indexOf('/') + 1).trim());
  }
  const found = kindOfModelName(written, kinds);
  return typeof found === 'string'
    ? `No service is named, and ${found} For example: openrouter/${written}.`
    : { type: found.type, model: written };
}

function withModel(kind: BackendKind, model: string): Member | string {
  return model === '' && kind.defaultModel === undefined
    ? `${kind.type} needs the name of a model.`
    : { type: kind.type, model };
}

/** The kind in front of the first slash; many models have slashes of their own. */
function namedKind(written: string, kinds: readonly BackendKind[]): BackendKind | undefined {
  const slash = written.indexOf('/');
  return slash < 1 ? undefined : kindOfType(written.slice(0, slash), kinds);
}

/** `openai/gpt-5` beside the type openai means gpt-5; a service that hosts others keeps `openai/gpt-5` whole. */
function withoutType(written: string, kind: BackendKind, kinds: readonly BackendKind[]): string {
  return namedKind(written, kinds) === kind ? written.slice(written.indexOf('/') + 1) : written;
}

/** Models never see ids; `agent1` would be taken for a label. */
function agentOf(
  { type, model }: Member,
  { baseUrl, systemMessage }: QuickTeam,
  taken: Set<string>,
): Readonly<Record<string, unknown>> {
  const last = (model === '' ? type : model).split('/').at(-1) ?? type;
  const id = freeId(last.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 50), taken);
  return {
    id,
    backend: {
      type,
      ...(model === '' ? {} : { model }),
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    },
    ...(systemMessage === undefined ? {} : { system_message: systemMessage }),
  };
}

function freeId(wanted: string, taken: Set<string>): string {
  const base = wanted === '' || /^agent[\s_-]?\d/i.test(wanted) ? `model-${wanted}` : wanted;
  let id = base;
  for (let n = 2; taken.has(id.toLowerCase()); n++) {
    id = `${base}-${n}`;
  }
  taken.add(id.toLowerCase());
  return id;
}
