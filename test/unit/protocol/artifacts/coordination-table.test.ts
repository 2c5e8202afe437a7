import { describe, expect, it } from 'vitest';
import { columnWidth, gridLines, wrapped } from '../../../../src/protocol/artifacts/table-grid';
import type { RunEvent } from '../../../../src/run/events';
import { goldenLogs, scenarioLog, scenarios } from '../../../support/known-logs';
import { filesOf, textOf } from '../../../support/project';
import { record, sampleRunEvents } from '../../../support/sample-run';

const tableOf = (events: readonly RunEvent[]): string =>
  textOf(filesOf(record(events)), 'coordination_table.txt');

/** Cells of the row that contains the words, without the spaces around them. */
function rowWith(table: string, words: string): readonly string[] {
  const line = table.split('\n').find((each) => each.startsWith('|') && each.includes(words)) ?? '';
  return line.split('|').map((cell) => cell.trim());
}

describe('a grid', () => {
  it('has narrower columns for more agents', () => {
    expect([1, 2, 3, 4, 5, 10].map(columnWidth)).toEqual([60, 60, 40, 30, 25, 25]);
  });

  it('breaks lines at spaces, and words that are longer than a column anywhere', () => {
    expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrapped('a\n\nb', 4)).toEqual(['a', '', 'b']);
    expect(wrapped('😀😀😀', 2)).toEqual(['😀😀', '😀']);
  });

  it('is as wide in every line', () => {
    const lines = gridLines(
      ['Agent 1', 'Agent 2'],
      [
        { name: 'E1', cells: ['x'.repeat(200), 'short'] },
        { name: 'E2', across: 'y '.repeat(200) },
      ],
    );
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});

describe('coordination_table.txt', () => {
  it('tells the course of a run in one column for each agent', () => {
    const table = tableOf(sampleRunEvents);
    expect(rowWith(table, 'USER')).toEqual(['', 'USER', 'Make parseDuration read all units.', '']);
    expect(rowWith(table, 'Agent 1')).toEqual([
      ...['', 'Event', 'Agent 1 (gpt)', 'Agent 2 (claude)', ''],
    ]);
    expect(rowWith(table, '* new answer agent1.1')[2]).toBe(
      '* new answer agent1.1 (1 file changed)',
    );
    expect(rowWith(table, 'v agent1.vote2')[2]).toBe('v agent1.vote2 for agent2.1');
    expect(table).toContain('# Restart triggered by agent2.1: void is the vote of agent1.');
    expect(table).toContain('# Restarts completed');
    expect(rowWith(table, '= final answer')[3]).toBe('= final answer (reused from agent2.1)');
  });

  it('previews the very answer of a row, not the newest one', () => {
    const answered = sampleRunEvents.findIndex(({ type }) => type === 'answer-submitted');
    const events = sampleRunEvents.slice(0, answered + 1);
    const again: RunEvent = {
      type: 'answer-submitted',
      ...{ slot: 1, turnNo: 2, label: 'agent1.2', text: 'Second try.', hadUnseen: [] },
      ...{ snapshotId: null, changes: [] },
    };
    const table = tableOf([...events, again]);
    expect(table).toMatch(/agent1\.1[^\n]*\n\|\s+\| First\./);
    expect(table).toMatch(/agent1\.2[^\n]*\n\|\s+\| Second try\./);
  });

  it('has a cell for a vote that was not recorded', () => {
    const ignored: RunEvent = {
      type: 'vote-ignored',
      ...{ slot: 1, turnNo: 1, target: 'agent2', unseen: ['agent2.1'] },
    };
    const table = tableOf([...sampleRunEvents.slice(0, 3), ignored]);
    expect(rowWith(table, 'x vote')[2]).toBe('x vote for agent2 not recorded: not seen agent2.1');
  });

  it('counts valid, void and all votes, and ends with the record of the decision', () => {
    const table = tableOf(sampleRunEvents);
    expect(table).toMatch(/Agent 1 \(gpt\) +1 +1 +1 +2 +3 +2 +voted/);
    expect(table).toMatch(/Agent 2 \(claude\) +1 +1 +0 +1 +2 +1 +voted/);
    expect(table).toMatch(/All +2 +2 +1 +3 +5 +3\n/);
    expect(table).toContain('Decision: agent2.1\n  agent2.1 ');
    expect(table).toMatch(/ {2}decided_by +"rule"\n/);
    expect(table).toMatch(/ {2}void_ballots +1\n/);
  });

  it('keeps its lines as wide in every known run', () => {
    const logs = [...[...scenarios.keys()].map(scenarioLog), ...goldenLogs.values()];
    for (const log of logs) {
      const grid = textOf(filesOf(log), 'coordination_table.txt')
        .split('\n')
        .filter((line) => /^[|+]/.test(line));
      expect(new Set(grid.map((line) => Array.from(line).length)).size).toBe(1);
    }
  });
});
