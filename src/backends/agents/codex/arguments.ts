import type { BackendSettings } from '../../../core/ports/backend-kind';

/** Arguments of one prompt, which comes over the program's input. Everybody on a machine can read them: they hold no setting. */
export function codexArguments(
  { model }: BackendSettings,
  /** `cwd`: absolute; `resume`: session to go on with. */
  { cwd, resume }: { readonly cwd: string; readonly resume: string | undefined },
): readonly string[] {
  return [
    ...['exec', '--json', '--skip-git-repo-check', '--cd', cwd],
    // It is confined from outside; its own sandbox could not be set up inside of that.
    ...['--sandbox', 'danger-full-access'],
    ...(model === '' ? [] : ['--model', model]),
    ...(resume === undefined ? ['-'] : ['resume', resume, '-']),
  ];
}
