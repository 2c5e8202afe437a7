import type { CoordinationSettings } from './coordination-settings';
import { logVersion, type RecordedEvent, type RunEvent } from './events';
import type { FinalAgentSelected } from './poll-events';
import type { Agreement, DecisionResult } from './facts';

/**
 * An event of an earlier log version in the shape of this one. Only what is absent is filled in, so a log in which
 * several versions have written is read all the same. Events of this version, and of types that nobody knows, come
 * back as they are.
 */
export function migrate(recorded: RecordedEvent, version: number): RecordedEvent {
  let event = recorded.event;
  for (let from = version; from < logVersion; from++) {
    event = steps.get(from)?.(event) ?? event;
  }
  return event === recorded.event ? recorded : { ...recorded, event };
}

/** By the version that a step starts from. */
const steps: ReadonlyMap<number, (event: RunEvent) => RunEvent> = new Map([[1, fromVersion1]]);

function fromVersion1(event: RunEvent): RunEvent {
  switch (event.type) {
    case 'run-started':
      return { ...event, settings: withLaterRules(event.settings) };
    case 'final-agent-selected':
      return { ...event, agreement: withResult(event) };
    default:
      return event;
  }
}

type Version1Settings = CoordinationSettings & { readonly earlyStop?: boolean };

function withLaterRules(settings: Version1Settings): CoordinationSettings {
  const { earlyStop, ...kept } = settings;
  return { ...rulesOfVersion1, ...(earlyStop === true ? { stop: 'exact' } : {}), ...kept };
}

/**
 * How the engine behaved before these could be chosen. Written out, because what a profile proposes today must not
 * change what is told about a run of yesterday.
 */
const rulesOfVersion1 = {
  margin: 0,
  stop: 'full',
  posteriorAt: 0.95,
  families: 'label',
  dualPass: 'off',
  hasJudge: false,
  humanTimeoutMs: 600_000,
  softTurnMs: { first: null, later: null },
  turnGraceMs: 120_000,
  hardKillMs: 60_000,
  timeoutPresentation: 'reuse',
  skipCoordination: false,
  maxRestarts: 0,
  evaluator: 'winner',
  postEvaluationTimeoutMs: 300_000,
  restartWorkspace: 'seed',
  workspaceAfterAnswer: 'keep',
  planning: 'off',
  repeatedEffects: 'mark',
  taskPlans: false,
  maxTasksPerPlan: 10,
  memoryFiles: false,
  projectInstructions: false,
  answersBudgetTokens: null,
  historyBudgetTokens: null,
  memoryBudgetTokens: null,
  singleAgentVote: false,
  duplicateConsidersFiles: true,
  settleMs: 0,
  mode: 'voting',
  presenterSlot: null,
  fairnessLeadCap: null,
  fairnessMaxWaitMs: 300_000,
} as const satisfies Partial<CoordinationSettings>;

function withResult({ winner, agreement }: FinalAgentSelected): Agreement {
  const counted: Partial<Agreement> = {
    result: resultOf(agreement, winner !== null),
    lead: leadOf(agreement),
    margin: 0,
    effectiveVoters: agreement.electorate.length,
    ignoredSelfVotes: 0,
  };
  return { ...counted, ...agreement };
}

function resultOf({ ballots, isSatisfied }: Agreement, hasWinner: boolean): DecisionResult {
  if (ballots === 0) {
    return 'none';
  }
  if (!hasWinner) {
    return 'no-consensus';
  }
  return isSatisfied ? 'decided' : 'tie-broken';
}

function leadOf({ votes }: Agreement): number {
  const [first = 0, second = 0] = Object.values(votes).sort((a, b) => b - a);
  return first - second;
}
