import { expect, it } from 'vitest';
import { wholeEvents } from '../../../../src/backends/gemini/whole-events';

async function through(pieces: readonly string[]): Promise<string[]> {
  const encoder = new TextEncoder();
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) {
        controller.enqueue(encoder.encode(piece));
      }
      controller.close();
    },
  });
  const texts: string[] = [];
  for await (const bytes of source.pipeThrough(wholeEvents())) {
    texts.push(new TextDecoder().decode(bytes));
  }
  return texts;
}

it.each(['\n\n', '\r\n\r\n', '\r\r'])('hands events on whole that end with %j', async (end) => {
  const text = `data: one${end}data: two${end}data: three`;
  const whole = await through([text]);
  expect(whole).toEqual([`data: one${end}data: two${end}`, 'data: three']);
  const byCharacter = await through(text.split(/(?=[^])/));
  expect(byCharacter).toEqual([`data: one${end}`, `data: two${end}`, 'data: three']);
});

it('gives an event up that has no end', async () => {
  const mebibyte = 'x'.repeat(1024 * 1024);
  await expect(through(Array.from({ length: 17 }, () => mebibyte))).rejects.toMatchObject({
    fault: { kind: 'malformed' },
  });
});
