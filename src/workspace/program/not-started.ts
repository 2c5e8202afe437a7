// Why a program did not start inside of the sandbox, which sees less of the machine than whoever wrote its name.
import { isAbsolute } from 'node:path';
import { MassGenError } from '../../core/errors';
import { isBelow } from '../confinement/hidden-places';
import { emptiedFolders } from '../confinement/sandbox-arguments';
import { filesOf } from './installation';

export interface NotStarted {
  /** As it was asked for. */
  readonly program: string;
  readonly searchPath: string;
  /** Of which programs are shown, wherever they are. */
  readonly homes: readonly string[];
  /** The system's own words. */
  readonly words: string;
}

const hiddenHint =
  'Install it in a folder of the system or of your home, or let its entry name such a place.';

/** What is missing, where it was looked for and what to do. */
export async function notStarted(asked: NotStarted): Promise<MassGenError> {
  const { program, searchPath, words } = asked;
  if (/\bEACCES\b/.test(words)) {
    return failed(`${program} is no program that may be started.`, 'Look at its permissions.');
  }
  if (!/\bENOENT\b/.test(words)) {
    return failed(`${program} did not start: ${words}.`);
  }
  // The program, then what its first line names: each has to be there and to be seen.
  const needed = await filesOf(program, searchPath);
  for (const [index, { name, file }] of needed.entries()) {
    const runs = needed[index - 1]?.name;
    const what = runs === undefined ? name : `${name}, which ${runs} is run by,`;
    if (file === undefined) {
      const where = isAbsolute(name) ? '' : ' in the folders of PATH';
      return failed(`${what} cannot be found${where}.`, 'Install it, or correct its path.');
    }
    const around = hiddenBy(name, asked) ?? hiddenBy(file, asked);
    if (around !== undefined) {
      const hidden = `${what} is there, but hidden: nothing below ${around} is seen by what runs confined.`;
      return failed(hidden, hiddenHint);
    }
  }
  return failed(
    `${program} is there, but did not start: something that it needs is missing, or hidden from what runs confined.`,
    hiddenHint,
  );
}

/** The folder that the sandbox has an empty one in place of. */
function hiddenBy(path: string, { homes }: NotStarted): string | undefined {
  return homes.some((home) => isBelow(path, home))
    ? undefined
    : emptiedFolders.find((folder) => isBelow(path, folder));
}

function failed(message: string, hint?: string): MassGenError {
  return new MassGenError('tool/failed', message, hint === undefined ? {} : { hint });
}
