import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInBackends } from '../../../../src/backends/registry';
import { keySource } from '../../../../src/cli/key-source';
import { setUpKeys } from '../../../../src/cli/wizards/setup-wizard';
import { conduct, type WizardApp } from '../../../../src/cli/wizards/wizard';
import { loadConfig } from '../../../../src/config/load-config';
import { MassGenError } from '../../../../src/core/errors';
import type { BackendKind } from '../../../../src/core/ports/backend-kind';
import { atDesk, type Desk, keys } from '../../../support/person';

/** Keys that were sent to a service, with its type. */
let sent: (readonly [type: string, key: string | undefined])[];
let desk: Desk;

beforeEach(() => {
  sent = [];
  desk = atDesk({ XAI_API_KEY: 'xai-of-the-environment' });
});
afterEach(() => {
  desk.remove();
});

/** Services that take any key but those that begin with `bad`. */
const kinds: readonly BackendKind[] = builtInBackends({ recordingsDir: '/nowhere' }).map((kind) =>
  kind.discover === undefined
    ? kind
    : {
        ...kind,
        discover: async ({ type, apiKeyName }, { secrets }) => {
          const key = await secrets.get(apiKeyName ?? '');
          sent.push([type, key]);
          if (key?.startsWith('bad') === true) {
            throw new MassGenError('backend/auth', `The service refuses ${key}.`, {
              hint: 'Look at its console.',
            });
          }
          return ['one', 'two'];
        },
      },
);

const app: WizardApp = {
  backendKinds: kinds,
  loadConfig: (text, file) => loadConfig(text, file, kinds),
  detectLocalServers: () =>
    Promise.resolve([{ name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['qwen3'] }]),
};

const setUp = (): Promise<number> =>
  conduct({ app, world: desk.world, run: () => Promise.resolve(0) }, async (wizard) => {
    await setUpKeys(wizard);
    return 0;
  });

const homeFile = (): string => join(desk.world.home, '.massgen', '.env');
const ownFile = (): string => join(desk.world.cwd, '.env');
const read = (file: string): string => readFileSync(file, 'utf8');

/** OpenAI is the first of the list, Anthropic the second. */
const both = [keys.space, keys.down, keys.space, keys.enter];

describe('setting up keys', () => {
  it('says what is there, hides what is typed, and keeps it where only the user can read it', async () => {
    const { person } = desk;
    const done = setUp();
    await person.answer('Which services do you have a key for?', ...both);
    await person.answer('value of OPENAI_API_KEY', 'sk-first', keys.enter);
    await person.answer('value of ANTHROPIC_API_KEY', 'sk-ant second', keys.enter);
    await person.answer('Test the keys?', 'n');
    await person.answer('Where are the keys kept?', keys.enter);
    expect(await done).toBe(0);

    expect(person.screen).toContain('xAI Grok: XAI_API_KEY is set (environment)');
    expect(person.screen).toContain('Ollama: server at http://127.0.0.1:11434/v1 with qwen3');
    expect(person.screen).toContain(
      '2 keys were saved in ~/.massgen/.env, which you alone can read.',
    );
    expect(person.sent).not.toMatch(/sk-first|sk-ant|second|xai-of/);
    expect(read(homeFile())).toBe(
      [
        '# Keys for MassGen. Keep this file to yourself, and out of every repository.',
        'OPENAI_API_KEY=sk-first',
        "ANTHROPIC_API_KEY='sk-ant second'",
        '',
      ].join('\n'),
    );
    expect(statSync(homeFile()).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(homeFile())).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(homeFile()))).toEqual(['.env']);
    expect(existsSync(ownFile())).toBe(false);
    expect(sent).toEqual([]);
    expect(await keySource(desk.world).get('ANTHROPIC_API_KEY')).toBe('sk-ant second');
  });

  it('keeps other lines and asks before it replaces a key', async () => {
    mkdirSync(dirname(homeFile()));
    const text = '# my keys\nOPENAI_API_KEY=old # work\nANTHROPIC_API_KEY=old\nOTHER=x';
    writeFileSync(homeFile(), text, { mode: 0o644 });
    const { person } = desk;
    const done = setUp();
    await person.answer('Which services', ...both);
    await person.answer('value of OPENAI_API_KEY', 'new', keys.enter);
    await person.answer('value of ANTHROPIC_API_KEY', 'new', keys.enter);
    await person.answer('Test the keys?', 'n');
    await person.answer('Where are the keys kept?', keys.enter);
    await person.answer('OPENAI_API_KEY is already in ~/.massgen/.env. Replace it?', 'y');
    await person.answer('ANTHROPIC_API_KEY is already in ~/.massgen/.env. Replace it?', 'n');
    await done;
    expect(read(homeFile())).toBe(text.replace('OPENAI_API_KEY=old', 'OPENAI_API_KEY=new'));
    expect(statSync(homeFile()).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['of another encoding', Buffer.from([0x23, 0xe9, 0xff, 0x0a, 0x41, 0x3d, 0xa0, 0x31, 0x0a])],
    ['of UTF-8 with a mark', Buffer.from('\uFEFF# é\r\nÄ=\u00A01\r\n')],
    ['without an end of its last line', Buffer.from('A=1')],
  ])('keeps every byte of a file %s', async (_what, bytes) => {
    mkdirSync(dirname(homeFile()));
    writeFileSync(homeFile(), bytes);
    await saveOne();
    const written = readFileSync(homeFile());
    expect(written.subarray(0, bytes.length)).toEqual(bytes);
    expect(written.subarray(bytes.length).toString().trim()).toBe('OPENAI_API_KEY=new');
  });

  it('makes the file that a link leads to', async () => {
    mkdirSync(dirname(homeFile()));
    symlinkSync('../dotfiles/keys.env', homeFile());
    await saveOne();
    expect(lstatSync(homeFile()).isSymbolicLink()).toBe(true);
    const target = join(desk.world.home, 'dotfiles', 'keys.env');
    expect(read(target)).toContain('OPENAI_API_KEY=new\n');
    expect(statSync(target).mode & 0o777).toBe(0o600);
  });

  async function saveOne(): Promise<void> {
    const { person } = desk;
    const done = setUp();
    await person.answer('Which services', keys.space, keys.enter);
    await person.answer('value of OPENAI_API_KEY', 'new', keys.enter);
    await person.answer('Test the keys?', 'n');
    await person.answer('Where are the keys kept?', keys.enter);
    await done;
  }

  it('writes through a link and leaves it a link', async () => {
    const target = join(desk.world.home, 'dotfiles.env');
    writeFileSync(target, 'A=1\n');
    mkdirSync(dirname(homeFile()));
    symlinkSync(target, homeFile());
    const { person } = desk;
    const done = setUp();
    await person.answer('Which services', keys.space, keys.enter);
    await person.answer('value of OPENAI_API_KEY', 'new', keys.enter);
    await person.answer('Test the keys?', 'n');
    await person.answer('Where are the keys kept?', keys.enter);
    await done;
    expect(read(target)).toBe('A=1\nOPENAI_API_KEY=new\n');
  });

  it('skips what is left empty, and writes nothing when everything is', async () => {
    const { person } = desk;
    const done = setUp();
    await person.answer('Which services', ...both);
    await person.answer('value of OPENAI_API_KEY', keys.enter);
    await person.answer('value of ANTHROPIC_API_KEY', keys.enter);
    await done;
    expect(person.screen).toContain('No key was entered.');
    expect(person.screen).toContain('Models on this machine need no key');
    expect(existsSync(homeFile())).toBe(false);
  });

  it('does not take what is no key', async () => {
    const { person } = desk;
    const done = setUp();
    await person.answer('Which services', keys.space, keys.enter);
    await person.answer('value of OPENAI_API_KEY', 'schlüssel', keys.enter);
    await person.answer('This holds characters that no key has', keys.eraseLine, keys.enter);
    await done;
    expect(existsSync(homeFile())).toBe(false);
  });
});

describe('the test of keys', () => {
  it('sends each key to its own service once, and drops one that fails unless it is wanted', async () => {
    const { person } = desk;
    const done = setUp();
    await person.answer('Which services', ...both);
    await person.answer('value of OPENAI_API_KEY', 'good', keys.enter);
    await person.answer('value of ANTHROPIC_API_KEY', 'bad-key', keys.enter);
    await person.answer('Test the keys?', 'y');
    await person.answer('Save ANTHROPIC_API_KEY all the same?', 'n');
    await person.answer('Where are the keys kept?', keys.enter);
    await done;
    expect(sent).toEqual([
      ['openai', 'good'],
      ['claude', 'bad-key'],
    ]);
    expect(person.screen).toContain('OpenAI: the key works, 2 models.');
    expect(person.screen).toContain(
      'Anthropic Claude: The service refuses (the key). Look at its console.',
    );
    expect(read(homeFile())).not.toContain('bad-key');
    expect(read(homeFile())).toContain('OPENAI_API_KEY=good');
  });
});

describe('a key that is kept in the project', () => {
  const keepHere = async (): Promise<void> => {
    const { person } = desk;
    const done = setUp();
    await person.answer('Which services', keys.space, keys.enter);
    await person.answer('value of OPENAI_API_KEY', 'new', keys.enter);
    await person.answer('Test the keys?', 'n');
    await person.answer('Where are the keys kept?', keys.down, keys.enter);
    await done;
  };
  const git = (...args: readonly string[]): void => {
    execFileSync('git', args, { cwd: desk.world.cwd });
  };

  it('comes with a reminder, and with a warning where git would commit it', async () => {
    git('init', '-q');
    await keepHere();
    expect(statSync(ownFile()).mode & 0o777).toBe(0o600);
    expect(desk.person.screen).toContain('Git does not ignore this .env');
    expect(existsSync(join(desk.world.cwd, '.gitignore'))).toBe(false);
  });

  it('needs no warning where git ignores it', async () => {
    git('init', '-q');
    writeFileSync(join(desk.world.cwd, '.gitignore'), '.env\n');
    await keepHere();
    expect(desk.person.screen).toContain('Never commit a .env');
    expect(desk.person.screen).not.toContain('Git does not ignore');
    expect(read(join(desk.world.cwd, '.gitignore'))).toBe('.env\n');
  });

  it('that the environment overrides is named', async () => {
    desk.remove();
    desk = atDesk({ OPENAI_API_KEY: 'other' });
    await keepHere();
    expect(desk.person.screen).toContain(
      'OPENAI_API_KEY of the environment is used before the one in ./.env.',
    );
  });
});

describe('leaving', () => {
  const steps: readonly (readonly [words: string, ...typed: string[]])[] = [
    ['Which services', keys.space, keys.enter],
    ['value of OPENAI_API_KEY', 'new', keys.enter],
    ['Test the keys?', 'n'],
    ['Where are the keys kept?', keys.enter],
    ['Replace it?'],
  ];

  it.each(
    steps.flatMap(([words], index) =>
      (['interrupt', 'endOfInput'] as const).map((key) => ({ key, words, index })),
    ),
  )('by $key at "$words" changes nothing', async ({ key, words, index }) => {
    mkdirSync(dirname(homeFile()));
    writeFileSync(homeFile(), 'OPENAI_API_KEY=old\n', { mode: 0o644 });
    const { person } = desk;
    const done = setUp();
    for (const [asked, ...typed] of steps.slice(0, index)) {
      await person.answer(asked, ...typed);
    }
    await person.answer(words, keys[key]);
    expect(await done).toBe(4);
    expect(read(homeFile())).toBe('OPENAI_API_KEY=old\n');
    expect(statSync(homeFile()).mode & 0o777).toBe(0o644);
    expect(readdirSync(dirname(homeFile()))).toEqual(['.env']);
    expect(readdirSync(desk.world.cwd)).toEqual([]);
    expect(person.screen).toContain('Left. Nothing further was saved.');
  });

  it('happens by itself when the input ends, and when the command is stopped', async () => {
    const done = setUp();
    await desk.person.reads('Which services');
    desk.person.hangUp();
    expect(await done).toBe(4);

    desk.remove();
    desk = atDesk();
    const controller = new AbortController();
    const stopped = conduct(
      {
        app,
        world: { ...desk.world, interrupted: controller.signal },
        run: () => Promise.resolve(0),
      },
      async (wizard) => {
        await setUpKeys(wizard);
        return 0;
      },
    );
    await desk.person.reads('Which services');
    controller.abort(new Error('stopped'));
    expect(await stopped).toBe(4);
  });

  it('is the only way where nobody can be asked', async () => {
    desk.remove();
    desk = atDesk({}, { isInteractive: false });
    await expect(setUp()).rejects.toThrow('Nobody can be asked here');
    expect(desk.person.screen).toBe('');
  });
});
