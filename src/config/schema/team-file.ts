import type { BackendKind } from '../../core/ports/backend-kind';
import { type AgentBlock, agentBlock, agentList } from './agent-block';
import { type ChecksBlock, checksBlock } from './checks-block';
import { mapping, nullable } from './collections';
import { originalTopKeys } from './original-top-keys';
import { type OrchestratorBlock, orchestratorBlock } from './orchestrator-block';
import { integer, number, text } from './scalars';
import { field, type Spec } from './spec';
import { timeoutBlock } from './timeout-block';
import { type UiBlock, uiBlock } from './ui-block';

const limitsBlock = mapping({
  duration_minutes: field(
    nullable(number({ above: 0, maximum: 10_080 })),
    'At this age of the run no new call starts, and what exists is decided; null: no limit.',
    { defaultText: '30' },
  ),
  model_calls: field(
    nullable(integer({ minimum: 1 })),
    'Calls of models in the whole run at most; null: no limit.',
    { defaultText: '60' },
  ),
  cost_usd: field(
    nullable(number({ above: 0 })),
    'US dollars at most, counted where prices are known; null: no limit.',
    { defaultText: '2' },
  ),
  command_timeout_seconds: field(
    number({ minimum: 1, maximum: 86_400 }),
    'Longest run of one command in seconds.',
    { defaultText: '120' },
  ),
});

const name = text();

/** The session becomes a folder of this name. */
const sessionName: Spec<string> = {
  shape: name.shape,
  read: (node, context) => {
    const value = name.read(node, context);
    if (value === undefined || /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(value)) {
      return value;
    }
    context.report(node, {
      code: 'wrong-value',
      message: 'This names a session: letters, digits, and . _ - after the first, at most 100.',
    });
    return undefined;
  },
};

/** The whole team file; what cannot be said by one key is checked in `check-team.ts`. */
export function teamFile(kinds: readonly BackendKind[]): Spec<TeamFile> {
  const spec = specs.get(kinds) ?? makeTeamFile(kinds);
  specs.set(kinds, spec);
  return spec;
}

/** Made once for each list, which never changes: making it takes longer than reading most files. */
const specs = new WeakMap<readonly BackendKind[], Spec<TeamFile>>();

function makeTeamFile(kinds: readonly BackendKind[]): Spec<TeamFile> {
  return mapping({
    name: field(text(), 'Name of the team for people.', { defaultText: "the file's name" }),
    agents: field(agentList(kinds), 'The agents of the team, one to ten.'),
    agent: field(agentBlock(kinds), 'The only agent of a team of one, instead of `agents`.'),
    orchestrator: field(orchestratorBlock(kinds), 'How the agents work together and decide.'),
    checks: field(
      checksBlock,
      'Commands that are run in every answer before the vote, and first of all on the untouched project.',
    ),
    limits: field(limitsBlock, 'Caps of one run.'),
    timeout_settings: field(timeoutBlock, 'Time limits.'),
    prompt: field(text(), 'The task, when the command line names none.'),
    session_id: field(sessionName, 'Session that each run from the command line goes on with.'),
    ui: field(uiBlock, 'How a run is shown.'),
    ...originalTopKeys,
  });
}

type Value<S> = S extends Spec<infer T> ? T : never;

export type { OrchestratorBlock };
export type LimitsBlock = Value<typeof limitsBlock>;
export type TimeoutBlock = Value<typeof timeoutBlock>;

export interface TeamFile {
  readonly name?: string | undefined;
  readonly agents?: readonly AgentBlock[] | undefined;
  readonly agent?: AgentBlock | undefined;
  readonly orchestrator?: OrchestratorBlock | undefined;
  readonly checks?: ChecksBlock | undefined;
  readonly limits?: LimitsBlock | undefined;
  readonly timeout_settings?: TimeoutBlock | undefined;
  readonly prompt?: string | undefined;
  readonly session_id?: string | undefined;
  readonly ui?: UiBlock | undefined;
}
