import type { Duplex } from 'node:stream';

/** Passes bytes both ways until both sides have ended; a side that breaks ends the other. */
export function joinStreams(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.once('close', () => {
      // What came before an orderly end is still on its way to the other side.
      if (!from.readableEnded) {
        to.destroy();
      }
    });
  }
}
