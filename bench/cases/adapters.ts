// What our adapters add to the bare client of a service: time of a call, time of a piece of its answer as a part of what the
// client needs for it, and memory while a very long answer comes. Both sides ask the same service of this process in turn, so that what it needs itself is in both.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type OpenPeer, type Peer, peers } from '../support/adapter-peers';

const calls = 60;
const pieces = 1_000;
const longAnswers = 15;
const pieceText = 'word '.repeat(4);
const partsPerSample = 128;
const tenMegabytes = Array.from({ length: 2_560 }, () => 'x'.repeat(4_096));

export const cases = Object.entries(peers).flatMap(([name, open]) => [
  { name: `adapter-${name}-call`, unit: 'ms', budget: 1, measure: () => addedByCall(open) },
  { name: `adapter-${name}-piece`, unit: '%', budget: 5, measure: () => addedByPiece(open) },
  { name: `adapter-${name}-10-mb`, unit: 'MB', budget: 40, measure: () => memory(open) },
]);

/** Ms that a call with an answer of one word takes longer. */
async function addedByCall(open: OpenPeer): Promise<number[]> {
  const samples = await compared(open, [pieceText], calls);
  // Single calls differ by more than what is added; the middle of many does not.
  return [median(samples.ours) - median(samples.bare)];
}

/** Percent by which a piece of a long answer takes longer, when the service sends as fast as it can; below 0: less long. */
async function addedByPiece(open: OpenPeer): Promise<number[]> {
  const answer = Array.from({ length: pieces }, () => pieceText);
  const samples = await compared(open, answer, longAnswers);
  return [100 * (median(samples.ours) / median(samples.bare) - 1)];
}

interface Samples {
  readonly bare: number[];
  readonly ours: number[];
}

async function compared(
  open: OpenPeer,
  answer: readonly string[],
  rounds: number,
): Promise<Samples> {
  const peer = await open(answer, 2 * rounds + 2);
  const samples: Samples = { bare: [], ours: [] };
  try {
    await peer.bare();
    await peer.ours();
    for (let i = 0; i < rounds; i++) {
      samples.bare.push(await timed(() => peer.bare()));
      samples.ours.push(await timed(() => peer.ours()));
    }
    return samples;
  } finally {
    await peer.close();
  }
}

/** Ms of processor time: nothing waits here for long, and other work on the machine takes no part in it. */
async function timed(work: () => Promise<void>): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The most memory that is held while ten megabytes of text come in pieces, beyond what was held before. */
async function memory(open: OpenPeer): Promise<number[]> {
  const peer = await open(tenMegabytes, 2);
  try {
    await peer.ours();
    return [await peakOf(peer)];
  } finally {
    await peer.close();
  }
}

async function peakOf(peer: Peer): Promise<number> {
  const before = held();
  let peak = before;
  let parts = 0;
  await peer.ours((type) => {
    parts++;
    if (parts % partsPerSample === 0 || type !== 'text-delta') {
      peak = Math.max(peak, held());
    }
  });
  return (peak - before) / 1e6;
}

/** Bytes that cannot be given back. */
function held(): number {
  // Much of what is outside of the heap is only let go by the first.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (isAction(collect)) {
    collect();
  }
}

function isAction(value: unknown): value is () => void {
  return typeof value === 'function';
}
