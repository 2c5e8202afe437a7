import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import { UsageError } from '../failure';
import { shortPath } from './found';
import type { Choice } from './asker';
import type { Wizard, WizardApp } from './wizard';

/** Lets the user choose one of all team files that are at their usual places; answers its path. */
export async function chooseTeamFile({ app, ask, world }: Wizard): Promise<string> {
  const { cwd, home, installDir } = world;
  const own = join(home, '.config', 'massgen');
  const places: readonly Place[] = [
    { title: 'project', folder: join(cwd, '.massgen'), depth: 0, isSure: false },
    { title: 'this folder', folder: cwd, depth: 0, isSure: false },
    { title: 'yours', folder: own, depth: 0, isSure: false },
    { title: 'yours', folder: join(own, 'agents'), depth: 0, isSure: false },
    { title: 'example', folder: join(installDir, 'configs'), depth: 6, isSure: true },
  ];
  const found = await Promise.all(places.map((place) => choicesIn(app, place)));
  const choices = found.flat().map(({ value, label, hint }) => ({
    ...{ value, hint },
    label: label === '' ? shortPath(value, world) : label,
  }));
  if (choices.length === 0) {
    throw new UsageError('There is no team file at any usual place.', 'massgen --init makes one.');
  }
  return ask.find('Which team?', choices);
}

interface Place {
  readonly title: string;
  readonly folder: string;
  /** How many folders below are looked through. */
  readonly depth: number;
  /** Everything there is a team file; elsewhere files without agents are left out. */
  readonly isSure: boolean;
}

type FileChoice = Choice<string> & { readonly hint: string };

async function choicesIn(app: WizardApp, place: Place): Promise<readonly FileChoice[]> {
  const files = await filesIn(place.folder, place.depth);
  const choices = await Promise.all(files.map((file) => choiceOf(app, file, place)));
  return choices.flat();
}

/** YAML files in the order of their names; none where the folder cannot be read. */
async function filesIn(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        return depth > 0 ? filesIn(path, depth - 1) : [];
      }
      return /\.ya?ml$/i.test(entry.name) && !entry.isSymbolicLink() ? [path] : [];
    }),
  );
  return found.flat();
}

const mostBytes = 1_000_000;

async function choiceOf(
  app: WizardApp,
  file: string,
  { title, folder, isSure }: Place,
): Promise<readonly FileChoice[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  if (text.length > mostBytes || !(isSure || /^['"]?agents?['"]?\s*:/m.test(text))) {
    return [];
  }
  const result = app.loadConfig(text, file);
  const members =
    result.kind === 'ok'
      ? result.config.agents.map(({ id, backend }) => (backend.model === '' ? id : backend.model))
      : ['has problems'];
  const example = `@examples/${file.slice(folder.length + 1).replaceAll('\\', '/')}`;
  const hint = `${title}: ${revealOnOneLine(members.join(', '))}`;
  return [{ value: file, label: isSure ? example.replace(/\.ya?ml$/i, '') : '', hint }];
}
