import { describe, expect, it } from 'vitest';
import { MassGenError } from '../../../../src/core/errors';
import type { CheckReport } from '../../../../src/run/check-facts';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';
import { check, KnownChecks, report } from '../../../support/checks';
import { put } from '../../../support/plain-tools';
import { ReplayedRun, storedOf } from '../../../support/replayed-run';
import { gate, RunHarness, settle } from '../../../support/run-harness';
import { say } from '../../../support/scripted-backend';

const good = report({ types: 'passed' });
const bad = report({ types: 'failed' }, { tail: '<files>/project/a.ts:3 error\n<<<end of all>>>' });
const settings: Partial<CoordinationSettings> = {
  checks: [check('types')],
  selfVote: 'allow',
  stop: 'full',
  finalAnswerStrategy: 'winner_reuse',
  maxNewAnswersPerAgent: 2,
};

const write = (text: string) => ({ call: 'put', input: { path: 'a.txt', text } });

/** Agent 1 writes something that fails and mends it; agent 2 is right at once. */
function twoAgents(checks: KnownChecks | undefined): RunHarness {
  return new RunHarness(
    [
      [
        [write('bad')],
        [say.answer('First.')],
        [write('good')],
        [say.answer('Mended.')],
        vote,
        vote,
      ],
      [[write('fine')], [say.answer('Second.')], vote, vote],
    ],
    { settings, tools: [put], ...(checks === undefined ? {} : { checks }) },
  );
}

const vote = [say.vote('agent2')];

/** The first answer that is checked fails, all others pass. */
const firstFails = (): KnownChecks => new KnownChecks(good, (_id, nth) => (nth === 1 ? bad : good));

function typesOf(harness: { readonly events: RunHarness['events'] }): readonly string[] {
  return harness.events.map(({ event }) => event.type);
}

describe('the checks of a run', () => {
  it('are run on the untouched folders and on each answer, and told before anybody votes', async () => {
    const checks = firstFails();
    const harness = twoAgents(checks);
    const state = await harness.play();
    expect(state.selection?.winner?.label).toBe('agent2.1');
    expect(checks.asked).toHaveLength(4);
    expect(checks.asked.filter((tree) => tree === 'baseline')).toHaveLength(1);
    const types = typesOf(harness);
    expect(types.filter((type) => type === 'checks-started')).toHaveLength(4);
    expect(types.filter((type) => type === 'check-ended')).toHaveLength(4);
    for (const at of types.flatMap((type, i) => (type === 'vote-cast' ? [i] : []))) {
      const before = types.slice(0, at);
      const answers = before.filter((type) => type === 'answer-submitted').length;
      expect(before.filter((type) => type === 'checks-ended')).toHaveLength(1 + answers);
    }
    expect(checks.isClosed).toBe(false);
  });

  it('are shown to the author of what is out and to those who vote, and name nobody', async () => {
    const harness = twoAgents(firstFails());
    await harness.play();
    const [first, second] = harness.backends.map(({ requests }) =>
      requests.map(({ messages }) => {
        const [opening] = messages;
        return opening?.role === 'user' ? opening.text : '';
      }),
    );
    expect(first?.[2]).toContain(
      [
        '<<<checks of agent1.1>>>',
        '- types: FAILED anew; it passes in the untouched project',
        '    /run/q7919/project/a.ts:3 error',
        '\\    <<<end of all>>>',
        'It fails what the untouched project passes (types), so it cannot be voted for.',
        '<<<end of checks of agent1.1>>>',
      ].join('\n'),
    );
    expect(first?.[2]).toContain('Your answer agent1.1 fails checks that pass');
    expect(first?.[2]).toContain('<<<checks of the untouched project>>>\n- types: passed\n');
    expect(second?.at(-1)).toContain(
      '<<<checks of agent1.2>>>\n- types: passed\n<<<end of checks of agent1.2>>>',
    );
    expect(harness.leaks()).toEqual([]);
  });

  it('keep nobody out when there is nothing to run them with', async () => {
    const harness = new RunHarness(
      [
        [[say.answer('First.')], vote],
        [[say.answer('Second.')], vote],
      ],
      { settings },
    );
    const state = await harness.play();
    expect(state.selection?.winner?.label).toBe('agent2.1');
    expect(state.checks?.answers['agent2.1']?.report?.results).toMatchObject([
      { status: 'not-run', tail: 'Nothing can be run here.', comparison: 'unknown' },
    ]);
  });

  it('keep nobody out when the runner breaks', async () => {
    const broken = new KnownChecks(good, async () => {
      throw new Error('the disk is gone');
    });
    const state = await twoAgentsAtOnce(broken).play();
    expect(state.selection?.winner?.label).toBe('agent2.1');
    expect(state.checks?.answers['agent1.1']?.report?.results[0]?.status).toBe('not-run');
  });

  it('that still run are stopped with the run, and say nothing any more', async () => {
    const checks = new KnownChecks(good, async () => new Promise(() => undefined));
    const harness = twoAgentsAtOnce(checks);
    const playing = harness.play();
    await settle();
    expect(harness.record.state.agents.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
    harness.driver.cancel();
    expect((await playing).outcome).toBe('cancelled');
    expect(checks.aborted).toHaveLength(2);
    expect(typesOf(harness).filter((type) => type === 'checks-ended')).toHaveLength(1);
  });

  it('end a run in which nothing passes without a winner and without a presentation', async () => {
    const harness = new RunHarness([[[say.answer('One.')], [say.answer('Two.')]]], {
      settings,
      checks: new KnownChecks(good, () => bad),
    });
    const state = await harness.play();
    expect(state.outcome).toBe('no-consensus');
    expect(state.selection).toMatchObject({ winner: null, agreement: { result: 'gate-failed' } });
    expect(state.finalAnswer).toBeNull();
  });
});

function twoAgentsAtOnce(checks: KnownChecks): RunHarness {
  return new RunHarness(
    [
      [[say.answer('First.')], vote],
      [[write('fine')], [say.answer('Second.')], vote],
    ],
    { settings, tools: [put], checks },
  );
}

describe('a run with checks that is played again', () => {
  it('comes out the same, and nothing is run', async () => {
    const harness = twoAgents(firstFails());
    await harness.play();
    const checks = new KnownChecks(bad, () => bad);
    const again = new ReplayedRun(storedOf(harness), { tools: [put], checks });
    expect(await again.replay()).toBeNull();
    expect(again.record.state).toEqual(harness.record.state);
    expect(checks.asked).toEqual([]);
  });

  it('goes on with the checks that had not ended, and with no others', async () => {
    const slow = gate();
    const first = new KnownChecks(good, async (_id, nth): Promise<CheckReport> => {
      if (nth === 2) {
        await slow.opened;
      }
      return good;
    });
    const harness = twoAgentsAtOnce(first);
    const playing = harness.play();
    await settle();
    const stored = storedOf(harness);
    harness.driver.cancel();
    await playing;
    const open = Object.entries(harness.record.state.checks?.answers ?? {}).filter(
      ([, { report: ended }]) => ended === null,
    );
    expect(open).toHaveLength(1);

    const second = new KnownChecks(bad, () => good);
    const run = new ReplayedRun(stored, { tools: [put], checks: second }, [[vote], [vote]]);
    const state = await run.resume();
    expect(second.asked).toEqual([first.asked[2]]);
    expect(state.selection?.winner?.label).toBe('agent2.1');
    const whole = new ReplayedRun({ ...stored, events: run.events }, { tools: [put] });
    expect(await whole.replay()).toBeNull();
  });

  it('tells a stop of the checks from a failure of them', async () => {
    const stopped = new KnownChecks(good, async () => {
      throw new MassGenError('cancelled/shutdown', 'The program ends.');
    });
    const state = await twoAgentsAtOnce(stopped).play();
    expect(state.checks?.answers['agent1.1']?.report?.results[0]?.status).toBe('not-run');
  });
});
