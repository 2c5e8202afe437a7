// The end of `coordination_table.txt`: what each agent did, the sums, and the record of the decision.
import { selectReason } from '../../run/selectors/verdict';
import type { AgentState, RunState } from '../../run/state';
import { toStatusAgreement } from '../status-results';
import { statusName } from '../status-agents';

export function footerLines(state: RunState): readonly string[] {
  return [...summary(state), '', ...decision(state)];
}

function summary(state: RunState): readonly string[] {
  const counts = state.agents.map(countsOf);
  const sum = (pick: (count: Counts) => number): number =>
    counts.reduce((total, count) => total + pick(count), 0);
  const rows = state.agents.map((agent, i) => {
    const count = counts[i] ?? noCounts;
    return [
      `Agent ${agent.info.slot} (${agent.info.id})`,
      ...[count.answers, count.valid, count.voided, count.valid + count.voided].map(String),
      ...[count.turns, count.restarts].map(String),
      statusName(agent),
    ];
  });
  const total = [
    'All',
    ...[sum(({ answers }) => answers), sum(({ valid }) => valid), sum(({ voided }) => voided)],
    sum(({ valid, voided }) => valid + voided),
    ...[sum(({ turns }) => turns), sum(({ restarts }) => restarts)],
  ].map(String);
  return columns([
    [
      ...['Summary', 'answers', 'valid votes', 'void votes', 'all votes'],
      ...['turns', 'restarts', 'status'],
    ],
    ...rows,
    total,
  ]);
}

interface Counts {
  readonly answers: number;
  readonly valid: number;
  readonly voided: number;
  readonly turns: number;
  readonly restarts: number;
}

const noCounts: Counts = { answers: 0, valid: 0, voided: 0, turns: 0, restarts: 0 };

function countsOf({ revisions, ballots, turnNo }: AgentState): Counts {
  const voided = ballots.filter((ballot) => ballot.void !== undefined).length;
  return {
    answers: revisions.length,
    valid: ballots.length - voided,
    voided,
    turns: turnNo,
    restarts: Math.max(0, turnNo - 1),
  };
}

/** Every number of the record, so that the file alone shows how the outcome came about. */
function decision(state: RunState): readonly string[] {
  if (state.selection === null) {
    return ['Decision: none yet.'];
  }
  const { winner, agreement } = state.selection;
  const record = Object.entries(toStatusAgreement(agreement)).map(
    ([key, value]) => `  ${key.padEnd(18)} ${JSON.stringify(value)}`,
  );
  const reason = selectReason(state);
  return [
    `Decision: ${winner === null ? 'no answer was chosen' : winner.label}`,
    ...(reason === undefined ? [] : [`  ${reason}`]),
    ...record,
  ];
}

function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const width = (column: number): number =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(width(column))).join('  '));
}
