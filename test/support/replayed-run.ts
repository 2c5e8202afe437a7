import { ApprovalDesk } from '../../src/core/agent/approval';
import { createModelAgentRuntime } from '../../src/core/agent/model-agent-runtime';
import { Driver } from '../../src/core/orchestrator/driver';
import { AgentReplay, type LiveSeat } from '../../src/core/orchestrator/replay/agent-replay';
import type { Difference } from '../../src/core/orchestrator/replay/course';
import { RunRecord } from '../../src/core/orchestrator/run-record';
import type { CheckRunner } from '../../src/core/ports/checks';
import type { CommandPolicy } from '../../src/core/ports/approvals';
import type { Tool } from '../../src/core/ports/tool';
import type { RecordedEvent, RunEvent, RunStarted } from '../../src/run/events';
import type { RunState } from '../../src/run/state';
import { FakeClock } from './fake-clock';
import { InMemoryWorkspaces } from './in-memory-workspace';
import { checkLeftovers } from './leftovers';
import type { MemoryPayloads } from './memory-payloads';
import { askEveryTime, MemoryLog, type RunHarness, silent } from './run-harness';
import { ScriptedBackend, type ScriptedResponse } from './scripted-backend';

/** What outlives a process: the log, the texts beside it and the snapshots. */
export interface Stored {
  readonly events: readonly RecordedEvent[];
  readonly payloads: MemoryPayloads;
  readonly snapshots: InMemoryWorkspaces['snapshots'];
}

export interface ReplayOptions {
  readonly tools?: readonly Tool[];
  readonly base?: Readonly<Record<string, string>>;
  readonly policy?: CommandPolicy;
  readonly costUsdPerCall?: number | null;
  readonly checks?: CheckRunner;
}

/** The first `count` events of a run, as another process reads them. */
export function storedOf(harness: RunHarness, count = harness.events.length): Stored {
  const events = harness.events.slice(0, count);
  return {
    events: JSON.parse(JSON.stringify(events)) as RecordedEvent[],
    payloads: harness.payloads,
    snapshots: harness.workspaces.snapshots,
  };
}

/** A stored run in a process of its own: fresh objects over what was stored, played again and then gone on with. */
export class ReplayedRun {
  readonly clock = new FakeClock();
  readonly log = new MemoryLog();
  readonly backends: readonly ScriptedBackend[];
  readonly workspaces: InMemoryWorkspaces;
  readonly desk: ApprovalDesk;
  readonly record: RunRecord;
  readonly driver: Driver;
  readonly #stored: Stored;
  readonly #options: ReplayOptions;
  readonly #agents: ReadonlyMap<number, AgentReplay>;

  /** With `scripts`, the run can go on; they have what models say after the end of the log. */
  constructor(
    stored: Stored,
    options: ReplayOptions = {},
    scripts?: readonly (readonly ScriptedResponse[])[],
  ) {
    this.#stored = stored;
    this.#options = options;
    this.workspaces = new InMemoryWorkspaces(options.base ?? { 'a.txt': 'one\n' });
    stored.snapshots.forEach((files, id) => this.workspaces.snapshots.set(id, files));
    this.backends = (scripts ?? []).map((script) => new ScriptedBackend(...script));
    this.desk = new ApprovalDesk(options.policy ?? askEveryTime, silent);
    this.record = new RunRecord({
      writer: this.log,
      redact: (text) => text,
      logger: silent,
    });
    this.#agents = new Map(
      this.#started.agents.map(({ slot }) => [slot, this.#agent(slot)] as const),
    );
    this.driver = new Driver({
      started: this.#started,
      record: this.record,
      runtimes: new Map(
        [...this.#agents].map(([slot, agent]) => [slot, this.#runtime(slot, agent)]),
      ),
      clock: this.clock,
      ...(options.checks === undefined ? {} : { checks: options.checks }),
      secrets: { redact: (text) => text, holdBack: () => 0 },
      logger: silent,
    });
  }

  /** Plays what is stored and nothing more. */
  async replay(): Promise<Difference | null> {
    const difference = await this.#play();
    await this.driver.close(this.#agents);
    this.#checkLeftovers();
    return difference;
  }

  /** Plays what is stored, then goes on to the end. The clock goes on where the log was cut off. */
  async resume(): Promise<RunState> {
    const cutAt = this.#stored.events.at(-1)?.at ?? 0;
    this.clock.advance(Math.max(0, cutAt - this.clock.now()));
    const difference = await this.#play();
    if (difference !== null) {
      throw new Error(`the log plays differently: ${JSON.stringify(difference)}`);
    }
    this.desk.recall(
      this.#stored.events,
      (slot, path) => this.#agents.get(slot)?.workspace.neutralizePaths(path) ?? path,
    );
    for (const { workspace } of this.#agents.values()) {
      await workspace.goLive(new AbortController().signal);
    }
    const state = await this.driver.goOn(this.#stored.events, this.#agents);
    this.#checkLeftovers();
    return state;
  }

  /** The whole log: what was stored and what was written since. */
  get events(): readonly RecordedEvent[] {
    return [...this.#stored.events, ...this.log.events];
  }

  get #started(): RunStarted {
    const first: RunEvent | undefined = this.#stored.events[0]?.event;
    if (first?.type !== 'run-started') {
      throw new Error('the log has no beginning');
    }
    return first;
  }

  async #play(): Promise<Difference | null> {
    return this.driver.replay(this.#stored.events, this.#agents, new AbortController().signal);
  }

  #checkLeftovers(): void {
    const { clock, workspaces } = this;
    const backends = new Map(this.backends.map((backend, i) => [i + 1, backend]));
    checkLeftovers({ clock, backends, workspaces: workspaces.agents });
  }

  #agent(slot: number): AgentReplay {
    const backend = this.backends[slot - 1];
    const live: LiveSeat | undefined =
      backend === undefined ? undefined : { backend, workspace: this.workspaces.create(slot) };
    return new AgentReplay(slot, this.#stored.events, this.#stored.payloads, live);
  }

  #runtime(slot: number, agent: AgentReplay) {
    const { tools = [], costUsdPerCall = 0 } = this.#options;
    const { backend, workspace, clock } = agent;
    return createModelAgentRuntime({
      ...{ slot, backend, workspace, clock, tools, desk: this.desk, steps: agent },
      payloads: this.#stored.payloads,
      commandTimeoutMs: 60_000,
      systemMessage: undefined,
      logger: silent,
      redact: (text) => text,
      costOf: (usage) => agent.costOf(usage, () => costUsdPerCall),
    });
  }
}
