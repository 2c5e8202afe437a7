import type { App, ContextFolder } from '../../app/app-contract';
import { MassGenError } from '../../core/errors';
import { readSetting } from '../host/read-settings';
import type { Team } from '../host/teams';

/**
 * Looks at everything that the team's file needs on this machine, before anybody is asked. Throws `config/missing-secret`
 * or `config/invalid` with all that is missing, each with its line, and `cancelled/*`.
 */
export async function checkHere(
  app: App,
  { file }: Team,
  folders: readonly ContextFolder[],
  signal: AbortSignal,
): Promise<void> {
  if (file === undefined) {
    return;
  }
  const project = folders[0]?.path;
  const { problems } = await app.checkTeam(
    {
      ...{ text: file.text, file: file.path, level: 'environment' },
      programs: readSetting('programs.paths'),
      ...(project === undefined ? {} : { project }),
    },
    signal,
  );
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const isKey = errors.some(({ code }) => code === 'unset');
    const lines = errors.map(({ line, message }) => `${message} (line ${String(line)})`);
    throw new MassGenError(isKey ? 'config/missing-secret' : 'config/invalid', lines.join('\n'));
  }
}
