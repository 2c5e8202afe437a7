import { extname, join, resolve } from 'node:path';
import { UsageError } from '../failure';
import { problemLines } from '../problem-lines';
import type { World } from '../world';
import { shortPath } from './found';
import { isThere, withoutTilde } from './paths';
import { usualModes, writeNew, writeWhole } from './private-file';
import { type TeamPlan } from './team-plan';
import { teamText } from './team-text';
import type { Wizard, WizardApp } from './wizard';

/** Where a name of a team file leads: `~` is the home, and without a suffix it gets one. */
export function teamPath(name: string, { cwd, home }: Pick<World, 'cwd' | 'home'>): string {
  const path = resolve(cwd, withoutTilde(name, { home }));
  return ['.yaml', '.yml'].includes(extname(path).toLowerCase()) ? path : `${path}.yaml`;
}

/**
 * The text of the plan, after the same check as every team file. Warnings are handed to `warn`. Throws `UsageError` with
 * every problem.
 */
export function checkedText(
  app: WizardApp,
  plan: TeamPlan,
  { file, origin, warn }: TextRequest,
): string {
  const text = teamText(plan, origin);
  const result = app.loadConfig(text, file);
  if (result.kind === 'problems') {
    throw new UsageError(
      ['This makes no valid team file:', ...problemLines(result.problems)].join('\n'),
    );
  }
  for (const line of [...problemLines(result.warnings), ...result.config.notices]) {
    warn(line);
  }
  return text;
}

interface TextRequest {
  readonly file: string;
  readonly origin: string;
  readonly warn: (line: string) => void;
}

/** Writes without asking. Throws `UsageError` when a file is there that must not be replaced. */
export async function writeUnasked(
  file: string,
  text: string,
  { force, world }: { readonly force: boolean; readonly world: World },
): Promise<void> {
  if (force) {
    await writeWhole(file, text, usualModes);
  } else if (!(await writeNew(file, text, usualModes))) {
    throw new UsageError(
      `${shortPath(file, world)} is already there.`,
      'Choose another name, or replace it with --force.',
    );
  }
}

/** Writes it there, or where the user wants it instead; `undefined` when he wants it nowhere. */
export async function writeAsked(
  wizard: Wizard,
  text: string,
  wanted: string,
): Promise<string | undefined> {
  const { ask, world } = wizard;
  let file = wanted;
  while (!(await writeNew(file, text, usualModes))) {
    const choice = await ask.choose(`${shortPath(file, world)} is already there.`, [
      { value: 'rename', label: 'Choose another name' },
      { value: 'replace', label: 'Replace it' },
      { value: 'cancel', label: 'Do not save' },
    ] as const);
    if (choice === 'cancel') {
      return undefined;
    }
    if (choice === 'replace') {
      await writeWhole(file, text, usualModes);
      return file;
    }
    file = teamPath(await askForName(wizard, await freeName(file, world)), world);
  }
  return file;
}

export function askForName({ ask, world }: Wizard, proposed: string): Promise<string> {
  return ask.text('Name of the team file', {
    initial: shortPath(proposed, world),
    check: (answer) => (answer === '' ? 'It needs a name.' : undefined),
  });
}

/** `team-2.yaml` for `team.yaml`, or the next number that is free. */
async function freeName(file: string, world: World): Promise<string> {
  const suffix = extname(file);
  const start = file.slice(0, -suffix.length).replace(/-\d+$/, '');
  for (let number = 2; ; number += 1) {
    const name = `${start}-${number}${suffix}`;
    if (!(await isThere(name, world))) {
      return name;
    }
  }
}

/** The usual place of a project's team. */
export function projectTeam({ cwd }: Pick<World, 'cwd'>): string {
  return join(cwd, '.massgen', 'config.yaml');
}

/** Arguments that run this team; a file inside the folder has just been made by the user himself. */
export function runArguments(file: string, task: string): readonly string[] {
  return ['--config', file, '--trust-config', ...(task === '' ? [] : ['--', task])];
}
