// What the values of `massgen export` mean.
import { UsageError } from './failure';

type Turns = 'all' | 'latest' | { readonly from: number; readonly to: number };

export function exportTurns(written: string | undefined): Turns {
  if (written === undefined || written === 'all') {
    return 'all';
  }
  if (written === 'latest') {
    return 'latest';
  }
  const range = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(written.trim());
  const from = Number(range?.[1]);
  const to = Number(range?.[2] ?? range?.[1]);
  if (range === null || to < from) {
    throw new UsageError(`--turns takes all, latest, N or N-M, not ${written}.`);
  }
  return { from, to };
}

const units: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** Bytes. */
export function exportSize(written: string | undefined): number | undefined {
  if (written === undefined) {
    return undefined;
  }
  const size = /^(\d{1,9}(?:\.\d{1,3})?)\s*([kmg]?b)?$/i.exec(written.trim());
  const unit = units[(size?.[2] ?? '').toLowerCase()];
  if (size === null || unit === undefined) {
    throw new UsageError(`--workspace-limit takes a size such as 500KB or 2MB, not ${written}.`);
  }
  return Math.floor(Number(size[1]) * unit);
}
