// A commit of exactly the named files, whatever else is staged. Runs the user's own git in the user's own repository.
import { execFile } from 'node:child_process';
import { relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface CommitRequest {
  /** Path of the git program. */
  readonly git: string;
  /** Absolute path of the repository's working folder. */
  readonly repository: string;
  /** Absolute paths; a path that is gone is committed as deleted. */
  readonly files: readonly string[];
  readonly message: string;
}

/** Rejects with what git said. What was staged before stays staged, and nothing else gets into the commit. */
export async function commitFiles(request: CommitRequest, signal: AbortSignal): Promise<void> {
  const { repository, message } = request;
  const paths = request.files.map((file) => relative(repository, file));
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run(request.git, ['-C', repository, ...args], { signal, maxBuffer: 16_000_000 })).stdout;
  const known = await git('ls-files', '-z', '--', ...paths.map(literal));
  const tracked = new Set(known.split('\0'));
  const isNew = paths.filter((path) => !tracked.has(path));
  // A commit of named files takes only files that git knows of.
  if (isNew.length > 0) {
    await git('add', '--intent-to-add', '--', ...isNew.map(literal));
  }
  try {
    await git('commit', '--only', '--message', message, '--', ...paths.map(literal));
  } catch (error) {
    if (isNew.length > 0) {
      await git('reset', '--quiet', '--', ...isNew.map(literal));
    }
    throw error;
  }
}

/** A file name that looks like a pattern is no pattern. */
function literal(path: string): string {
  return `:(top,literal)${path}`;
}

/** What goes into the message: the first line of the task, short enough for a subject. */
export function proposedMessage(task: string): string {
  const [first = ''] = task.trim().split('\n');
  return first.length <= 72 ? first : `${first.slice(0, 71).trimEnd()}…`;
}

/** Lines at the end of a message that name where the changes come from. */
export function withTrailers(
  message: string,
  answers: readonly { readonly label: string; readonly model: string }[],
): string {
  const lines = answers.map(({ label, model }) => `MassGen-Answer: ${label} (${model})`);
  return lines.length === 0 ? message : `${message.trimEnd()}\n\n${lines.join('\n')}\n`;
}
