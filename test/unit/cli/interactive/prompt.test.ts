import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Prompt } from '../../../../src/cli/interactive/prompt';

const pastedOn = '\u001B[200~';
const pastedOff = '\u001B[201~';

/** A prompt before a terminal that is two streams. */
function bench() {
  const keys = new PassThrough();
  const screen = Object.assign(new PassThrough().resume(), { columns: 80, rows: 24, isTTY: true });
  const prompt = new Prompt({
    keyboard: {
      stream: Object.assign(keys, { setRawMode: () => keys }) as unknown as NodeJS.ReadStream,
      isInteractive: true,
    },
    screen: screen as unknown as NodeJS.WriteStream,
    complete: (line) => [[], line],
  });
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  return { keys, prompt, signal: stopping.signal };
}

describe('a question with a short answer', () => {
  it('is not answered by a line that is pasted before Enter is pressed', async () => {
    const { keys, prompt, signal } = bench();
    const answer = prompt.choose('Write 1 file? [y/N] ', signal);
    keys.write(`${pastedOn}y\ryes\r${pastedOff}`);
    // What was pasted stands in the line, where it can be seen and taken out.
    keys.write('\u0015no\r');
    expect(await answer).toBe('no');
  });

  it('takes what was pasted once Enter is pressed', async () => {
    const { keys, prompt, signal } = bench();
    const answer = prompt.choose('Folder or file: ', signal);
    keys.write(`${pastedOn}~/some folder\r${pastedOff}`);
    keys.write('\r');
    expect(await answer).toBe('~/some folder');
  });
});

describe('a question for the team', () => {
  // Two megabytes come as single keys: seconds on a busy machine.
  it('takes a megabyte that is pasted, in one line or in many', { timeout: 30_000 }, async () => {
    const { keys, prompt, signal } = bench();
    for (const pasted of [
      'x'.repeat(1_000_000),
      'some more words than these, and again\n'.repeat(25_000).trim(),
    ]) {
      const typed = prompt.ask('> ', signal);
      keys.write(`${pastedOn}${pasted.replaceAll('\n', '\r')}${pastedOff}\r`);
      expect(await typed).toEqual({ kind: 'text', text: pasted });
    }
  });

  it('takes signs that are none as they come, and goes on', async () => {
    const { keys, prompt, signal } = bench();
    const typed = prompt.ask('> ', signal);
    keys.write(Buffer.from([0x61, 0x00, 0xff, 0xed, 0xa0, 0x80, 0x62, 0x0d]));
    expect(await typed).toMatchObject({ kind: 'text' });
    const next = prompt.ask('> ', signal);
    keys.write('and on\r');
    expect(await next).toEqual({ kind: 'text', text: 'and on' });
  });
});
