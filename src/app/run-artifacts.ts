import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunId } from '../base/ids';
import type { Clock } from '../core/ports/clock';
import type { EventStore } from '../core/ports/event-store';
import type { Logger } from '../core/ports/logger';
import type { RunRecord } from '../core/orchestrator/run-record';
import type { PayloadReader } from '../protocol/artifacts/conversation';
import type { HostFacts } from '../protocol/artifacts/execution-metadata';
import { artifactsDir, createArtifactWriter } from '../storage/artifact-writer';
import type { SnapshotFile } from '../storage/artifact-files-on-disk';
import { writeFileAtomically } from '../storage/atomic-write';
import type { StartRunRequest } from './app-contract';
import type { RecordedEvent } from '../run/events';
import type { RunState } from '../run/state';
import { gitHead } from './git-head';
import { productVersion } from './product-version';
import type { StoredFiles } from './run-files';
import { asWritten } from './written-config';

/** The readable files of one run. */
export interface RunArtifacts {
  /** Absolute; known from the first event on, `''` before. */
  readonly dir: string;
  /** Settles when all that has happened is on disk. Never rejects. */
  settled(): Promise<void>;
  /** Idempotent; never rejects. */
  close(): Promise<void>;
}

export interface FollowedRun {
  readonly runId: RunId;
  readonly record: RunRecord;
  readonly files: StoredFiles;
  /** What the run was started with; absent for a stored one. */
  readonly request?: Pick<StartRunRequest, 'config' | 'folders' | 'artifactsRoot'>;
  /** What was appended to the record before it is followed; absent: nothing. */
  readonly appended?: readonly RecordedEvent[];
  /** Told once when files cannot be written; the run goes on. */
  readonly onWarning: (code: string, message: string) => void;
}

export interface ArtifactsOfRuns {
  /** Begins to write: call it before the first event is appended to the record, or when a stored run is opened. */
  follow(run: FollowedRun): RunArtifacts;
  /** Where the files of a stored run are. */
  dirOf(run: RunState): string;
}

export interface ArtifactsParts {
  readonly storageDir: string;
  readonly installDir: string;
  readonly cliArgs: readonly string[] | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<EventStore, 'read'>;
  payloadsOf(runId: RunId): PayloadReader;
  readonly redact: (text: string) => string;
}

/** Bytes of the files of one answer that are copied; what does not fit is listed. */
const copyLimit = 500_000_000;

export function artifactsOfRuns(parts: ArtifactsParts): ArtifactsOfRuns {
  return {
    dirOf: (run) => artifactsDir(rootOf(parts, run.runId), run),
    follow({ runId, record, files, request, appended = [], onWarning }): RunArtifacts {
      const root = rootOf(parts, runId, request?.artifactsRoot);
      const writer = createArtifactWriter({
        ...{ root, clock: parts.clock, copyLimit },
        payloads: parts.payloadsOf(runId),
        snapshotFiles: (snapshotId) =>
          files.snapshotFiles(snapshotId)?.map((file) => withoutSecrets(file, parts.redact)),
        host: request === undefined ? null : hostFacts(parts, request),
        earlier: async () => (await parts.store.read(runId)).events,
        onFailure: (error) => {
          parts.logger.error('storage', `files of run ${runId} cannot be written`, error);
          onWarning('storage', `The files of this run in ${root} cannot be written.`);
        },
      });
      if (appended.length > 0) {
        writer.take(appended, record.state);
      }
      const listening = record.onEvents((events, state) => writer.take(events, state));
      return {
        get dir(): string {
          const { started } = record;
          return writer.dir ?? (started === undefined ? '' : artifactsDir(root, started));
        },
        settled: () => writer.settled(),
        async close(): Promise<void> {
          listening.dispose();
          await writer.close();
        },
      };
    },
  };
}

/** For runs that leave nothing to read. */
export function noArtifacts(): ArtifactsOfRuns {
  return {
    dirOf: () => '',
    follow: () => ({
      dir: '',
      settled: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
  };
}

/** What an agent wrote is kept as it is for the review; a copy to read and to pass on holds no key. */
function withoutSecrets(file: SnapshotFile, redact: (text: string) => string): SnapshotFile {
  return {
    ...file,
    read(): Uint8Array | undefined {
      const bytes = file.read();
      // One character per byte: keys are ASCII, and all other bytes come back as they were.
      const text = bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');
      const redacted = redact(text);
      return redacted === text ? bytes : Buffer.from(redacted, 'latin1');
    },
  };
}

const pointerSchema = z.object({ root: z.string() });

/** A root that was chosen for a run is noted beside its log, so that whoever opens it later finds its files. */
function rootOf({ storageDir, logger }: ArtifactsParts, runId: RunId, chosen?: string): string {
  const folder = join(storageDir, 'runs', runId);
  const pointer = join(folder, 'artifacts.json');
  if (chosen === undefined) {
    try {
      return pointerSchema.parse(JSON.parse(readFileSync(pointer, 'utf8'))).root;
    } catch {
      return storageDir;
    }
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileAtomically(pointer, `${JSON.stringify({ schema_version: 1, root: chosen })}\n`);
  } catch (error) {
    logger.error('storage', `the place of the files of run ${runId} is not noted`, error);
  }
  return chosen;
}

function hostFacts(
  { installDir, cliArgs, redact }: ArtifactsParts,
  { config, folders }: Pick<StartRunRequest, 'config' | 'folders'>,
): HostFacts {
  const team: unknown = JSON.parse(redact(JSON.stringify(asWritten(config))));
  return {
    productVersion: productVersion(installDir),
    runtime: { name: 'node', version: process.versions.node },
    workingDirectory: process.cwd(),
    configPath: config.file ?? null,
    config: team,
    cliArgs: cliArgs?.map(redact) ?? null,
    git: folders[0] === undefined ? null : gitHead(folders[0].path),
  };
}
