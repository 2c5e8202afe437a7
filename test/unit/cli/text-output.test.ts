import { describe, expect, it } from 'vitest';
import { printClosing } from '../../../src/cli/closing';
import { diffLines } from '../../../src/cli/diff-lines';
import { exitCodeOf } from '../../../src/cli/exit-codes';
import { failureOf, UsageError } from '../../../src/cli/failure';
import type { ReviewResult } from '../../../src/cli/proposal';
import { printResult } from '../../../src/cli/result-printer';
import { RunPrinter } from '../../../src/cli/run-printer';
import { tableLines, tableWidth, wrap } from '../../../src/cli/table';
import { type Terminal, wantsColor } from '../../../src/cli/terminal';
import { MassGenError } from '../../../src/core/errors';
import {
  automationHead,
  automationRestart,
  automationTail,
} from '../../../src/protocol/cli-output';
import type { RunEvent } from '../../../src/run/events';
import type { RunOutcome } from '../../../src/run/facts';
import { restartedRunEvents } from '../../support/restarted-run';
import { record, sampleChange, sampleRunEvents, stateAfter } from '../../support/sample-run';

class Screen implements Terminal {
  text = '';
  readonly width = 80;
  constructor(readonly hasColor = false) {}
  write(text: string): void {
    this.text += text;
  }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = { ...sampleChange, decision: 'pending' as const };

/** Feeds a printer event by event, as a live run does. */
function play(events: readonly RunEvent[]): { screen: Screen; printer: RunPrinter } {
  const screen = new Screen();
  const printer = new RunPrinter(screen);
  const recorded = record(events);
  for (const [i, event] of recorded.entries()) {
    printer.update([event], stateAfter(events.slice(0, i + 1)));
  }
  return { screen, printer };
}

describe('a run that is printed as it happens', () => {
  it('has one line for each thing that happens, with its time', () => {
    expect(play(sampleRunEvents).screen.text).toBe(
      `   0:00  Run started, 2 agents
   0:05  Agent 1 answered agent1.1
   0:08  Agent 1 voted agent1.1, self-vote: Mine works.
   0:12  Agent 2 answered agent2.1
   0:14  Agent 1: Vote voided, agent2.1 arrived; Agent 1 votes again
   0:17  Agent 1 voted agent2.1: It handles ⏎ 1h 30m.
   0:19  Agent 2 voted agent2.1, self-vote: Tests pass.
   0:22  Decided agent2.1
   0:24  Agent 2: Final answer, the answer as it was handed in
   0:25  Run finished
`,
    );
  });

  it('tells what the servers of an agent bring, and what of them is missing', () => {
    const [begin] = sampleRunEvents;
    const server = { type: 'tool-server-changed', slot: 1, server: 'notes' } as const;
    const events: readonly RunEvent[] = [
      ...(begin === undefined ? [] : [begin]),
      { ...server, status: 'connecting' },
      { ...server, status: 'ready', tools: [{ name: 'mcp__notes__add', effect: 'unknown' }] },
      { ...server, status: 'failed', message: 'It has ended.' },
    ];
    const lines = play(events).screen.text.trimEnd().split('\n');
    expect(lines.slice(1).map((line) => line.trim().replace(/^\S+ +/, ''))).toEqual([
      'Agent 1 has 1 tool of notes',
      'Agent 1: Tools missing: notes: It has ended.',
    ]);
  });

  it('prints nothing twice when it joins late or is told again', () => {
    const screen = new Screen();
    const printer = new RunPrinter(screen);
    const state = stateAfter(sampleRunEvents);
    printer.update([], state);
    printer.update(record(sampleRunEvents), state);
    printer.update([], state);
    expect(screen.text.match(/Run started/g)).toHaveLength(1);
    expect(screen.text.match(/Run finished/g)).toHaveLength(1);
  });

  it('shows every command that is asked for, whether it runs, and what it hides', () => {
    const ask = (approvalId: string, command: string, decision: 'deny' | 'allow-once') =>
      [
        {
          type: 'approval-requested',
          ...{ slot: 1, turnNo: 1, approvalId, command, cwd: '/w', isConfined: false, hash: 'h' },
        },
        {
          type: 'approval-resolved',
          ...{ slot: 1, turnNo: 1, approvalId, decision, by: 'policy' as const },
        },
      ] as const;
    const { screen, printer } = play([
      ...sampleRunEvents.slice(0, 2),
      ...ask('a', 'npm test', 'allow-once'),
      ...ask('b', 'rm \u202Efr-\nx', 'deny'),
    ]);
    expect(screen.text).toContain('Agent 1 runs: npm test\n');
    expect(screen.text).toContain('Agent 1 may not run: rm ⟨U+202E⟩fr- ⏎ x\n');
    expect(printer.refusedCommands).toBe(1);
  });
});

describe('the result', () => {
  it('tells who won and why, the votes as a table, the answer, the diff and the cost', () => {
    const screen = new Screen();
    const diff = diffLines(file, { before: bytes('a\nb\n'), after: bytes('a\nc\n') });
    printResult(stateAfter(sampleRunEvents), [diff], screen);
    expect(screen.text).toBe(`
Result
  agent2.1 won with 2 of 2 votes.
  Majority rule, 2 needed. Without self-votes it also leads, 1 to 0. Every vote
  was for it. No checks were run.

Votes
  Voter    Vote                Reason
  -------  ------------------  --------------------
  Agent 1  agent2.1            It handles ⏎ 1h 30m.
  Agent 2  agent2.1 (its own)  Tests pass.

  Candidate          Votes  Without self-votes
  -----------------  -----  ------------------
  agent2.1 (chosen)  2      1
  agent1.1           0      0

Final answer
  # Done

  All units.

Proposed changes: 1 file +2 −1
--- a/src/duration.js
+++ b/src/duration.js
@@ -1,2 +1,2 @@
 a
-b
+c

Calls, tokens and cost
  Agent    Calls  Input  Cached  Output  Cost
  -------  -----  -----  ------  ------  -----
  Agent 1  1      1.0k   0       100     $0.50
  Agent 2  1      1.0k   0       100     $0.25
  Team     2      2.0k   0       200     $0.75
`);
  });

  it('says ? where a price or the tokens are unknown', () => {
    const events = sampleRunEvents.map((event) =>
      event.type === 'model-call-ended' ? { ...event, costUsd: null, usage: {} } : event,
    );
    const screen = new Screen();
    printResult(stateAfter(events), [], screen);
    expect(screen.text).toMatch(/Team {5}2 {6}\? {6}\? {7}\? {7}\?\n/);
  });

  it('says what is not in a cost that is known in part', () => {
    const events = sampleRunEvents.map((event) =>
      event.type === 'model-call-ended' ? { ...event, hasFees: true } : event,
    );
    const screen = new Screen();
    printResult(stateAfter(events), [], screen);
    expect(screen.text.replace(/\s+/g, ' ')).toMatch(
      /Team 2 2\.0k 0 200 at least \$0\.75 At least: the price .* such as for web searches\. $/,
    );
  });

  it('has color only where it is wanted', () => {
    const [plain, colored] = [new Screen(false), new Screen(true)];
    const diff = diffLines(file, { before: bytes('b\n'), after: bytes('c\n') });
    printResult(stateAfter(sampleRunEvents), [diff], plain);
    printResult(stateAfter(sampleRunEvents), [diff], colored);
    expect(plain.text).not.toContain('\u001B');
    expect(colored.text).toContain('\u001B[32m+c\u001B[0m');
    expect(colored.text.replaceAll(/\u001B\[\d+m/g, '')).toBe(plain.text);
  });

  it('shows escape sequences of a model instead of obeying them', () => {
    const events = sampleRunEvents.map((event) =>
      event.type === 'final-answer' ? { ...event, text: 'x\u001B]0;title\u0007y' } : event,
    );
    const screen = new Screen();
    printResult(stateAfter(events), [], screen);
    expect(screen.text).toContain('x⟨U+001B⟩]0;title⟨U+0007⟩y');
  });
});

describe('a diff', () => {
  const texts = (
    before: Uint8Array | undefined,
    after: Uint8Array | undefined,
    change: Partial<typeof file> = {},
  ): readonly string[] =>
    diffLines({ ...file, ...change }, { before, after }).map(({ text }) => text);

  it('of a new and of a deleted file has only one side', () => {
    expect(texts(undefined, bytes('a\n'), { kind: 'add' })).toEqual([
      '--- /dev/null',
      '+++ b/src/duration.js',
      '@@ -0,0 +1 @@',
      '+a',
    ]);
    expect(texts(bytes('a\n'), undefined, { kind: 'delete' })).toEqual([
      '--- a/src/duration.js',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-a',
    ]);
  });

  it('tells when the last line end is missing', () => {
    expect(texts(bytes('a'), bytes('b\n'))).toContain('\\ No newline at end of file');
  });

  it('describes what is not text', () => {
    expect(texts(bytes('a'), new Uint8Array([0xff, 0xfe, 0])).at(-1)).toBe(
      '(not text: 1 bytes before, 3 bytes after)',
    );
    expect(texts(bytes('a'), bytes('a'), { kind: 'mode' }).at(-1)).toBe(
      '(only the permissions change)',
    );
    expect(texts(undefined, bytes(''), { kind: 'add' }).at(-1)).toBe('(a new, empty file)');
  });

  it('shows carriage returns only where they change', () => {
    expect(texts(bytes('a\r\nb\r\n'), bytes('a\r\nc\r\n'))).toContain('+c');
    expect(texts(bytes('a\n'), bytes('a\r\n'))).toContain('+a⟨U+000D⟩');
  });

  it('shows hidden characters of a proposal', () => {
    expect(texts(bytes('a\n'), bytes('if (\u202Ex)\n'))).toContain('+if (⟨U+202E⟩x)');
  });
});

describe('a table', () => {
  it('wraps its last column under itself', () => {
    expect(tableLines(['A', 'Text'], [['x', 'one two three four five six']], 23)).toEqual([
      'A  Text',
      '-  --------------------',
      'x  one two three four',
      '   five six',
    ]);
  });

  it('is a block for each row where its last column has no room', () => {
    const rows = [
      ['openai, gpt', 'OpenAI', 'web search and a sandbox of its own'],
      ['ollama', '', 'none'],
    ];
    expect(tableLines(['Type', 'Title', 'Tools'], rows, 36)).toEqual([
      'openai, gpt',
      '  Title  OpenAI',
      '  Tools  web search and a sandbox of',
      '         its own',
      'ollama',
      '  Tools  none',
    ]);
    expect(tableLines(['Type', 'Title', 'Tools'], rows, 45)[2]).toBe(
      'openai, gpt  OpenAI  web search and a sandbox',
    );
  });

  it('breaks no path that somebody may want to copy', () => {
    const path = '/home/ann/.local/share/massgen/log_1/turn_1';
    const lines = (width: number): readonly string[] =>
      tableLines(['Task', 'Folder'], [['Fix it', path]], width, { keepsWords: true });
    expect(lines(60)[2]).toBe(`Fix it  ${path}`);
    expect(lines(40)).toEqual(['Fix it', `  Folder  ${path}`]);
  });

  it('is as wide as the terminal, and wider only where nobody sees lines break', () => {
    const terminal: Terminal = new Screen();
    expect(tableWidth(terminal, 160)).toBe(160);
    expect(tableWidth({ ...terminal, width: 80, screen: process.stdout }, 160)).toBe(80);
  });

  it('breaks words only when they are longer than a line', () => {
    expect(wrap('aaa bb cccccccc d', 5)).toEqual(['aaa', 'bb', 'ccccc', 'ccc d']);
    expect(wrap('', 5)).toEqual(['']);
  });
});

describe('color', () => {
  it.each([
    [{ isTTY: true }, {}, false, true],
    [{ isTTY: false }, {}, false, false],
    [{}, {}, false, false],
    [{ isTTY: true }, { NO_COLOR: '1' }, false, false],
    [{ isTTY: true }, { NO_COLOR: '' }, false, true],
    [{ isTTY: true }, { TERM: 'dumb' }, false, false],
    [{ isTTY: true }, {}, true, false],
  ])('for %j, environment %j and --no-color %j is %j', (stream, environment, flag, wanted) => {
    expect(wantsColor(stream, environment, flag)).toBe(wanted);
  });
});

describe('exit codes', () => {
  const ended = (outcome: RunOutcome, hasAnswer: boolean) =>
    stateAfter(
      sampleRunEvents
        .filter(({ type }) => hasAnswer || type !== 'final-answer')
        .map((event): RunEvent => (event.type === 'run-ended' ? { ...event, outcome } : event)),
    );

  it.each([
    ['completed', true, 0],
    ['completed', false, 2],
    ['budget', true, 0],
    ['budget', false, 2],
    ['timeout', true, 3],
    ['timeout', false, 3],
    ['no-consensus', false, 2],
    ['error', false, 2],
    ['cancelled', false, 4],
    ['interrupted', true, 4],
  ] as const)('of a run that ended with %s (answer: %j) is %j', (outcome, hasAnswer, code) => {
    expect(exitCodeOf(ended(outcome, hasAnswer))).toBe(code);
  });

  it.each([
    [new UsageError('no', 'do'), 1, 'do'],
    [new MassGenError('config/invalid', 'no', { hint: 'mend it' }), 1, 'mend it'],
    [new MassGenError('backend/unavailable', 'no'), 1, undefined],
    [new MassGenError('cancelled/user', 'no'), 4, undefined],
    [new MassGenError('storage/failed', 'no'), 2, undefined],
    [new Error('no'), 2, undefined],
  ])('of %s before the run is %j', (error, exitCode, hint) => {
    expect(failureOf(error)).toEqual({ message: 'no', hint, exitCode });
  });

  it('of a missing key says where keys come from', () => {
    const { hint, exitCode } = failureOf(
      new MassGenError('config/missing-secret', 'no', { hint: 'Set the key X.' }),
    );
    expect(hint).toMatch(/^Set the key X\.\n.*environment.*\.env/);
    expect(exitCode).toBe(1);
  });
});

describe('automation lines', () => {
  const answered = { answerFile: '/runs/1/answer.md', outputFile: undefined, hasTimeline: false };

  it('are one fact each, in a fixed order', () => {
    const files = { logDir: '/runs', statusFile: '/runs/1/status.json', inbox: '/runs/1/inbox' };
    expect(automationHead('Two\nlines', files)).toEqual([
      'LOG_DIR: /runs',
      'STATUS: /runs/1/status.json',
      'RUNTIME_INBOX: /runs/1/inbox',
      'QUESTION: Two\\nlines',
      '[Coordination in progress - monitor status.json for real-time updates]',
    ]);
    const turned = automationHead('a\u202Eb\u2066c\u200Fd\u001B[31m\u009Be\u2028f', files);
    expect(turned[3]).toBe('QUESTION: a\\u202eb\\u2066c\\u200fd\\u001b[31m\\u009be\\u2028f');
    const result = { ...answered, elapsedMs: 12_340, outputFile: '/home/a/answer.txt' };
    expect(automationTail(stateAfter(sampleRunEvents), result)).toEqual([
      '',
      'WINNER: claude',
      'ANSWER_FILE: /runs/1/answer.md',
      'DURATION: 12.3s',
      'ANSWER_PREVIEW: # Done\\n\\nAll units.',
      '',
      'COMPLETED: 2 agents, 12.3s total',
      'OUTPUT_FILE: /home/a/answer.txt',
    ]);
  });

  it('tell every answer and vote when they are asked to, between duration and preview', () => {
    const result = { ...answered, elapsedMs: 0, hasTimeline: true };
    expect(automationTail(stateAfter(sampleRunEvents), result).slice(4, -3)).toEqual([
      'TIMELINE',
      '[ANSWER] gpt: agent1.1',
      '[VOTE] gpt -> gpt (agent1.1): Mine works. (void)',
      '[ANSWER] claude: agent2.1',
      '[VOTE] gpt -> claude (agent2.1): It handles\\n1h 30m.',
      '[VOTE] claude -> claude (agent2.1): Tests pass.',
      '[RESULTS] agent2.1 2 (winner)',
    ]);
  });

  it('cut a long answer after 200 characters, never in the middle of one', () => {
    const state = stateAfter(sampleRunEvents);
    const preview = (text: string): string => {
      const finalAnswer = state.finalAnswer === null ? null : { ...state.finalAnswer, text };
      const lines = automationTail({ ...state, finalAnswer }, { ...answered, elapsedMs: 0 });
      return lines.find((line) => line.startsWith('ANSWER_PREVIEW'))?.slice(16) ?? '';
    };
    expect(preview('x'.repeat(200))).toBe('x'.repeat(200));
    expect(preview('x'.repeat(201))).toBe(`${'x'.repeat(200)}...`);
    expect(preview(`${'x'.repeat(199)}😀`)).toBe(`${'x'.repeat(199)}...`);
    expect(preview('\u001B[2Ja\u0085b\tc\\')).toBe('\\u001b[2Ja\\u0085b\\tc\\\\');
  });

  it('say on one line that the team starts anew, and why', () => {
    const restart = { attempt: 2, reason: 'Days are missing.\nAdd them.', instructions: '' };
    const state = stateAfter(restartedRunEvents);
    expect(automationRestart({ type: 'orchestration-restarted', ...restart }, state)).toBe(
      'RESTART: Attempt 2/2: Days are missing.\\nAdd them.',
    );
  });

  it('leave out what there is not', () => {
    const state = stateAfter(sampleRunEvents.slice(0, 3));
    const nothing = { ...answered, answerFile: undefined, elapsedMs: 0, hasTimeline: true };
    expect(automationTail(state, nothing)).toEqual([
      '',
      'DURATION: 0.0s',
      'TIMELINE',
      '',
      'COMPLETED: 2 agents, 0.0s total',
    ]);
    const none = { logDir: undefined, statusFile: undefined, inbox: undefined };
    expect(automationHead('A', none)).toEqual(['QUESTION: A', '[Coordination in progress]']);
  });
});

describe('the end of what is printed', () => {
  const end = (caution: 'sensitive' | 'ignored', applied: readonly ReviewResult[]): string => {
    const screen = new Screen();
    const events = sampleRunEvents.map((event) =>
      event.type === 'change-set-ready'
        ? { ...event, files: [sampleChange, { ...sampleChange, path: 'run.sh', caution }] }
        : event,
    );
    const plan = { isDemonstration: false, project: '/p', request: { folders: [] } };
    const state = stateAfter(events);
    printClosing(
      { plan, state, applied, refusedCommands: 0, isClone: false },
      { terminal: screen },
    );
    return screen.text;
  };

  it.each(['sensitive', 'ignored'] as const)('tells what is left to the user: %s', (caution) => {
    const done = { root: 'sample', path: 'src/duration.js', outcome: 'done', detail: '' } as const;
    expect(end(caution, [done])).toMatch(
      /Applied src\/duration\.js\n *Not applied: run\.sh: It needs your own word\.\n/,
    );
    expect(end(caution, [done])).toContain('massgen patch');
    expect(end(caution, [])).toContain('Not applied: run.sh');
    expect(end(caution, [])).not.toContain('nothing to apply');
  });
});
