import { join } from 'node:path';
import { counted } from '../../run/selectors/formats';
import { findKey } from '../key-source';
import { parseEnvFile } from '../env-file';
import type { Choice } from './asker';
import { envValueProblem, withVariables } from './env-text';
import { type FoundService, foundLines, hintAtLocalModels, lookAround, shortPath } from './found';
import { isGitIgnored } from './git-ignored';
import { exactTextOrNothing, privateModes, textOrNothing, writeWhole } from './private-file';
import { testKey } from './test-key';
import type { Wizard } from './wizard';

/** Asks for keys and keeps them; answers how many were saved. Nothing is written before the last question. */
export async function setUpKeys(wizard: Wizard): Promise<number> {
  const { app, ask, world } = wizard;
  const found = await lookAround(app, world);
  ask.say('Found:', ...foundLines(found));
  const chosen = await ask.chooseSeveral(
    'Which services do you have a key for? (space marks, Enter goes on)',
    found.services.map(choiceOf),
  );
  const entered = await askForKeys(wizard, chosen);
  if (entered.length === 0) {
    ask.say('No key was entered.', hintAtLocalModels);
    return 0;
  }
  const keys = await tested(wizard, entered);
  const file = await askForPlace(wizard);
  const values = await withoutKept(wizard, keys, file);
  if (values.size === 0) {
    ask.say('There is nothing to save.');
    return 0;
  }
  await save(wizard, file, values);
  return values.size;
}

interface EnteredKey {
  readonly service: FoundService;
  readonly name: string;
  readonly value: string;
}

function choiceOf(service: FoundService): Choice<FoundService> {
  const { kind, key, keyNames } = service;
  const hint = key === undefined ? keyNames[0] : `${key.name} is set (${key.place})`;
  return { value: service, label: kind.title, hint };
}

async function askForKeys(
  { ask }: Wizard,
  services: readonly FoundService[],
): Promise<readonly EnteredKey[]> {
  const entered: EnteredKey[] = [];
  for (const service of services) {
    const name = service.key?.name ?? service.keyNames[0];
    const value = await ask.secret(
      `${service.kind.title}: value of ${name} (hidden; empty skips it)`,
      (answer) => (answer === '' ? undefined : envValueProblem(answer)),
    );
    if (value !== '') {
      entered.push({ service, name, value });
    }
  }
  return entered;
}

/** Those keys that work, or that the user keeps all the same. */
async function tested(
  { ask, world }: Wizard,
  keys: readonly EnteredKey[],
): Promise<readonly EnteredKey[]> {
  const question =
    'Test the keys? Each is sent to its own service once, which lists its models and charges nothing.';
  if (!(await ask.confirm(question, true))) {
    return keys;
  }
  const kept: EnteredKey[] = [];
  for (const key of keys) {
    const { title } = key.service.kind;
    const result = await testKey(key.service.kind, key, world);
    if (result.kind === 'works') {
      ask.say(`${title}: the key works, ${counted(result.models, 'model', 'models')}.`);
      kept.push(key);
    } else if (result.kind === 'unknown') {
      ask.say(`${title}: ${result.reason}`);
      kept.push(key);
    } else {
      ask.warn(`${title}: ${result.reason}`);
      if (await ask.confirm(`Save ${key.name} all the same?`, false)) {
        kept.push(key);
      }
    }
  }
  return kept;
}

async function askForPlace({ ask, world }: Wizard): Promise<string> {
  return ask.choose('Where are the keys kept?', [
    {
      value: join(world.home, '.massgen', '.env'),
      label: '~/.massgen/.env',
      hint: 'for every project of yours',
    },
    { value: join(world.cwd, '.env'), label: './.env', hint: 'for this folder alone' },
  ]);
}

/** What is to be written: keys that are already there are replaced only when the user says so. */
async function withoutKept(
  { ask, world }: Wizard,
  keys: readonly EnteredKey[],
  file: string,
): Promise<ReadonlyMap<string, string>> {
  const existing = parseEnvFile(await textOrNothing(file));
  const values = new Map<string, string>();
  for (const { name, value } of keys) {
    const old = existing.get(name) ?? '';
    const isOther = old !== '' && old !== value;
    const question = `${name} is already in ${shortPath(file, world)}. Replace it?`;
    if (!isOther || (await ask.confirm(question, true))) {
      values.set(name, value);
    }
  }
  return values;
}

const head = '# Keys for MassGen. Keep this file to yourself, and out of every repository.\n';

async function save(
  { ask, world }: Wizard,
  file: string,
  values: ReadonlyMap<string, string>,
): Promise<void> {
  // Read again: it may have changed while the user was asked.
  const { text, encoding } = await exactTextOrNothing(file);
  const changed = withVariables(text === '' ? head : text, values);
  await writeWhole(file, Buffer.from(changed, encoding), privateModes);
  const place = shortPath(file, world);
  ask.say(
    `${counted(values.size, 'key was', 'keys were')} saved in ${place}, which you alone can read.`,
  );
  await warnOfShadows({ ask, world }, file, values);
  if (file === join(world.cwd, '.env')) {
    const isIgnored = await isGitIgnored(file, world.interrupted);
    if (isIgnored === false) {
      ask.warn('Git does not ignore this .env: add it to .gitignore before you commit anything.');
    } else {
      ask.say('Never commit a .env: it belongs in .gitignore.');
    }
  }
}

/** A key that stands somewhere else comes first there, so that the new one is not used. */
async function warnOfShadows(
  { ask, world }: Pick<Wizard, 'ask' | 'world'>,
  file: string,
  values: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [name, value] of values) {
    const used = await findKey(name, world);
    if (used !== undefined && used.value !== value) {
      const place = used.file === undefined ? 'the environment' : shortPath(used.file, world);
      ask.warn(`${name} of ${place} is used before the one in ${shortPath(file, world)}.`);
    }
  }
}
