import { type ExitCode, exitCodes } from '../exit-codes';
import { systemClock } from '../system-clock';
import { askForCount, chooseMembers } from './choose-members';
import { foundLines, hintAtLocalModels, lookAround, shortPath } from './found';
import { isThere, withoutTilde } from './paths';
import { setUpKeys } from './setup-wizard';
import { isLocalTeam, type PlannedPath, sourcesOf, usualLimits } from './team-plan';
import type { Wizard } from './wizard';
import { checkedText, projectTeam, runArguments, teamPath, writeAsked } from './write-team';

/** A team in a few questions: how many, who, which folder, and off it goes. */
export async function quickstart(wizard: Wizard, config: string | undefined): Promise<ExitCode> {
  const { app, ask, world } = wizard;
  const found = await lookAround(app, world);
  ask.say('Found:', ...foundLines(found));
  const sources = sourcesOf(found, app.backendKinds, systemClock.now());
  if (sources.length === 0) {
    return withoutSource(wizard, () => quickstart(wizard, config));
  }
  const count = await askForCount(wizard, 3);
  const members = await chooseMembers(wizard, sources, count);
  const paths = await askForFolder(wizard);
  const isLocal = isLocalTeam(members, sources);
  const file = config === undefined ? projectTeam(world) : teamPath(config, world);
  const plan = { name: 'Quick team', members, paths, limits: usualLimits(isLocal) };
  const text = checkedText(app, plan, { file, origin: 'Written by massgen --quickstart', warn });
  ask.show(`${shortPath(file, world)}:`, text);
  if (!(await ask.confirm('Save it?', true))) {
    ask.end('Nothing was saved.');
    return exitCodes.done;
  }
  const saved = await writeAsked(wizard, text, file);
  return saved === undefined ? nothingSaved(wizard) : offerRun(wizard, saved);

  function warn(line: string): void {
    ask.warn(line);
  }
}

/** After keys: a team of them, if it is wanted. */
export async function offerQuickstart(wizard: Wizard): Promise<ExitCode> {
  if (await wizard.ask.confirm('Make a team now?', true)) {
    return quickstart(wizard, undefined);
  }
  wizard.ask.end('massgen --quickstart makes a team, massgen --help says the rest.');
  return exitCodes.done;
}

/** Keys first: without any there is nothing to make a team of. `again`: with them. */
export async function withoutSource(
  wizard: Wizard,
  again: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const { ask } = wizard;
  const isWanted = await ask.confirm('A team needs at least one model. Enter a key now?', true);
  if (isWanted && (await setUpKeys(wizard)) > 0) {
    return again();
  }
  // Who entered none has just read the hint.
  ask.end(isWanted ? 'No team was made.' : hintAtLocalModels);
  return exitCodes.usage;
}

export function nothingSaved({ ask }: Wizard): ExitCode {
  ask.end('Nothing was saved.');
  return exitCodes.done;
}

/** The folder that the agents see, with the least permission unless the user gives more. */
export async function askForFolder(wizard: Wizard, initial = '.'): Promise<readonly PlannedPath[]> {
  const { ask, world } = wizard;
  const written = await ask.text('Which folder may the agents read? (empty: none)', { initial });
  if (written === '') {
    return [];
  }
  const path = withoutTilde(written, world);
  if (!(await isThere(path, world))) {
    ask.warn(`${written} is not there.`);
    return askForFolder(wizard, initial);
  }
  const permission = await ask.choose('What may they do there?', [
    { value: 'read', label: 'Read', hint: 'answers in words' },
    {
      value: 'write',
      label: 'Read, and propose changes',
      hint: 'in copies; your files change only when you accept',
    },
  ] as const);
  return [{ path, permission }];
}

/** The first task at once, or what to write later. */
export async function offerRun(
  { ask, world, run }: Wizard,
  file: string,
  before = 'Saved in',
): Promise<ExitCode> {
  ask.say(`${before} ${shortPath(file, world)}`);
  const choice = await ask.choose('Run the team now?', [
    { value: 'task', label: 'Yes, with a task' },
    { value: 'talk', label: 'Yes, and talk to it' },
    { value: 'later', label: 'Later' },
  ] as const);
  if (choice === 'later') {
    ask.end(`Run it with: massgen --config ${shortPath(file, world)} --trust-config "what to do"`);
    return exitCodes.done;
  }
  const task =
    choice === 'talk'
      ? ''
      : await ask.text('What is the task?', {
          check: (answer) => (answer === '' ? 'Say what to do.' : undefined),
        });
  ask.end('Off we go.');
  return run(runArguments(file, task));
}
