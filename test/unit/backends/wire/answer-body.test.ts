import { describe, expect, it } from 'vitest';
import { answerStream, errorBody, usualLimits } from '../../../../src/backends/wire/answer-body';
import { WireError } from '../../../../src/backends/wire/wire-fault';

const small = { totalBytes: 60, lineBytes: 30, errorBytes: 10 };

async function through(
  pieces: readonly string[],
  filter: TransformStream<Uint8Array, Uint8Array>,
): Promise<string> {
  const source = new ReadableStream<Uint8Array>({
    start(controller): void {
      pieces.forEach((piece) => controller.enqueue(new TextEncoder().encode(piece)));
      controller.close();
    },
  });
  return new Response(source.pipeThrough(filter)).text();
}

describe('the body of an answer', () => {
  it('passes a stream on as it is and tells of every piece', async () => {
    let pieces = 0;
    const count = (): void => {
      pieces += 1;
    };
    const sent = [': hi\n', '\ndata: {"a"', ':1}\n\n'];
    expect(await through(sent, answerStream(usualLimits, count))).toBe(sent.join(''));
    expect(pieces).toBe(3);
  });

  it('makes one event of an object that came instead of a stream', async () => {
    const sent = ['\n {\n  "text":', ' "a\\nb"\r\n', '}\n'];
    expect(
      await through(
        sent,
        answerStream(usualLimits, () => undefined),
      ),
    ).toBe('data:   {   "text": "a\\nb" } \n\ndata: [DONE]\n\n');
  });

  it.each([
    ['a web page', ['  <!doctype html>'], 'a web page'],
    ['a line without an end', ['data: ', 'x'.repeat(20), 'y'.repeat(20)], 'no end'],
    ['an object without an end', ['{"a":"', 'x'.repeat(20), '\n', 'y'.repeat(20)], 'no end'],
    ['a stream without an end', Array<string>(10).fill('data: 1\n\n'), 'no end'],
  ])('is refused when it is %s', async (_name, sent, said) => {
    const error: unknown = await through(
      sent,
      answerStream(small, () => undefined),
    ).catch((reason: unknown) => reason);
    const fault = error instanceof WireError ? error.fault : undefined;
    expect(fault?.kind === 'malformed' ? fault.detail : '').toContain(said);
  });
});

describe('the body of an error', () => {
  it('is cut off where it gets too long', async () => {
    expect(await through(['12345', '678', '90abc', 'def'], errorBody(small))).toBe('1234567890');
    expect(await through(['short'], errorBody(small))).toBe('short');
  });
});
