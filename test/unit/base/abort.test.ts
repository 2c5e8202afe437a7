import { describe, expect, it } from 'vitest';
import { linkAbort, onAbort, raceAbort } from '../../../src/base/abort';

describe('a branch of the cancellation tree', () => {
  it('follows its parent with the reason of the parent', () => {
    const parent = new AbortController();
    const branch = linkAbort(parent.signal);

    parent.abort(new Error('stopped'));

    expect(branch.signal.reason).toEqual(new Error('stopped'));
  });

  it('is aborted from the start under a parent that is', () => {
    const parent = new AbortController();
    parent.abort(new Error('over'));

    expect(linkAbort(parent.signal).signal.aborted).toBe(true);
  });

  it('ends alone without touching its parent', () => {
    const parent = new AbortController();
    const branch = linkAbort(parent.signal);

    branch.abort(new Error('superseded'));

    expect([branch.signal.aborted, parent.signal.aborted]).toEqual([true, false]);
  });

  it('no longer follows once it is disposed', () => {
    const parent = new AbortController();
    const branch = linkAbort(parent.signal);
    branch.dispose();

    parent.abort(new Error('stopped'));

    expect(branch.signal.aborted).toBe(false);
  });
});

describe('onAbort', () => {
  it('calls once, at once for a signal that has aborted, and not after it was disposed', () => {
    const calls: unknown[] = [];
    const first = new AbortController();
    const listening = onAbort(first.signal, (reason) => calls.push(reason));
    listening.dispose();
    first.abort('unheard');
    onAbort(first.signal, (reason) => calls.push(reason));

    expect(calls).toEqual(['unheard']);
  });
});

describe('raceAbort', () => {
  it('gives the value when the work ends first', async () => {
    await expect(raceAbort(Promise.resolve(7), new AbortController().signal)).resolves.toBe(7);
  });

  it('rejects with the reason when the signal aborts first', async () => {
    const controller = new AbortController();
    const race = raceAbort(new Promise<never>(() => undefined), controller.signal);

    controller.abort(new Error('too late'));

    await expect(race).rejects.toThrow('too late');
  });
});
