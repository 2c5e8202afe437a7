// What is said of agents at work and of what the user asks of them.
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/run/events';
import { selectAttempts } from '../../../../src/run/selectors/attempts';
import { selectCards } from '../../../../src/run/selectors/cards';
import { selectMessages } from '../../../../src/run/selectors/messages';
import { selectProblems } from '../../../../src/run/selectors/problems';
import { selectTimeline } from '../../../../src/run/selectors/timeline';
import { startedAt } from '../../../webview/fixtures/log';
import type { Log } from '../../../webview/fixtures/log';
import * as more from '../../../webview/fixtures/more-runs';
import * as runs from '../../../webview/fixtures/runs';

const en = 'en';

function card(log: Log, slot: number, seconds: number) {
  return selectCards(log.state(), startedAt + seconds * 1000, en)[slot - 1];
}

/** The row of the message to one agent. */
function messageRow(log: Log): string | undefined {
  const rows = selectTimeline(log.state(), en).map(({ sentence }) => sentence);
  return rows.find((row) => row.includes('to Agent 3'));
}

/** The newest row of the timeline as one sentence. */
function lastRow(log: Log): string | undefined {
  return selectTimeline(log.state(), en).at(-1)?.sentence;
}

describe('a message of the user', () => {
  test('is read by some and waits for the others that are at work', () => {
    const [toAll, toOne] = selectMessages(more.steered().state());
    expect(toAll).toMatchObject({ delivered: [2], pending: [1, 3] });
    expect(toOne).toMatchObject({ delivered: [], pending: [3] });
  });

  test('waits for nobody once the run is over', () => {
    const over = more.steered().at(70, { type: 'run-ended', outcome: 'cancelled' });
    expect(selectMessages(over.state()).map(({ pending }) => pending)).toEqual([[], []]);
  });

  test('does not wait for agents that have voted, unless it is for them', () => {
    const received = (targets: readonly number[] | null): RunEvent => ({
      type: 'steering-received',
      id: 'message1',
      text: 'Look at the tests.',
      targets,
    });
    const pending = (targets: readonly number[] | null) =>
      selectMessages(runs.voting().at(130, received(targets)).state())[0]?.pending;
    expect(pending(null)).toEqual([2]);
    expect(pending([1])).toEqual([1]);
  });

  test('stands in the timeline with how far it got', () => {
    const rows = selectTimeline(more.steered().state(), en).map(({ sentence }) => sentence);
    expect(rows).toContain(
      '0:50, Your message, to all; read by Agent 2; not yet by Agent 1 and Agent 3: Keep the error text as it is.',
    );
    expect(rows).toContain(
      '0:55, Your message, to Agent 3; not read yet: Leave the CHANGELOG alone.',
    );
  });

  test('says of one agent only whether it was read, and after the end that it was not', () => {
    const read = more.steered().at(67, {
      type: 'steering-delivered',
      slot: 3,
      turnNo: 1,
      ids: ['message2'],
    });
    expect(messageRow(read)).toContain('to Agent 3; read: Leave');
    const over = more.steered().at(70, { type: 'run-ended', outcome: 'cancelled' });
    expect(messageRow(over)).toContain('to Agent 3; not read: Leave');
  });
});

describe('an agent whose time is over', () => {
  test('counts down until it loses its tools, and can be asked to answer in sight', () => {
    expect(card(more.steered(), 2, 66)).toMatchObject({
      status: 'Finishing 112 s',
      asks: ['answer-now', 'finish', 'message'],
    });
  });

  test('is not asked twice', () => {
    expect(card(more.finishing(), 2, 66)?.asks).toEqual(['message']);
  });

  test('must answer once it has lost them', () => {
    expect(card(more.finishing(), 3, 66)).toMatchObject({
      status: 'Must answer',
      asks: ['message'],
    });
  });
});

describe('what can be asked of an agent', () => {
  test('an answer while it works, nothing after the end, another try when it failed', () => {
    expect(card(runs.drafting(), 1, 40)?.asks).toEqual(['answer-now', 'message']);
    expect(card(runs.won(), 1, 200)?.asks).toEqual([]);
    expect(card(runs.agentFailed(), 3, 50)?.asks).toEqual(['revive']);
  });

  test('another try stands in the problem as well, and names the agent', () => {
    const [problem] = selectProblems(runs.agentFailed().state(), en);
    expect(problem?.actions).toContainEqual({
      does: 'revive-agent',
      text: 'Retry Agent 3',
      slot: 3,
    });
  });
});

test('an agent that is too far ahead is held back, and says what it waits for', () => {
  expect(card(more.steered(), 1, 66)).toMatchObject({
    status: 'Held back',
    now: { text: 'waits for slower agents', opens: 'agent1.1' },
  });
});

test('an attempt that is over is one line with the reason for the next', () => {
  expect(selectAttempts(more.secondAttempt().state())).toEqual([
    {
      attempt: 1,
      title: 'Attempt 1, 2:41',
      label: 'agent2.2',
      reason: 'The public API changed: parseDuration throws where it returned 0.',
      instructions: 'Keep the return value for an empty text.',
      answer: 'It sums every part.',
    },
  ]);
});

describe('rows of the timeline', () => {
  const rows: readonly (readonly [event: RunEvent, sentence: string])[] = [
    [
      { type: 'dual-pass-started', candidates: [1, 2] },
      '1:00, Compared again, in the opposite order, between the answers of Agent 1 and Agent 2',
    ],
    [
      { type: 'judge-decided', label: 'agent1.1', reason: 'Shorter.' },
      '1:00, Judge chose agent1.1: Shorter.',
    ],
    [
      { type: 'judge-decided', label: null, reason: '' },
      '1:00, No word from the judge, the order for ties decides',
    ],
    [
      { type: 'turn-limit-reached', slot: 2, turnNo: 1, limit: 'soft', by: 'clock' },
      '1:00, Agent 2: Time is up, asked to finish',
    ],
    [
      { type: 'turn-limit-reached', slot: 2, turnNo: 1, limit: 'hard', by: 'clock' },
      '1:00, Agent 2: Tools closed, it can only answer or vote now',
    ],
    [
      { type: 'planning-decided', isOn: true, blockedTools: ['send_mail'], by: 'setting' },
      '1:00, Planning, closed until an answer is chosen: send_mail',
    ],
    [
      {
        type: 'evaluation-ended',
        slot: 2,
        decision: 'submit',
        reason: '',
        instructions: '',
        by: 'evaluator',
      },
      '1:00, Agent 2: Result looked at, it stands',
    ],
    [{ type: 'answer-now-requested', slot: 3 }, '1:00, Agent 3: Answer now, asked by you'],
    [
      { type: 'user-override', label: 'agent1.1', when: 'before', previous: null },
      '1:00, You chose agent1.1, before the team did',
    ],
    [{ type: 'run-resumed' }, '1:00, Run continued, after an interruption'],
    [
      {
        type: 'effect-recorded',
        slot: 1,
        turnNo: 1,
        effect: {
          hash: 'h',
          tool: 'send_mail',
          argumentsJson: '{}',
          attempt: 1,
          result: { sha256: 'a', bytes: 1 },
          isError: false,
          isRepeat: false,
        },
      },
      '1:00, Agent 1: Outside effect, by the tool send_mail',
    ],
    [
      { type: 'votes-voided', cause: 'dual_pass', voters: [1, 2] },
      '1:00, Votes voided, the closest are compared again; Agent 1 and Agent 2 vote again',
    ],
  ];
  test.each(rows.map(([event, sentence]) => ({ event, sentence })))(
    '$sentence',
    ({ event, sentence }) => {
      expect(lastRow(runs.drafting().at(60, event))).toBe(sentence);
    },
  );

  test('a new attempt says why the one before was given up', () => {
    const rowsOfRun = selectTimeline(more.secondAttempt().state(), en);
    expect(rowsOfRun.map(({ sentence }) => sentence)).toContain(
      '2:41, Attempt 2, the team starts anew: The public API changed: parseDuration throws where it returned 0.',
    );
  });
});
