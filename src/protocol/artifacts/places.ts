// Where the files of a run are: names of folders, made from the log alone so that every reader finds the same ones.
import type { RunId } from '../../base/ids';
import type { AgentInfo, SessionInfo } from '../../run/facts';
import type { RunState } from '../../run/state';

export const logsFolder = 'massgen_logs';

/** `massgen_logs/log_20260314_150926_535123/turn_1`, below the root for artifacts. */
export function turnFolder(run: {
  readonly runId: RunId;
  readonly startedAt: number;
  readonly session: SessionInfo | null;
}): string {
  const name = logFolderName(run);
  return `${logsFolder}/${name}/turn_${run.session?.turn ?? 1}`;
}

/**
 * Named by when the session began, in universal time. Ids of runs begin with that time; the last three digits come from
 * their random part, so that two runs of one moment do not meet.
 */
function logFolderName({ session, runId, startedAt }: Parameters<typeof turnFolder>[0]): string {
  const match = /^(\d{8})-(\d{6})-(\d{3})-([0-9a-f]+)$/.exec(session?.sessionId ?? runId);
  if (match === null) {
    // Who has named a session finds all its turns under that name.
    return session === null ? `log_${stamp(startedAt, 0)}` : `log_${session.sessionId}`;
  }
  const [, date = '', time = '', ms = '', random = ''] = match;
  return `log_${date}_${time}_${ms}${threeDigits(Number.parseInt(random, 16))}`;
}

/**
 * `20260314_150926_535017`, universal time. The log knows milliseconds; the last three digits are the event's number, so
 * that what one agent did within one millisecond has places of its own.
 */
export function stamp(at: number, seq: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  const digits = time.replace(/\D/g, '');
  return `${date.replaceAll('-', '')}_${digits.slice(0, 6)}_${digits.slice(6, 9)}${threeDigits(seq)}`;
}

function threeDigits(value: number): string {
  return String(value % 1000).padStart(3, '0');
}

/** `''` or `attempt_2/`: runs that may start anew keep each attempt in a folder of its own. */
export function attemptFolder({ attempt, settings }: RunState): string {
  return settings.maxRestarts > 0 || attempt > 1 ? `attempt_${attempt}/` : '';
}

const taken: ReadonlySet<string> = new Set(['final', 'agent_outputs']);

/** Folder name per slot: the configured id where it can be one. */
export function agentFolders(agents: readonly AgentInfo[]): ReadonlyMap<number, string> {
  const used = new Set<string>(taken);
  const folders = new Map<number, string>();
  for (const { slot, id } of agents) {
    const plain = id
      .replace(/[^A-Za-z0-9._-]/g, '_')
      .replace(/^\.+/, '_')
      .slice(0, 80);
    const isFree = plain !== '' && !used.has(plain.toLowerCase()) && !/^attempt_\d+$/.test(plain);
    const name = isFree ? plain : `${plain === '' ? 'agent' : plain}_${slot}`;
    used.add(name.toLowerCase());
    folders.set(slot, name);
  }
  return folders;
}

/** Unix seconds with their fraction, as files for scripts give times. */
export function toSeconds(ms: number): number {
  return Math.round(ms) / 1000;
}

/** The text of the final answer, relative to the folder of the turn; `undefined` when there is none. */
export function finalAnswerPath({ agents, finalAnswer }: RunState): string | undefined {
  const folder =
    finalAnswer === null
      ? undefined
      : agentFolders(agents.map(({ info }) => info)).get(finalAnswer.slot);
  return folder === undefined ? undefined : `final/${folder}/answer.txt`;
}
