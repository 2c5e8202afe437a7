import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { RunState } from '../run/state';
import type { ExportedFile, ExportRequest, SessionExport } from './app-contract';
import { homeForms, NamedKeys, outgoing } from './outgoing-text';
import { sessionIdOf } from './sessions';
import type { Services } from './services';

type ExportServices = Pick<Services, 'store' | 'artifacts' | 'redactor' | 'secrets'>;

/** Larger files are of no use to a reader and fill a mail. */
const largestFile = 10_000_000;

/**
 * Gathers the files of a session with secrets and the user's home taken out of every one. Throws `config/invalid` when
 * there is no such turn, `storage/*` when the run cannot be read, and the signal's reason.
 */
export async function planExport(
  services: ExportServices,
  { runId, turns, workspaceLimit }: ExportRequest,
  signal: AbortSignal,
): Promise<SessionExport> {
  const chosen = chosenTurns(await statesOf(services, runId), turns);
  const found: Found[] = [];
  for (const { turn, dir } of chosen) {
    found.push(...(await filesBelow(dir, `turn_${turn}`, signal)));
  }
  await learnSecrets(services, found, signal);
  const files: ExportedFile[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  const used = new Map<string, number>();
  for (const one of found) {
    signal.throwIfAborted();
    const reason = whyNot(one, used, workspaceLimit);
    const file = reason ?? (await toFile(services, one));
    if (typeof file === 'string') {
      leftOut.push({ path: one.path, reason: file });
    } else {
      files.push(file);
    }
  }
  const told = chosen.map(({ turn, state }) => ({
    turn,
    runId: state.runId,
    task: redactedTask(services, state),
  }));
  return { sessionId: chosen[0]?.sessionId ?? runId, turns: told, files, leftOut };
}

interface Turn {
  readonly turn: number;
  readonly sessionId: string;
  readonly dir: string;
  readonly state: RunState;
}

/** By their number; of several runs for one turn the newest. */
async function statesOf(services: ExportServices, runId: RunId): Promise<readonly Turn[]> {
  const { state: asked } = await services.store.open(runId);
  if (asked === undefined) {
    throw new MassGenError('storage/corrupt', `The log of run ${runId} holds no run.`);
  }
  const sessionId = sessionIdOf(asked);
  const all = await services.store.list();
  const numbers = new Map<number, RunId>();
  for (const run of all.toReversed()) {
    if ((run.sessionId ?? run.runId) === sessionId) {
      numbers.set(run.turn ?? 1, run.runId);
    }
  }
  const found: Turn[] = [];
  for (const [turn, id] of [...numbers].toSorted(([a], [b]) => a - b)) {
    const { state } = await services.store.open(id);
    if (state !== undefined) {
      found.push({ turn, sessionId, dir: services.artifacts.dirOf(state), state });
    }
  }
  return found;
}

function chosenTurns(all: readonly Turn[], turns: ExportRequest['turns']): readonly Turn[] {
  const last = all.at(-1);
  const chosen =
    turns === 'all'
      ? all
      : turns === 'latest'
        ? all.slice(-1)
        : all.filter(({ turn }) => turn >= turns.from && turn <= turns.to);
  if (chosen.length === 0) {
    throw new MassGenError('config/invalid', 'The session has no such turn.', {
      hint: `Its turns are 1 to ${last?.turn ?? 0}.`,
    });
  }
  return chosen;
}

interface Found {
  readonly path: string;
  readonly full: string;
  readonly sizeBytes: number;
  readonly kind: 'file' | 'other';
  /** The agents' folder that it lies in, by path. */
  readonly workspace: string | undefined;
}

/** Links are not followed: they lead out of what the run has written. */
async function filesBelow(dir: string, as: string, signal: AbortSignal): Promise<readonly Found[]> {
  const found: Found[] = [];
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    signal.throwIfAborted();
    const [full, path] = [join(dir, entry.name), `${as}/${entry.name}`];
    if (entry.isDirectory()) {
      found.push(...(await filesBelow(full, path, signal)));
    } else if (entry.name !== 'massgen.log' && !entry.name.endsWith('.partial')) {
      const stat = await lstat(full).catch(() => undefined);
      const kind = stat?.isFile() === true ? 'file' : 'other';
      const workspace = /^(.*\/workspace)\//.exec(path)?.[1];
      found.push({ path, full, sizeBytes: stat?.size ?? 0, kind, workspace });
    }
  }
  return found;
}

function whyNot(
  { kind, sizeBytes, workspace }: Found,
  used: Map<string, number>,
  workspaceLimit: number,
): string | undefined {
  if (kind === 'other') {
    return 'not a plain file';
  }
  if (sizeBytes > largestFile) {
    return 'larger than 10 MB';
  }
  if (workspace !== undefined) {
    const sum = (used.get(workspace) ?? 0) + sizeBytes;
    if (workspaceLimit === 0 || sum > workspaceLimit) {
      return workspaceLimit === 0 ? 'a file of an agent' : 'beyond the limit for files of agents';
    }
    used.set(workspace, sum);
  }
  return undefined;
}

/** Whatever key the files name is looked up, so that its value is known wherever it stands. */
async function learnSecrets(
  services: ExportServices,
  found: readonly Found[],
  signal: AbortSignal,
): Promise<void> {
  const names = new NamedKeys();
  for (const { full, kind, sizeBytes } of found) {
    signal.throwIfAborted();
    if (kind === 'file' && sizeBytes <= largestFile && !names.isFull) {
      names.addFrom((await readFile(full).catch(() => Buffer.alloc(0))).toString('latin1'));
    }
  }
  await names.learn(services);
}

/** A reason instead of a file that cannot be made safe. */
async function toFile(
  services: ExportServices,
  { path, full }: Found,
): Promise<ExportedFile | string> {
  const bytes = await readFile(full).catch(() => undefined);
  if (bytes === undefined) {
    return 'it cannot be read';
  }
  const isText = !bytes.includes(0);
  const { text, count } = redacted(services, bytes);
  if (!isText && count > 0) {
    // Taking something out of it would break it.
    return 'it holds a secret or the path of your home';
  }
  const read = async (): Promise<Uint8Array> =>
    Buffer.from(redacted(services, await readFile(full)).text, 'latin1');
  return { path, sizeBytes: text.length, isText, redactions: count, read };
}

/** One character per byte: keys are ASCII, and all other bytes come back as they were. */
function redacted(
  services: ExportServices,
  bytes: Uint8Array,
): { readonly text: string; readonly count: number } {
  const homes = homeForms().map((home) => Buffer.from(home, 'utf8').toString('latin1'));
  return outgoing(services, Buffer.from(bytes).toString('latin1'), homes);
}

function redactedTask(services: ExportServices, { task }: RunState): string {
  return outgoing(services, task).text;
}
