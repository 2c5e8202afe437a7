import type { Slot, SnapshotId } from '../../../base/ids';
import type {
  ModelCallEnded,
  SnapshotTaken,
  ToolCallEnded,
  TurnOpened,
  WorkspaceOpened,
} from '../../../run/call-events';
import type { RecordedEvent } from '../../../run/events';
import type { Usage } from '../../../run/facts';
import type {
  RecordedOpening,
  RecordedTool,
  StepJournal,
  ToolOutcome,
  ToolStep,
} from '../../agent/steps';
import type { Clock } from '../../ports/clock';
import type { Media, ModelBackend } from '../../ports/model-backend';
import type { PayloadStore } from '../../ports/payload-store';
import type { AgentWorkspace } from '../../ports/workspace';
import { Gates } from './gates';
import { callKey, ReplayBackend } from './replay-backend';
import { ReplayClock } from './replay-clock';
import { ReplayWorkspace, snapshotKey } from './replay-workspace';

/** What an agent goes on with when the record has come to its end. */
export interface LiveSeat {
  readonly backend: ModelBackend;
  readonly workspace: AgentWorkspace;
}

/** A step whose result the log has. */
export type StepEnd = ModelCallEnded | ToolCallEnded | SnapshotTaken;

/** Model, tools, files and time of one agent, as its log has them. */
export class AgentReplay implements StepJournal {
  readonly backend: ReplayBackend;
  readonly workspace: ReplayWorkspace;
  readonly clock = new ReplayClock();
  readonly #calls = new Gates<ModelCallEnded>();
  /** What the same events say of files. */
  readonly #callFiles = new Gates<ModelCallEnded>();
  readonly #tools = new Gates<ToolCallEnded>();
  readonly #snapshots = new Gates<SnapshotTaken>();
  readonly #beginnings = new Gates<never>();
  readonly #openings = new Map<number, TurnOpened>();
  readonly #payloads: PayloadStore;

  /** Without `live` it only replays: what is not recorded ends as cancelled. */
  constructor(
    slot: Slot,
    recorded: readonly RecordedEvent[],
    payloads: PayloadStore,
    live?: LiveSeat,
  ) {
    let opened: WorkspaceOpened | undefined;
    for (const { event } of recorded) {
      if (event.type === 'workspace-opened' && event.slot === slot) {
        opened = event;
      } else if (event.type === 'turn-opened' && event.slot === slot) {
        this.#openings.set(event.turnNo, event);
      }
    }
    this.#payloads = payloads;
    this.backend = new ReplayBackend(this.#calls, live?.backend, payloads);
    this.workspace = new ReplayWorkspace(this.#snapshots, opened, live?.workspace);
  }

  costOf(usage: Usage, price: (usage: Usage) => number | null): number | null {
    return this.backend.costOf(usage, price);
  }

  /** A turn of which nothing is recorded begins when the agent is live: its files are not there before. */
  async openingOf(turnNo: number, signal: AbortSignal): Promise<RecordedOpening | undefined> {
    this.workspace.begin(turnNo);
    const opened = this.#openings.get(turnNo);
    if (opened === undefined) {
      await this.#beginnings.take(`turn/${turnNo}`, turnNo);
      signal.throwIfAborted();
      return undefined;
    }
    const stored = this.#payloads.get(opened.prompt);
    return stored === undefined ? undefined : openingIn(stored);
  }

  async tool(
    step: ToolStep,
    make: () => Promise<ToolOutcome>,
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    const ended = await this.#tools.take(toolKey(step), step.turnNo);
    if (ended === undefined) {
      signal.throwIfAborted();
      return make();
    }
    const { isError, preview, result, filesAfter } = ended;
    const whole = result === undefined ? preview : this.#payloads.get(result);
    const media = mediaIn(ended.media && this.#payloads.get(ended.media));
    return {
      result: { text: whole ?? preview, isError, ...(media.length === 0 ? {} : { media }) },
      ...(filesAfter === undefined ? {} : { filesAfter }),
    };
  }

  async filesAfter(
    { turnNo, call }: Omit<ToolStep, 'index'>,
    make: () => Promise<SnapshotId | undefined>,
  ): Promise<SnapshotId | undefined> {
    const ended = await this.#callFiles.take(callKey(turnNo, call), turnNo);
    return ended === undefined ? make() : ended.filesAfter;
  }

  /** The log has come to the end of this step: whoever waits there goes on. */
  deliver(end: StepEnd): void {
    switch (end.type) {
      case 'model-call-ended':
        this.#calls.deliver(callKey(end.turnNo, end.call), end);
        this.#callFiles.deliver(callKey(end.turnNo, end.call), end);
        if (end.filesAfter !== undefined) {
          this.workspace.moveTo(end.filesAfter);
        }
        return;
      case 'tool-call-ended':
        this.#tools.deliver(toolKey(end), end);
        if (end.filesAfter !== undefined) {
          this.workspace.moveTo(end.filesAfter);
        }
        return;
      case 'snapshot-taken':
        this.#snapshots.deliver(snapshotKey, end);
        return;
    }
  }

  /** A turn has begun: what waits in an earlier one was aborted without a recorded end, and gives up. */
  abandonBefore(turnNo: number): void {
    this.#calls.abandonBefore(turnNo);
    this.#callFiles.abandonBefore(turnNo);
    this.#tools.abandonBefore(turnNo);
    this.#snapshots.abandonBefore(turnNo);
    this.#beginnings.abandonBefore(turnNo);
  }

  /** From now on steps are made. The files must have been restored, see `ReplayWorkspace.goLive`. */
  goLive(clock: Clock): void {
    this.clock.goLive(clock);
    this.#calls.goLive();
    this.#callFiles.goLive();
    this.#tools.goLive();
    this.#snapshots.goLive();
    this.#beginnings.goLive();
  }
}

function toolKey({ turnNo, call, index }: ToolStep): string {
  return `tool/${turnNo}/${call}/${index}`;
}

function mediaIn(stored: string | undefined): readonly Media[] {
  const value: unknown = stored === undefined ? [] : JSON.parse(stored);
  return Array.isArray(value) ? value.filter(isMedia) : [];
}

function isMedia(value: unknown): value is Media {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['kind', 'mediaType', 'name', 'base64'].every(
      (name) => typeof Reflect.get(value, name) === 'string',
    )
  );
}

function openingIn(stored: string): RecordedOpening | undefined {
  const prompt: unknown = JSON.parse(stored);
  if (typeof prompt !== 'object' || prompt === null || !('message' in prompt)) {
    return undefined;
  }
  const { message } = prompt;
  const tools = 'tools' in prompt && Array.isArray(prompt.tools) ? prompt.tools.filter(isTool) : [];
  return typeof message === 'string' ? { message, tools } : undefined;
}

function isTool(value: unknown): value is RecordedTool {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'inputSchema' in value &&
    typeof value.inputSchema === 'object'
  );
}
