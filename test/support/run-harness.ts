import { ApprovalDesk } from '../../src/core/agent/approval';
import { createModelAgentRuntime } from '../../src/core/agent/model-agent-runtime';
import { Driver } from '../../src/core/orchestrator/driver';
import { RunRecord } from '../../src/core/orchestrator/run-record';
import type { SystemModels } from '../../src/core/orchestrator/system-calls';
import type { CommandPolicy } from '../../src/core/ports/approvals';
import type { CheckRunner } from '../../src/core/ports/checks';
import type { EventLogWriter } from '../../src/core/ports/event-store';
import type { Logger } from '../../src/core/ports/logger';
import type { AgentRuntime } from '../../src/core/ports/agent-runtime';
import type { ModelBackend } from '../../src/core/ports/model-backend';
import type { Tool } from '../../src/core/ports/tool';
import type { UserFiles } from '../../src/core/ports/user-files';
import type { CoordinationSettings } from '../../src/run/coordination-settings';
import type { WorkspaceOpened } from '../../src/run/call-events';
import type { RecordedEvent, RunStarted } from '../../src/run/events';
import type { RunCaps, SessionInfo } from '../../src/run/facts';
import { recommendedProfile } from '../../src/run/profiles';
import type { RunState } from '../../src/run/state';
import { liveSteps } from '../../src/core/agent/steps';
import { FakeClock } from './fake-clock';
import { InMemoryWorkspaces } from './in-memory-workspace';
import { checkLeftovers } from './leftovers';
import { findLeaks, type Leak, type ScannedAgent } from './leak-scan';
import { MemoryPayloads } from './memory-payloads';
import { ScriptedBackend, type ScriptedResponse } from './scripted-backend';

export const silent: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const askEveryTime: CommandPolicy = {
  decide: () => undefined,
  remember: async () => undefined,
};

/** A log in memory. `fails` makes every further write throw, `failsOnce` the next one. */
export class MemoryLog implements EventLogWriter {
  readonly events: RecordedEvent[] = [];
  fails: Error | undefined;
  failsOnce: Error | undefined;
  isClosed = false;

  append(events: readonly RecordedEvent[]): void {
    const error = this.failsOnce;
    this.failsOnce = undefined;
    if (error !== undefined) {
      throw error;
    }
    if (this.fails !== undefined) {
      throw this.fails;
    }
    this.events.push(...events);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

export interface HarnessOptions {
  readonly task?: string;
  readonly settings?: Partial<CoordinationSettings>;
  readonly caps?: Partial<RunCaps>;
  readonly tools?: readonly Tool[];
  readonly base?: Readonly<Record<string, string>>;
  readonly policy?: CommandPolicy;
  readonly redact?: (text: string) => string;
  readonly holdBack?: (text: string) => number;
  readonly systemMessages?: readonly (string | undefined)[];
  readonly costUsdPerCall?: number | null;
  readonly userFiles?: UserFiles;
  readonly session?: SessionInfo;
  /** Whom the run itself can ask; absent: nobody. */
  readonly system?: SystemModels;
  /** Runs the checks of the settings; absent: none can be run. */
  readonly checks?: CheckRunner;
  /** Takes the place of the scripted model for a slot. */
  readonly backends?: ReadonlyMap<number, ModelBackend>;
  /** Takes the place of our own loop for a slot. */
  readonly runtimes?: ReadonlyMap<number, AgentRuntime>;
}

const unlisted: ReadonlySet<string> = new Set([
  ...['text-delta', 'workspace-opened', 'turn-opened', 'snapshot-taken'],
]);

const ids = ['zeta_gpt', 'alpha_claude', 'mid_llama', 'last_grok'];
const models = ['gpt-99', 'claude-opal-7', 'llama-lab-3', 'grok-zero'];

/** A whole run over fakes at its far ends: scripted models, files in memory, a clock moved by hand. */
export class RunHarness {
  readonly clock = new FakeClock();
  readonly log = new MemoryLog();
  readonly payloads = new MemoryPayloads();
  readonly workspaces: InMemoryWorkspaces;
  readonly backends: readonly ScriptedBackend[];
  readonly desk: ApprovalDesk;
  readonly record: RunRecord;
  readonly driver: Driver;
  readonly #options: HarnessOptions;

  constructor(scripts: readonly (readonly ScriptedResponse[])[], options: HarnessOptions = {}) {
    this.#options = options;
    const redact = options.redact ?? ((text: string): string => text);
    this.workspaces = new InMemoryWorkspaces(options.base ?? { 'a.txt': 'one\n' });
    this.backends = scripts.map((script) => new ScriptedBackend(...script));
    this.desk = new ApprovalDesk(options.policy ?? askEveryTime, silent);
    this.record = new RunRecord({ writer: this.log, redact, logger: silent });
    this.driver = new Driver({
      started: this.#started(),
      record: this.record,
      runtimes: this.#runtimes(redact),
      clock: this.clock,
      ...(options.system === undefined ? {} : { system: options.system }),
      ...(options.checks === undefined ? {} : { checks: options.checks }),
      secrets: { redact, holdBack: options.holdBack ?? (() => 0) },
      logger: silent,
    });
  }

  async play(): Promise<RunState> {
    this.driver.begin(this.#opened());
    const state = await this.driver.drive();
    this.#checkLeftovers();
    return state;
  }

  /** What tests put in the place of our own ends is theirs to look after. */
  #checkLeftovers(): void {
    const { runtimes, backends } = this.#options;
    const ofOwn = <T>(ends: Iterable<readonly [number, T]>): ReadonlyMap<number, T> =>
      new Map([...ends].filter(([slot]) => runtimes?.has(slot) !== true));
    const models = this.backends.map((backend, i) => [i + 1, backend] as const);
    checkLeftovers({
      clock: this.clock,
      backends: ofOwn(models.filter(([slot]) => backends?.has(slot) !== true)),
      workspaces: ofOwn(this.workspaces.agents),
    });
  }

  get events(): readonly RecordedEvent[] {
    return this.log.events;
  }

  /** Types of the events, without the text pieces and what is noted for playing the run again. */
  get types(): readonly string[] {
    return this.events.map(({ event }) => event.type).filter((type) => !unlisted.has(type));
  }

  leaks(): readonly Leak[] {
    const { task, agents } = this.record.state;
    return findLeaks({
      requests: this.backends.flatMap((backend) => backend.requests),
      agents: this.scanned(),
      allowed: [task, ...agents.flatMap((agent) => agent.revisions.map(({ text }) => text))],
    });
  }

  scanned(): readonly ScannedAgent[] {
    return this.backends.map((_backend, i) => ({
      slot: i + 1,
      id: ids[i] ?? '',
      model: models[i] ?? '',
      systemMessage: this.#options.systemMessages?.[i],
      folders: this.workspaces.agents.get(i + 1)?.roots.map((root) => root.shownPath) ?? [],
    }));
  }

  #opened(): readonly WorkspaceOpened[] {
    return [...this.workspaces.agents].map(([slot, { roots }]) => ({
      ...{ type: 'workspace-opened', slot, roots },
    }));
  }

  #started(): RunStarted {
    const { task, settings, caps, session, tools = [] } = this.#options;
    return {
      type: 'run-started',
      runId: 'run-1',
      task: task ?? 'Fix the greeting.',
      agents: this.backends.map((_backend, i) => ({
        slot: i + 1,
        id: ids[i] ?? `agent-number-${i + 1}`,
        backend: 'scripted',
        model: models[i] ?? '',
        family: '',
        weight: 1,
      })),
      contextRoots: [{ name: 'project', path: '/home/user/project', permission: 'write' }],
      settings: { ...recommendedProfile, runSeed: '5eed', backoffMs: 0, ...settings },
      caps: { durationMs: null, modelCalls: null, costUsd: null, ...caps },
      teamName: 'Test team',
      isScripted: true,
      unconfinedReason: null,
      tools: tools.map(({ name, effect }) => ({ name, effect })),
      ...(session === undefined ? {} : { session }),
    };
  }

  #runtimes(redact: (text: string) => string): ReadonlyMap<number, AgentRuntime> {
    const { tools = [], systemMessages, costUsdPerCall = 0, runtimes, backends } = this.#options;
    const { userFiles } = this.#options;
    return new Map(
      this.backends.map((backend, i) => [
        i + 1,
        runtimes?.get(i + 1) ??
          createModelAgentRuntime({
            slot: i + 1,
            backend: backends?.get(i + 1) ?? backend,
            workspace: this.workspaces.create(i + 1),
            tools,
            desk: this.desk,
            commandTimeoutMs: 60_000,
            systemMessage: systemMessages?.[i],
            ...(userFiles === undefined ? {} : { userFiles }),
            steps: liveSteps,
            payloads: this.payloads,
            clock: this.clock,
            logger: silent,
            redact,
            costOf: () => costUsdPerCall,
          }),
      ]),
    );
  }
}

/** A promise with its handle outside. */
export function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Lets everything run that can go on without the clock: a fixed, generous number of turns of the event loop. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
