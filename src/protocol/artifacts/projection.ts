// Turns the events of a run into its readable files, one event at a time.
import type { RecordedEvent } from '../../run/events';
import { apply } from '../../run/reducer';
import type { RunState } from '../../run/state';
import { addToTallies, type RunTallies } from '../run-tallies';
import { toStatusJson } from '../status-json';
import { AgentOutputs } from './agent-outputs';
import { type ArtifactPart, type ArtifactSink, jsonText, type Step } from './artifact-part';
import { toAttempts } from './attempts-file';
import { toResultFile } from './ballot-file';
import { Conversations, type PayloadReader } from './conversation';
import { CoordinationEvents } from './coordination-events';
import { CoordinationTable } from './coordination-table';
import { toEventLine } from './event-line';
import { type HostFacts, toExecutionMetadata } from './execution-metadata';
import { LabelledFiles } from './labelled-files';
import { agentFolders, attemptFolder } from './places';
import { Progress } from './progress';

export interface ProjectionParts {
  readonly sink: ArtifactSink;
  readonly payloads: PayloadReader;
  /** Text of a document of plain data, as YAML. */
  readonly toYaml: (document: unknown) => string;
  /** The folder of the turn as `status.json` names it. */
  readonly logDir: string;
  readonly host: HostFacts | null;
}

/** Every file follows from the events alone, so whoever projects the same events gets the same bytes. */
export class ArtifactProjection {
  readonly #parts: ProjectionParts;
  readonly #conversations: Conversations;
  readonly #progress = new Progress();
  #ofAttempt: readonly ArtifactPart[] = [];
  #state: RunState | undefined;
  #tallies: RunTallies = new Map();

  constructor(parts: ProjectionParts) {
    this.#parts = parts;
    this.#conversations = new Conversations(parts.payloads);
  }

  /** Of the last event that was added; `undefined` before the first. */
  get state(): RunState | undefined {
    return this.#state;
  }

  /** What is counted from the events, beside the state. */
  get tallies(): RunTallies {
    return this.#tallies;
  }

  add(recorded: RecordedEvent): void {
    const after = apply(this.#state, recorded);
    const before = this.#state ?? after;
    if (this.#state === undefined) {
      this.#begin(after);
    }
    this.#state = after;
    this.#tallies = addToTallies(this.#tallies, recorded, after);
    this.#parts.sink.append('events.jsonl', `${JSON.stringify(toEventLine(recorded, before))}\n`);
    const isRestart = recorded.event.type === 'orchestration-restarted';
    if (isRestart) {
      this.#closeAttempt(before, recorded.at);
      this.#ofAttempt = this.#newAttempt(after);
    }
    // The files of a new attempt begin with the event that began it, and know nothing before.
    this.#tell({ recorded, before: isRestart ? after : before, after });
    if (before.selection !== after.selection && !isRestart) {
      const path = `${attemptFolder(after)}vote.json`;
      this.#parts.sink.replace(path, jsonText(toResultFile(after)));
    }
    if (isRestart || recorded.event.type === 'run-ended') {
      this.#parts.sink.replace('attempts.json', jsonText(toAttempts(after)));
    }
    if (recorded.event.type === 'run-ended') {
      this.#closeAttempt(after, recorded.at);
    }
  }

  /** Writes the files that are made as a whole from all events so far. */
  refresh(): void {
    for (const part of this.#ofAttempt) {
      part.refresh?.();
    }
  }

  #begin(state: RunState): void {
    const document = toExecutionMetadata(state, this.#parts.host);
    this.#parts.sink.replace('execution_metadata.yaml', this.#parts.toYaml(document));
    this.#ofAttempt = this.#newAttempt(state);
  }

  #newAttempt(state: RunState): readonly ArtifactPart[] {
    const { sink } = this.#parts;
    const attemptDir = attemptFolder(state);
    const folders = agentFolders(state.agents.map(({ info }) => info));
    const progress = this.#progress;
    return [
      new CoordinationEvents(sink, attemptDir, progress),
      new CoordinationTable(sink, attemptDir),
      new LabelledFiles({
        ...{ sink, attemptDir, folders, progress },
        conversations: this.#conversations,
      }),
      new AgentOutputs(sink, attemptDir, folders),
    ];
  }

  #tell(step: Step): void {
    this.#conversations.take(step);
    this.#progress.take(step);
    for (const part of this.#ofAttempt) {
      part.take(step);
    }
  }

  /** `status.json` of a live run stands in the folder of the turn; each attempt keeps its last one. */
  #closeAttempt(state: RunState, at: number): void {
    this.refresh();
    const { sink, logDir } = this.#parts;
    const dir = attemptFolder(state);
    if (dir !== '') {
      const status = toStatusJson(state, at, { logDir, tallies: this.#tallies });
      sink.replace(`${dir}status.json`, jsonText(status));
    }
  }
}
