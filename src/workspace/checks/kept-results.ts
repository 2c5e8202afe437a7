// Results of checks beside the log of their run, so that what was checked once is not run again when the run goes on.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../../base/canonical-json';
import type { SnapshotId } from '../../base/ids';
import type { CheckResult, CheckSpec } from '../../run/check-facts';

/** What does not depend on what it is compared with. */
export type KeptResult = Omit<CheckResult, 'name' | 'comparison' | 'isCached'>;

const resultSchema = z.object({
  status: z.enum(['passed', 'failed', 'timed-out']),
  exitCode: z.number().nullable(),
  durationMs: z.number(),
  tail: z.string(),
  output: z.object({ sha256: z.string(), bytes: z.number() }).optional(),
  isFlaky: z.boolean(),
});
const lineSchema = z.object({ v: z.literal(1), key: z.string(), result: resultSchema });

/** By tree and command. A result that cannot be written is known to this process alone. */
export class KeptResults {
  readonly #file: string;
  #known: Map<string, KeptResult> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  get(tree: SnapshotId, spec: CheckSpec): KeptResult | undefined {
    return this.#all().get(keyOf(tree, spec));
  }

  /** What was not run says nothing about the tree and is not kept. */
  put(tree: SnapshotId, spec: CheckSpec, result: KeptResult): void {
    if (result.status === 'not-run') {
      return;
    }
    const key = keyOf(tree, spec);
    this.#all().set(key, result);
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, `${JSON.stringify({ v: 1, key, result })}\n`, { mode: 0o600 });
    } catch {
      return;
    }
  }

  #all(): Map<string, KeptResult> {
    this.#known ??= new Map(linesOf(this.#file).flatMap(toEntry));
    return this.#known;
  }
}

function keyOf(tree: SnapshotId, { command, timeoutMs }: CheckSpec): string {
  return createHash('sha256').update(canonicalJson({ tree, command, timeoutMs })).digest('hex');
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** A line that was cut off is as if it had not been written. */
function toEntry(line: string): readonly (readonly [string, KeptResult])[] {
  try {
    const { key, result } = lineSchema.parse(JSON.parse(line));
    const { output, ...rest } = result;
    return [[key, { ...rest, ...(output === undefined ? {} : { output }) }]];
  } catch {
    return [];
  }
}
