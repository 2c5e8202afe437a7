// The demonstration in the real engine, with the sample's files in memory.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../../../../src/base/disposable';
import { OfflineBackend } from '../../../../src/backends/offline/offline-backend';
import { type Recording, readRecording } from '../../../../src/backends/offline/recording';
import type { Clock } from '../../../../src/core/ports/clock';
import { ordinaryTools } from '../../../../src/tools/registry';
import { RunHarness } from '../../../support/run-harness';

export const demo = readRecording('media/offline/demo.jsonl');
const base = readSample();

export interface Course {
  /** Of each agent, as a factor on what is recorded. */
  readonly speeds: readonly number[];
  /** Of 10 chances to answer an open approval before time goes on. */
  readonly promptness: number;
  /** Of 10 approvals. */
  readonly allowed: number;
  readonly seed: number;
}

/** As recorded; every command is allowed at once. */
export const plainCourse: Course = { speeds: [1, 1, 1], promptness: 10, allowed: 10, seed: 1 };

function readSample(): Readonly<Record<string, string>> {
  const root = 'media/sample-project';
  return Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(root, path)).isFile())
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

/** Passes everything to a clock that exists only later. */
class LateClock implements Clock {
  inner: Clock | undefined;

  now(): number {
    return this.inner?.now() ?? 0;
  }

  after(delayMs: number, run: () => void): Disposable {
    return this.inner?.after(delayMs, run) ?? { dispose: () => undefined };
  }
}

/** Plays a recording from start to end; a person answers approvals as the course says. */
export async function play(course: Course, recording: Recording = demo): Promise<RunHarness> {
  const clock = new LateClock();
  const backends = new Map(
    course.speeds.map((speed, i) => [i + 1, new OfflineBackend({ recording, speed, clock })]),
  );
  const harness = new RunHarness([[], [], []], {
    task: recording.task,
    tools: ordinaryTools({ addressesOf: async () => [] }),
    base,
    // Without a limit nothing but the playback waits for the clock.
    settings: {
      softTurnMs: { first: null, later: null },
      // Every vote of the script is asked for, also one that can change nothing any more.
      stop: 'full',
      runSeed: course.seed.toString(16),
    },
    backends,
  });
  clock.inner = harness.clock;
  for (const workspace of harness.workspaces.agents.values()) {
    workspace.commands.set('node --test', async () => ({
      exitCode: 0,
      isTimedOut: false,
      output: 'ok',
      outputBytes: 2,
    }));
  }
  await drive(harness, course);
  return harness;
}

async function drive(harness: RunHarness, course: Course): Promise<void> {
  const random = randomFrom(course.seed);
  const progress = { isOver: false };
  const over = harness.play().finally(() => (progress.isOver = true));
  await letRun();
  while (!progress.isOver) {
    const { approvals } = harness.record.state;
    const isAnswered = approvals.length > 0 && random() * 10 < course.promptness;
    if (isAnswered || !harness.clock.advanceToNext()) {
      const approval = approvals[Math.floor(random() * approvals.length)];
      const decision = random() * 10 < course.allowed ? 'allow-once' : 'deny';
      harness.desk.resolve(approval?.approvalId ?? '', approval?.hash ?? '', decision);
    }
    await letRun();
  }
  await over;
}

/** A few turns of the event loop: enough for files in memory between two moments of the clock. */
async function letRun(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

function randomFrom(seed: number): () => number {
  let x = seed | 0;
  return () => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) | 0;
    return (x >>> 0) / 2 ** 32;
  };
}
