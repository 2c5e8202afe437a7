import { compatProfile } from '../../src/run/profiles';
import type { RecordedEvent, RunEvent } from '../../src/run/events';
import type { Agreement, FileChange } from '../../src/run/facts';
import { apply } from '../../src/run/reducer';
import type { RunState } from '../../src/run/state';

const startedAt = 1_000_000;

export const sampleChange: FileChange = {
  root: 'sample',
  path: 'src/duration.js',
  kind: 'modify',
  added: 2,
  removed: 1,
  isBinary: false,
  sizeBytes: 400,
};

const agreement: Agreement = {
  rule: 'majority',
  threshold: null,
  quorum: 1,
  electorate: [1, 2],
  eligibleWeight: 2,
  ballots: 2,
  votes: { 'agent2.1': 2 },
  votesFromOthers: { 'agent2.1': 1 },
  needed: 2,
  share: 1,
  isSatisfied: true,
  isTie: false,
  tied: [],
  runoffs: 0,
  extraRounds: 0,
  tieBreakUsed: null,
  decidedBy: 'rule',
  isUnanimous: true,
  uninformedBallots: 0,
  voidBallots: 1,
  result: 'decided',
  lead: 1,
  margin: 0,
  effectiveVoters: 3,
  ignoredSelfVotes: 0,
};

const started: RunEvent = {
  type: 'run-started',
  runId: 'run-1',
  task: 'Make parseDuration read all units.',
  agents: [1, 2].map((slot) => ({
    slot,
    id: slot === 1 ? 'gpt' : 'claude',
    backend: 'chatcompletion',
    model: `model-${slot}`,
    family: '',
    weight: 1,
  })),
  contextRoots: [{ name: 'sample', path: '/project', permission: 'write' }],
  settings: { ...compatProfile, rule: 'majority', runSeed: '00' },
  caps: { durationMs: null, modelCalls: null, costUsd: null },
  teamName: 'Reviewers',
  isScripted: false,
  unconfinedReason: 'no bubblewrap',
};

function turn(slot: number, turnNo: number): RunEvent {
  return { type: 'agent-turn-started', slot, turnNo, attempt: 1, shown: [] };
}

function call(slot: number, turnNo: number, costUsd: number | null): readonly RunEvent[] {
  return [
    { type: 'model-call-started', slot, turnNo, call: 1 },
    {
      type: 'model-call-ended',
      ...{ slot, turnNo, call: 1, text: '', toolCalls: [], costUsd },
      usage: { inputTokens: 1000, outputTokens: 100 },
    },
  ];
}

function answer(slot: number, text: string): readonly RunEvent[] {
  return [
    {
      type: 'answer-submitted',
      ...{ slot, turnNo: 1, label: `agent${slot}.1` as const, text, hadUnseen: [] },
      snapshotId: `snapshot-${slot}`,
      changes: [sampleChange],
    },
    { type: 'agent-turn-ended', slot, turnNo: 1, outcome: 'answer' },
  ];
}

function vote(slot: number, turnNo: number, target: 1 | 2, reason: string): readonly RunEvent[] {
  return [
    {
      type: 'vote-cast',
      ...{ slot, turnNo, target: `agent${target}.1` as const, reason, seen: [], weight: 1 },
      ballotId: `agent${slot}.vote${turnNo - 1}`,
      isInformed: true,
      phase: 'vote',
    },
    { type: 'agent-turn-ended', slot, turnNo, outcome: 'vote' },
  ];
}

/** Two agents: the first votes for itself, the second's answer makes that vote void, both then vote for the second. */
export const sampleRunEvents: readonly RunEvent[] = [
  started,
  turn(1, 1),
  turn(2, 1),
  ...call(1, 1, 0.5),
  ...answer(1, 'First.'),
  turn(1, 2),
  ...vote(1, 2, 1, 'Mine works.'),
  ...call(2, 1, 0.25),
  ...answer(2, 'Second.'),
  { type: 'votes-voided', cause: 'agent2.1', voters: [1] },
  turn(1, 3),
  turn(2, 2),
  ...vote(1, 3, 2, 'It handles\n1h 30m.'),
  ...vote(2, 2, 2, 'Tests pass.'),
  { type: 'poll-closed', cause: 'quorum', eligible: 2, ballots: 2 },
  { type: 'final-agent-selected', winner: { slot: 2, label: 'agent2.1' }, agreement },
  { type: 'change-set-ready', label: 'agent2.1', snapshotId: 'snapshot-2', files: [sampleChange] },
  {
    type: 'final-answer',
    slot: 2,
    label: 'agent2.1',
    text: '# Done\n\nAll units.',
    source: 'reused',
  },
  { type: 'run-ended', outcome: 'completed' },
];

/** One second between events. */
export function record(events: readonly RunEvent[]): readonly RecordedEvent[] {
  return events.map((event, seq) => ({ seq, at: startedAt + seq * 1000, event }));
}

export function stateAfter(events: readonly RunEvent[]): RunState {
  let state: RunState | undefined;
  for (const recorded of record(events)) {
    state = apply(state, recorded);
  }
  if (state === undefined) {
    throw new Error('no events');
  }
  return state;
}

/** The events up to and with the last one of this type. */
export function upTo(type: RunEvent['type']): readonly RunEvent[] {
  const end = sampleRunEvents.findLastIndex((event) => event.type === type);
  return sampleRunEvents.slice(0, end + 1);
}
