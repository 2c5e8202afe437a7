import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SnapshotId } from '../../../../src/base/ids';
import type { CheckRunner } from '../../../../src/core/ports/checks';
import type { Logger } from '../../../../src/core/ports/logger';
import type { AgentWorkspace, RunWorkspaces } from '../../../../src/core/ports/workspace';
import type { CheckResult, CheckSpec } from '../../../../src/run/check-facts';
import {
  type CheckRunnerParts,
  createCheckRunner,
} from '../../../../src/workspace/checks/check-runner';
import { MemoryPayloads } from '../../../support/memory-payloads';
import { realClock } from '../../../support/real-clock';
import { fill, never, startRun, tempFolder, type TestRun } from '../temp-project';

const silent: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export function check(name: string, command: string, more: Partial<CheckSpec> = {}): CheckSpec {
  return { name, command, kind: 'test', timeoutMs: 60_000, mode: 'gate', ...more };
}

export interface CheckBench {
  readonly run: TestRun;
  readonly project: string;
  readonly runner: CheckRunner;
  readonly payloads: MemoryPayloads;
  /** A runner of another process over the same run. */
  again(more?: Partial<CheckRunnerParts>): CheckRunner;
  /** The snapshot of an agent that did this. */
  snapshot(work: (agent: AgentWorkspace) => Promise<void>): Promise<SnapshotId>;
}

export interface BenchOptions extends Partial<CheckRunnerParts> {
  /** Comes between the runner and its workspaces. */
  readonly wrap?: (
    workspaces: Pick<RunWorkspaces, 'createScratchWorkspace'>,
  ) => Pick<RunWorkspaces, 'createScratchWorkspace'>;
}

/** Checks over a real project in a folder of its own; commands are allowed. */
export function benchWith(
  files: Readonly<Record<string, string>>,
  specs: readonly CheckSpec[],
  { wrap = (all) => all, ...options }: BenchOptions = {},
): CheckBench {
  const project = tempFolder();
  fill(project, files);
  const run = startRun(project);
  const payloads = new MemoryPayloads();
  const make = (more: Partial<CheckRunnerParts> = {}): CheckRunner => {
    const runner = createCheckRunner({
      specs,
      workspaces: wrap(run.workspaces),
      store: run.workspaces.store,
      contextRoots: ['proj'],
      resultsFile: join(run.dir, 'run-1', 'checks.jsonl'),
      places: 2,
      payloads,
      clock: realClock,
      logger: silent,
      redact: (text) => text,
      decide: () => true,
      ...options,
      ...more,
    });
    onTestFinished(() => runner.close());
    return runner;
  };
  return {
    run,
    project,
    payloads,
    runner: make(),
    again: make,
    async snapshot(work): Promise<SnapshotId> {
      const agent = await run.agent();
      await work(agent);
      const { id } = await agent.takeSnapshot(never);
      await agent.close();
      return id;
    },
  };
}

/** Workspaces that differ in what a check asks of them. */
export function changed(
  change: (made: AgentWorkspace) => Partial<AgentWorkspace>,
): NonNullable<BenchOptions['wrap']> {
  return (all) => ({
    async createScratchWorkspace(signal): Promise<AgentWorkspace> {
      const made = await all.createScratchWorkspace(signal);
      const parts = new Map<string | symbol, unknown>(Object.entries(change(made)));
      return new Proxy(made, {
        get(target, key): unknown {
          const value: unknown = parts.has(key) ? parts.get(key) : Reflect.get(target, key);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  });
}

/** `types failed regression`, with what was special about it. */
export function short({ name, status, comparison, isCached, isFlaky }: CheckResult): string {
  const words = [name, status, comparison, isCached ? 'cached' : '', isFlaky ? 'flaky' : ''];
  return words.filter((word) => word !== '').join(' ');
}

export const ignored = (): void => undefined;
