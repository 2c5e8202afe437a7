import { beforeEach, describe, expect, it } from 'vitest';
import type { App, StartRunRequest } from '../../../src/app/app-contract';
import type { RunConfig } from '../../../src/config/run-config';
import { appBench } from '../../support/app-bench';
import { askEveryTime, gate } from '../../support/run-harness';
import { say } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;

const bench = appBench({ 'greeting.txt': 'hello\n' });
let project: string;

beforeEach(() => {
  ({ project } = bench);
});

function appWith(kind: ScriptedKind): App {
  return bench.open(kind);
}

function request(config: RunConfig, more: Partial<StartRunRequest> = {}): StartRunRequest {
  return {
    task: 'Make the greeting polite.',
    config,
    folders: [{ name: 'project', path: project, permission: 'write' }],
    unsaved: new Map(),
    commandPolicy: askEveryTime,
    ...more,
  };
}

const edit = (to: string) => ({
  call: 'edit_file',
  input: { path: 'greeting.txt', old_text: 'hello', new_text: to },
});

const reuse = (config: RunConfig, settings: Partial<RunConfig['settings']> = {}): RunConfig => ({
  ...config,
  settings: { ...config.settings, finalAnswerStrategy: 'winner_reuse', stop: 'full', ...settings },
});

const twoWays = () =>
  new ScriptedKind({
    a: [[edit('good morning')], [say.answer('Good morning.')], [say.vote('agent1')]],
    b: [[edit('good evening')], [say.answer('Good evening.')], [say.vote('agent1')]],
  });

describe('a finished run', () => {
  it('lets the user take another answer, whose files are then reviewed, and go back', async () => {
    const app = appWith(twoWays());
    const run = await app.startRun(request(reuse(teamOf(['a', 'b']))), signal);
    const ended = await run.ended;
    expect(ended.selection?.winner?.label).toBe('agent1.1');
    expect(run.override('agent2.1')).toBe(true);
    const changed = run.state();
    expect(changed).toMatchObject({
      outcome: 'completed',
      selection: { winner: { label: 'agent2.1' }, agreement: { decidedBy: 'human' } },
      override: { when: 'after', previous: 'agent1.1' },
      finalAnswer: { text: 'Good evening.' },
      review: { label: 'agent2.1' },
    });
    const { snapshotId = '' } = changed.review ?? {};
    const proposed = await run.readSnapshotFile(snapshotId, 'project', 'greeting.txt');
    expect(new TextDecoder().decode(proposed)).toBe('good evening\n');
    expect(run.override('agent1.1')).toBe(true);
    expect(run.state().selection?.agreement.decidedBy).toBe(ended.selection?.agreement.decidedBy);
  });

  it('keeps that choice for whoever opens the run later', async () => {
    const first = appWith(twoWays());
    const run = await first.startRun(request(reuse(teamOf(['a', 'b']))), signal);
    await run.ended;
    run.override('agent2.1');
    await first.close();
    const again = await appWith(twoWays()).openRun(run.runId);
    expect(again.state().selection?.winner?.label).toBe('agent2.1');
    expect(again.override('agent1.1')).toBe(true);
    expect(again.state().review?.label).toBe('agent1.1');
  });

  it('knows no other answers than its own, and takes the chosen one only once', async () => {
    const app = appWith(twoWays());
    const run = await app.startRun(request(reuse(teamOf(['a', 'b']))), signal);
    await run.ended;
    expect(run.override('agent7.1')).toBe(false);
    expect(run.override('agent1.1')).toBe(false);
  });
});

describe('a running agent', () => {
  it('gets each of two messages that were written one right after the other', async () => {
    const { opened, open } = gate();
    const kind = new ScriptedKind({
      a: [[{ until: opened }, edit('good morning')], [say.answer('Good morning.')]],
    });
    const run = await appWith(kind).startRun(request(teamOf(['a'])), signal);
    expect(run.steer('Be brief.', null)).toBe(true);
    expect(run.steer('Be polite.', [1])).toBe(true);
    expect(run.steer(' ', null)).toBe(false);
    open();
    const state = await run.ended;
    expect(state.steering.map(({ id, deliveredTo }) => [id, deliveredTo])).toEqual([
      ['message1', [1]],
      ['message2', [1]],
    ]);
    const told = JSON.stringify(kind.made[0]?.requests[1]?.messages);
    expect(told).toContain('Be brief.');
    expect(told).toContain('Be polite.');
    expect(run.steer('Too late.', null)).toBe(false);
    expect(run.answerNow(1)).toBe(false);
    expect(run.revive(1)).toBe(false);
  });
});

describe('a team that cannot agree', () => {
  const split = () =>
    new ScriptedKind({
      a: [[say.answer('North.')], [say.vote('agent2')]],
      b: [[say.answer('South.')], [say.vote('agent3')]],
      c: [[say.answer('West.')], [say.vote('agent1')]],
      wise: [['2\nIt is warm.']],
    });

  const judge = { type: 'scripted', model: 'wise', apiKeyName: undefined, options: {} };

  it('is helped by the judge that is configured, which is closed with the run', async () => {
    const kind = split();
    const config = { ...reuse(teamOf(['a', 'b', 'c']), { onSplit: 'judge' }), judge };
    const state = await (await appWith(kind).startRun(request(config), signal)).ended;
    expect(state.selection?.agreement.decidedBy).toBe('judge');
    expect(state.judgeVerdict?.reason).toBe('It is warm.');
    expect(state.systemCalls.usage.calls).toBe(1);
    expect(kind.made.map(({ isClosed }) => isClosed)).toEqual([true, true, true, true]);
  });

  it('asks a person only where somebody watches', async () => {
    const config = reuse(teamOf(['a', 'b', 'c']), { onSplit: 'human' });
    const alone = await (await appWith(split()).startRun(request(config), signal)).ended;
    expect(alone.selection?.agreement.decidedBy).toBe('tie_break');
    const watched = await appWith(split()).startRun(
      request(config, { canAskPerson: true }),
      signal,
    );
    await new Promise<void>((resolve) => {
      const told = watched.onEvents((_events, { poll }) => {
        if (poll.kind === 'judge') {
          told.dispose();
          resolve();
        }
      });
    });
    expect(watched.override('agent3.1')).toBe(true);
    const state = await watched.ended;
    expect(state.selection).toMatchObject({
      winner: { label: 'agent3.1' },
      agreement: { decidedBy: 'human' },
    });
  });
});
