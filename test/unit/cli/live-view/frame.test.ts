import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { frameOf } from '../../../../src/cli/live-view/frame';
import { firstView, type Page, type View } from '../../../../src/cli/live-view/view';
import type { RunEvent } from '../../../../src/run/events';
import type { RunState } from '../../../../src/run/state';
import { runWithText } from '../../../support/hostile-run';
import { sampleRunEvents, stateAfter } from '../../../support/sample-run';

function shown(state: RunState, view: View = firstView, width = 80, height = 24): string[] {
  const size = { width, height, now: state.lastEventAt };
  return frameOf({ state, artifactsDir: '/runs/log' }, view, size).lines.map((line) =>
    line.map(({ text }) => text).join(''),
  );
}

const on = (page: Page): View => ({ ...firstView, page });
const whole = stateAfter(sampleRunEvents);

function asking(command: string): RunState {
  const approval: RunEvent = {
    type: 'approval-requested',
    ...{ slot: 2, turnNo: 1, approvalId: 'a', command, cwd: '/w/sample/src', isConfined: false },
    hash: 'h',
  };
  return stateAfter([...sampleRunEvents.slice(0, 3), approval]);
}

describe('the picture of a run', () => {
  it('has the agents, the decision and the newest of the timeline', () => {
    expect(shown(whole).map((line) => line.trimEnd())).toEqual([
      'MassGen  Reviewers                                   Drafts ✓  Votes ✓  Result ✓',
      '0:25  2 calls  2.2k tokens  $0.75',
      'Task  Make parseDuration read all units.',
      '',
      '    Agent    State       Answer   Votes Calls  Tokens    Cost',
      ' 1  model-1  ✓ Voted     agent1.1     0     1    1.1k   $0.50',
      '    agent2.1 has its vote',
      ' 2  model-2  ✓ Voted     agent2.1     2     1    1.1k   $0.25',
      '    agent2.1 has its vote',
      '',
      'agent2.1 won with 2 of 2 votes.',
      '',
      '  0:00  Run started, 2 agents',
      '  0:05  Agent 1 answered agent1.1',
      '  0:08  Agent 1 voted agent1.1, self-vote, voided at 0:14: Mine works.',
      '  0:12  Agent 2 answered agent2.1',
      '  0:14  Agent 1: Vote voided, agent2.1 arrived; Agent 1 votes again',
      '  0:17  Agent 1 voted agent2.1: It handles ⏎ 1h 30m.',
      '  0:19  Agent 2 voted agent2.1, self-vote: Tests pass.',
      '  0:22  Decided agent2.1',
      '  0:24  Agent 2: Final answer, the answer as it was handed in',
      '  0:25  Run finished',
      '─'.repeat(80),
      '1-2 agents   r votes   s status   f answer   ? help   q leave',
    ]);
  });

  it('has a page for each agent, the votes, the answer, the status and the keys', () => {
    expect(shown(whole, on({ kind: 'agent', slot: 2 })).join('\n')).toContain(
      'Answer agent2.1\n  Second.',
    );
    expect(shown(whole, on({ kind: 'votes' })).join('\n')).toContain(
      '  Agent 1 for agent2.1\n    It handles\n    1h 30m.',
    );
    expect(shown(whole, on({ kind: 'answer' })).join('\n')).toMatch(
      /# Done\n\s*\n {2}All units\.[^]*src\/duration\.js/,
    );
    expect(shown(whole, on({ kind: 'status' })).join('\n')).toMatch(
      /Rule +Majority[^]*not confined: no bubblewrap/,
    );
    expect(shown(whole, on({ kind: 'help' })).join('\n')).toMatch(/Ctrl\+C +stop the run/);
  });

  it('asks for a command with all of its words, where it would run and what it could reach', () => {
    const text = shown(asking('rm -rf "$HOME"')).join('\n');
    expect(text).toMatch(
      /! Agent 2 wants to run a command\n {4}rm -rf "\$HOME"\n {4}In sample\/src\./,
    );
    expect(text).toContain('it can reach all your files');
    expect(text).toContain('y allow once   a allow for this run   n or Enter deny');
  });

  it('lets nobody allow a command that does not fit on the screen', () => {
    const state = asking(`echo ${'x'.repeat(3000)}; rm -rf ~`);
    const size = { width: 80, height: 24, now: 0 };
    const frame = frameOf({ state, artifactsDir: '' }, firstView, size);
    expect(frame.readApproval).toBeNull();
    expect(shown(state).at(-1)).toContain('Too long for this window');
    expect(
      frameOf({ state, artifactsDir: '' }, firstView, { ...size, height: 80 }).readApproval,
    ).toBe('a');
  });

  it('keeps what is asked and its keys in sight in a window of any size', () => {
    const state = asking('npm test');
    const sizes = [20, 40, 60, 200].flatMap((width) =>
      [3, 5, 8, 12, 20, 60].map((height) => ({ width, height })),
    );
    for (const { width, height } of sizes) {
      const lines = shown(state, firstView, width, height);
      expect(lines).toHaveLength(height);
      const size = { width, height, now: 0 };
      const { readApproval } = frameOf({ state, artifactsDir: '' }, firstView, size);
      const text = lines.map((line) => line.trim()).join(' ');
      expect(text).toMatch(/n or Enter deny$/);
      expect(text.includes('npm test') && text.includes('y allow once')).toBe(readApproval === 'a');
    }
  });

  it('names the keys of the question whether to leave in a narrow window', () => {
    const text = shown(whole, { ...firstView, asks: 'leave' }, 20, 5).join(' ');
    expect(text.replaceAll(/ +/g, ' ')).toContain('any other key: stay');
  });

  it('says which part of a long page is in sight', () => {
    const lines = shown(whole, { ...on({ kind: 'help' }), scroll: 2 }, 60, 12);
    expect(lines.at(-2)).toMatch(/─ 3 to 8 of \d+ lines ──$/);
  });

  it('fits every size: as many lines as rows, none wider than the screen, whatever the models wrote', () => {
    const pages: readonly Page[] = [
      ...([{ kind: 'team' }, { kind: 'votes' }, { kind: 'answer' }, { kind: 'status' }] as const),
      ...([{ kind: 'help' }, { kind: 'agent', slot: 1 }, { kind: 'agent', slot: 2 }] as const),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...pages),
        fc.integer({ min: 20, max: 160 }),
        fc.integer({ min: 1, max: 50 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 1, max: sampleRunEvents.length }),
        (page, width, height, text, count) => {
          const state = stateAfter(runWithText(text, sampleRunEvents.slice(0, count)));
          const lines = shown(state, on(page), width, height);
          expect(lines).toHaveLength(height);
          expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
        },
      ),
      { seed: 5, numRuns: 300 },
    );
  });
});
