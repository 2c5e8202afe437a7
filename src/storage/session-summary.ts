import type { SessionTurn, StoredSession } from '../core/ports/session-store';

export function winnersText({ turns }: StoredSession): string {
  const winners = turns.map(({ winner, turn }) => ({ agent_id: winner, turn }));
  return `${JSON.stringify(winners, null, 2)}\n`;
}

export function summaryText(session: StoredSession): string {
  const { sessionId, turns, notes, costUsd } = session;
  const lines = [
    `Session: ${sessionId}`,
    `Turns: ${turns.length}`,
    `Known cost: $${costUsd.toFixed(4)}`,
    ...(notes.length === 0 ? [] : [`Runs without a turn: ${notes.length}`]),
    ...turns.flatMap((turn) => ['', ...turnLines(turn)]),
    ...notes.map(
      ({ runId, outcome, endedAt }) =>
        `\nRun ${runId} left no turn: ${outcome}, ${new Date(endedAt).toISOString()}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function turnLines({ turn, endedAt, winner, task, answer }: SessionTurn): readonly string[] {
  return [
    `== Turn ${turn}, ${new Date(endedAt).toISOString()}, answer of ${winner}`,
    'Task:',
    task,
    'Answer:',
    answer,
  ];
}
