import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Disposable } from '../base/disposable';
import type { Clock } from '../core/ports/clock';
import type { PayloadReader } from '../protocol/artifacts/conversation';
import type { HostFacts } from '../protocol/artifacts/execution-metadata';
import { logsFolder, turnFolder } from '../protocol/artifacts/places';
import { ArtifactProjection } from '../protocol/artifacts/projection';
import { addToTallies, type RunTallies } from '../protocol/run-tallies';
import type { RecordedEvent } from '../run/events';
import type { RunState } from '../run/state';
import { ArtifactFilesOnDisk, type DiskParts } from './artifact-files-on-disk';
import { removeLeftovers } from './leftovers';
import { createStatusWriter, type StatusWriter } from './status-writer';

export interface ArtifactWriterParts extends Pick<DiskParts, 'snapshotFiles' | 'copyLimit'> {
  /** Absolute folder that holds `massgen_logs/`; made when missing. */
  readonly root: string;
  readonly clock: Clock;
  readonly payloads: PayloadReader;
  readonly host: HostFacts | null;
  /** Events of the log before those that `take` is given; empty for a new run. Asked for once, with the first event. */
  readonly earlier: () => Promise<readonly RecordedEvent[]>;
  readonly onFailure: DiskParts['onFailure'];
}

/** Writes the files of one run while it goes on, and never in its way. */
export interface ArtifactWriter {
  /** Absolute folder of the run's turn; `undefined` before the first event. */
  readonly dir: string | undefined;
  /**
   * Cheap; call it for everything that is appended to the log. `status.json` is on disk when the first call returns; all
   * else follows in the background.
   */
  take(events: readonly RecordedEvent[], state: RunState): void;
  /** Settles when everything that was taken is on disk. Never rejects. */
  settled(): Promise<void>;
  /** The same, and no timer is left. Idempotent. */
  close(): Promise<void>;
}

export function createArtifactWriter(parts: ArtifactWriterParts): ArtifactWriter {
  return new BackgroundWriter(parts);
}

/** `massgen_logs/log_…/turn_…` below `root`. */
export function artifactsDir(root: string, run: Parameters<typeof turnFolder>[0]): string {
  return join(root, turnFolder(run));
}

export function toYaml(document: unknown): string {
  return stringify(document, { aliasDuplicateObjects: false });
}

/** How long changes may wait for more. */
const gatherMs = 100;
/** Events that are projected at a time; between two pieces, everything else has its turn. */
const pieceSize = 250;
/** Files that are made as a whole are made anew this often, so that a long run is not spent on them. */
const refreshMs = 2_000;

class BackgroundWriter implements ArtifactWriter {
  readonly #parts: ArtifactWriterParts;
  dir: string | undefined;
  #projection: ArtifactProjection | undefined;
  #disk: ArtifactFilesOnDisk | undefined;
  #status: StatusWriter | undefined;
  #tallies: RunTallies = new Map();
  readonly #waiting: RecordedEvent[] = [];
  #timer: Disposable | undefined;
  #work: Promise<void> = Promise.resolve();
  #refreshedAt = -Infinity;
  #isNewRun = false;
  #hasEarlier = false;
  #hasFailed = false;
  #isOver = false;
  #isClosed = false;

  constructor(parts: ArtifactWriterParts) {
    this.#parts = parts;
  }

  take(events: readonly RecordedEvent[], state: RunState): void {
    if (this.#isClosed || events.length === 0) {
      return;
    }
    if (this.dir === undefined) {
      this.#begin(state);
      this.#isNewRun = events[0]?.seq === 0;
    }
    this.#waiting.push(...events);
    if (this.#isNewRun) {
      for (const recorded of events) {
        this.#tallies = addToTallies(this.#tallies, recorded, state);
      }
      this.#status?.update(state, this.#tallies);
    }
    this.#isOver = state.outcome !== null;
    if (this.#isOver) {
      this.#runNow();
    } else {
      this.#schedule(gatherMs);
    }
  }

  async settled(): Promise<void> {
    this.#runNow();
    await this.#work;
  }

  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#isOver = true;
      await this.settled();
      this.#status?.dispose();
    }
    await this.#work;
  }

  #begin(state: RunState): void {
    const { root, clock, snapshotFiles, copyLimit, payloads, host } = this.#parts;
    const onFailure = (error: unknown): void => this.#failed(error);
    const dir = artifactsDir(root, state);
    this.dir = dir;
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      ignoreFolder(join(root, logsFolder));
      removeLeftovers(dir);
    } catch (error) {
      onFailure(error);
    }
    // Without what only the starting process knows, its file is the better one.
    const kept = host === null ? { kept: 'execution_metadata.yaml' } : {};
    this.#disk = new ArtifactFilesOnDisk({ dir, snapshotFiles, copyLimit, onFailure, ...kept });
    this.#projection = new ArtifactProjection({
      ...{ sink: this.#disk, payloads, host, toYaml, logDir: dir },
    });
    this.#status = createStatusWriter({ dir, clock });
  }

  #schedule(delayMs: number): void {
    this.#timer ??= this.#parts.clock.after(delayMs, () => {
      this.#timer = undefined;
      this.#run();
    });
  }

  #runNow(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#run();
  }

  /** One piece of work at a time, in order. */
  #run(): void {
    this.#work = this.#work
      .then(() => this.#project())
      .catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    if (!this.#hasFailed) {
      this.#hasFailed = true;
      this.#parts.onFailure(error);
    }
  }

  async #project(): Promise<void> {
    const [projection, disk] = [this.#projection, this.#disk];
    if (projection === undefined || disk === undefined) {
      return;
    }
    const first = this.#waiting[0];
    if (!this.#hasEarlier && first !== undefined) {
      this.#hasEarlier = true;
      const earlier = first.seq === 0 ? [] : await this.#parts.earlier();
      const before = earlier.filter(({ seq }) => seq < first.seq);
      await addInPieces(before, projection, disk);
    }
    while (this.#waiting.length > 0) {
      await addInPieces(this.#waiting.splice(0), projection, disk);
    }
    if (!this.#isNewRun && projection.state !== undefined) {
      this.#status?.update(projection.state, projection.tallies);
    }
    this.#refresh(projection);
    await disk.flush();
  }

  #refresh(projection: ArtifactProjection): void {
    const now = this.#parts.clock.now();
    const wait = this.#isOver ? 0 : refreshMs - Math.max(0, now - this.#refreshedAt);
    if (wait > 0) {
      this.#schedule(wait);
      return;
    }
    this.#refreshedAt = now;
    projection.refresh();
  }
}

async function addInPieces(
  events: readonly RecordedEvent[],
  projection: ArtifactProjection,
  disk: ArtifactFilesOnDisk,
): Promise<void> {
  for (let at = 0; at < events.length; at += pieceSize) {
    events.slice(at, at + pieceSize).forEach((event) => projection.add(event));
    await disk.flush();
  }
}

/** What is generated inside a project is not to be committed there. A file of the user's stays as it is. */
function ignoreFolder(folder: string): void {
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) {
    writeFileSync(file, '*\n', { mode: 0o600 });
  }
}
