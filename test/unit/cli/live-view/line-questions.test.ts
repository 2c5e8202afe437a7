import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { RunHandle } from '../../../../src/app/app-contract';
import { LineQuestions } from '../../../../src/cli/live-view/line-questions';
import type { RunEvent } from '../../../../src/run/events';
import type { RunState } from '../../../../src/run/state';
import { FakeClock } from '../../../support/fake-clock';
import { sampleRunEvents, stateAfter } from '../../../support/sample-run';

const asks = (approvalId: string, command: string): RunEvent => ({
  type: 'approval-requested',
  ...{ slot: 1, turnNo: 1, approvalId, command, cwd: '/w', isConfined: false },
  hash: `hash of ${command}`,
});

/** A person with keys before a run that asks for `npm test`; what was decided, in order. */
function bench() {
  const clock = new FakeClock();
  const keys = Object.assign(new PassThrough(), { setRawMode: () => keys });
  const decided: string[] = [];
  const printed: string[] = [];
  const interrupts: number[] = [];
  let state: RunState = stateAfter([...sampleRunEvents.slice(0, 3), asks('a', 'npm test')]);
  const handle = {
    state: () => state,
    resolveApproval: (id: string, _hash: string, decision: string) => {
      decided.push(`${id} ${decision}`);
    },
  } as unknown as RunHandle;
  const questions = new LineQuestions(handle, {
    clock,
    keyboard: { stream: keys as unknown as NodeJS.ReadStream, isInteractive: true },
    terminal: { write: (text) => void printed.push(text), hasColor: false, width: 80 },
    onInterrupt: () => void interrupts.push(clock.now()),
  });
  const press = async (text: string): Promise<void> => {
    keys.write(text);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const show = (events: readonly RunEvent[]): void => {
    state = stateAfter([...sampleRunEvents.slice(0, 3), ...events]);
    questions.update(state);
  };
  questions.update(state);
  return { clock, decided, interrupts, press, printed, questions, show };
}

describe('a question in a run that is printed in lines', () => {
  it('is answered by no key that was on its way before it could be read', async () => {
    const { clock, decided, press, questions } = bench();
    await press('yan');
    clock.advance(699);
    await press('y\r');
    expect(decided).toEqual([]);
    clock.advance(1);
    await press('y');
    expect(decided).toEqual(['a allow-once']);
    questions.dispose();
  });

  it('waits anew when another one comes in its place', async () => {
    const { clock, decided, press, printed, questions, show } = bench();
    clock.advance(5000);
    show([asks('b', 'rm -rf .')]);
    expect(printed.join('')).toContain('rm -rf .');
    await press('y');
    expect(decided).toEqual([]);
    clock.advance(700);
    await press('n');
    expect(decided).toEqual(['b deny']);
    questions.dispose();
  });

  it('is answered by nothing that is pasted', async () => {
    const { clock, decided, press, questions } = bench();
    clock.advance(5000);
    await press('\u001B[200~y\r\u001B[201~');
    expect(decided).toEqual([]);
    questions.dispose();
  });

  it('lets Ctrl+C through at once', async () => {
    const { interrupts, press, questions } = bench();
    await press('\u0003');
    expect(interrupts).toHaveLength(1);
    questions.dispose();
  });
});
