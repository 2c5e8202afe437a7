import type { App } from '../app/app-contract';
import { formatWhen } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { CleanUpOptions } from './invocation';
import { type ExitCode, exitCodes } from './exit-codes';
import { language } from './language';
import { storageDirOf, withApp } from './open-app';
import { systemClock } from './system-clock';
import { tableLines, tableWidth } from './table';
import type { World } from './world';

/**
 * Removes the oldest runs and copies beyond the limits, and what was left behind; without limits the latter alone. With
 * `--dry-run` it only shows what is kept, and why.
 */
export function cleanUpCommand(options: CleanUpOptions, world: World): Promise<ExitCode> {
  const { output, interrupted } = world;
  const storageDir = storageDirOf(options, world);
  return withApp({ storageDir, debug: options.debug }, world, async (app) => {
    if (!options.dryRun) {
      const freed = await app.retain(options.limits, interrupted);
      output.write(`${inWords(freed)} freed.\n`);
    }
    printUse(await app.storageUse(interrupted), world);
    return exitCodes.done;
  });
}

function printUse(
  { folder, bytes, items }: Awaited<ReturnType<App['storageUse']>>,
  { output }: World,
): void {
  output.write(`${inWords(bytes)} in ${folder}\n`);
  const rows = items.map(({ kind, title, bytes: size, changedAt, keptBecause }) => [
    inWords(size),
    kind,
    formatWhen(changedAt, systemClock.now(), language),
    [
      revealOnOneLine(title).slice(0, 200),
      ...(keptBecause === undefined ? [] : [keptBecause]),
    ].join(' — '),
  ]);
  if (rows.length > 0) {
    const lines = tableLines(['Size', 'What', 'Changed', ''], rows, tableWidth(output, 160));
    output.write(`\n${lines.join('\n')}\n`);
  }
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

function inWords(bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 0), 4);
  const digits = power < 2 ? 0 : 1;
  return `${(bytes / 1000 ** power).toFixed(digits)} ${units[power] ?? 'bytes'}`;
}
