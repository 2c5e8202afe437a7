import { expect, it } from 'vitest';
import { refusalOf, toWireError } from '../../../../src/backends/wire/refusals';
import { WireError } from '../../../../src/backends/wire/wire-fault';

it('a refusal keeps the beginning of what is said, however much it is', async () => {
  const mebibyte = new TextEncoder().encode('x'.repeat(1024 * 1024));
  let sent = 0;
  let isLeft = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller): void {
      sent += 1;
      controller.enqueue(mebibyte);
    },
    cancel(): void {
      isLeft = true;
    },
  });
  const fault = await refusalOf(
    new Response(body, { status: 500, headers: { 'retry-after': '7' } }),
  );
  expect(fault).toMatchObject({ kind: 'status', status: 500, text: 'x'.repeat(256 * 1024) });
  expect(fault.kind === 'status' ? fault.header('Retry-After') : '').toBe('7');
  expect([isLeft, sent < 4]).toEqual([true, true]);
});

it('a refusal is found in the errors that a client has put around it', () => {
  const fault = new WireError({ kind: 'malformed', detail: 'x' });
  const wrapped = new Error('a', { cause: new Error('b', { cause: fault }) });
  expect(toWireError(wrapped)).toBe(fault);
  expect(toWireError(new Error('c')).fault).toMatchObject({ kind: 'connection' });
});
