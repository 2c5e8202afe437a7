import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { MassGenError } from '../../core/errors';

export interface Python {
  /** The interpreter itself, behind whatever `python3` on PATH is. */
  readonly executable: string;
  /** Folders that it is installed in. */
  readonly folders: readonly string[];
}

const question =
  'import sys, json; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix]))';
const timeoutMs = 10_000;

/** Asks the user's `python3` where it is. Throws `tool/failed` with what to do when there is none. */
export async function findPython(signal: AbortSignal): Promise<Python> {
  try {
    // Neither the project nor the user's own start-up files have a say in this.
    const options = { cwd: tmpdir(), timeout: timeoutMs, signal };
    const { stdout } = await promisify(execFile)('python3', ['-I', '-c', question], options);
    const found: unknown = JSON.parse(stdout);
    const texts = Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
    const [executable, ...folders] = texts;
    if (executable === undefined || executable === '') {
      throw new Error('python3 does not say where it is.');
    }
    return { executable, folders: [...new Set(folders)] };
  } catch (error) {
    signal.throwIfAborted();
    throw new MassGenError('tool/failed', 'python3 was not found, or does not run.', {
      cause: error,
      hint: 'Install Python 3 and have python3 on PATH.',
    });
  }
}
