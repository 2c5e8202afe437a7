// What becomes of the file that says how the user is signed in, and of what is secret in it.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KeptSignIn } from '../../../../src/backends/agents/kept-sign-in';
import { ConcealedSignIns } from '../../../../src/backends/agents/sign-in';
import { StateFolder } from '../../../../src/backends/agents/state-folder';
import { fill, tempFolder } from '../../workspace/temp-project';

const signIn = JSON.stringify({ oauth: { accessToken: 'a-long-access-token-1' }, kind: 'x' });

async function signedIn(): Promise<{ state: StateFolder; path: string }> {
  const home = tempFolder();
  fill(home, { 'own/credentials.json': signIn });
  const path = join(home, 'own/credentials.json');
  return { state: await StateFolder.create(home, 'claude', { path, name: 'c.json' }), path };
}

describe('how the user is signed in', () => {
  test.each(['', 'not json', '{}', '[]', '{"oauth":{}}'])(
    'comes back when a program has spoiled it with %j',
    async (spoiled) => {
      const { state, path } = await signedIn();
      writeFileSync(join(state.path, 'c.json'), spoiled);
      await state.remove();
      expect(readFileSync(path, 'utf8')).toBe(signIn);
    },
  );

  test('stays as a program has renewed it in place', async () => {
    const { state, path } = await signedIn();
    const renewed = signIn.replace('token-1', 'token-2');
    writeFileSync(join(state.path, 'c.json'), renewed);
    await state.remove();
    expect(readFileSync(path, 'utf8')).toBe(renewed);
  });

  test('does not come back when the user has signed out meanwhile', async () => {
    const { state, path } = await signedIn();
    rmSync(path);
    await state.remove();
    expect(existsSync(path)).toBe(false);
  });

  test('stays a link where the user has made it one', async () => {
    const home = tempFolder();
    mkdirSync(join(home, 'own'));
    fill(home, { 'kept/credentials.json': signIn });
    const path = join(home, 'own/credentials.json');
    symlinkSync(join(home, 'kept/credentials.json'), path);
    const state = await StateFolder.create(home, 'claude', { path, name: 'c.json' });
    writeFileSync(path, '');
    await state.remove();
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(signIn);
  });

  test('is concealed wherever the program may show it', async () => {
    const home = tempFolder();
    const value = {
      ...{ OPENAI_API_KEY: null, token_type: 'Bearer', last: '2026-01-01T00:00:00.000Z' },
      tokens: { access: 'first-secret-of-some', inner: { x: ['second-secret-of-some'] } },
      refresh_token: 'third-secret-of-some',
    };
    fill(home, { 'a.json': JSON.stringify(value), 'b.json': 'no json' });
    expect(await concealedIn(home, ['a.json', 'b.json', 'none.json'])).toEqual([
      ...['first-secret-of-some', 'second-secret-of-some', 'third-secret-of-some'],
    ]);
  });

  test.each([
    ['provider: openai\nAPI_KEY: "secret-of-yaml-0001"\nhost: https://a.example/long/path\n'],
    ['tokens:\n  access: secret-of-yaml-0001\n  list:\n    - plain\nname: a-name-that-is-long\n'],
    ['oauth_token: |\n  secret-of-yaml-0001\nnot_it: a-name-that-is-long\n'],
    ['# key = "comment-that-is-long"\n[auth]\napi_key = "secret-of-yaml-0001" # of me\n'],
    ['[tokens]\nrefresh = \'secret-of-yaml-0001\'\n[other]\nname = "a-name-that-is-long"\n'],
    ['auth = { user = "someone-with-a-name", token = "secret-of-yaml-0001" }\n'],
    ['export SERVICE_TOKEN=secret-of-yaml-0001\n'],
    ['machine a.example login someone-with-a-name password secret-of-yaml-0001\n'],
    ['secret-of-yaml-0001\n'],
  ])('is concealed in every form: %j', async (text) => {
    const home = tempFolder();
    fill(home, { 'kept/sign-in': text });
    expect(await concealedIn(home, ['kept/sign-in'])).toEqual(['secret-of-yaml-0001']);
    expect(await concealedIn(home, ['kept'])).toEqual(['secret-of-yaml-0001']);
  });

  test('is concealed anew when it was renewed, and read only then', async () => {
    const { state, path } = await signedIn();
    const found: string[] = [];
    const signIns = new ConcealedSignIns(state.signIns, (secret) => found.push(secret));
    await signIns.look();
    await signIns.look();
    // Once through the link.
    expect(found).toEqual(['a-long-access-token-1', 'a-long-access-token-1']);
    renameSync(
      written(join(state.path, 'new'), signIn.replace('token-1', 'token-2')),
      join(state.path, 'c.json'),
    );
    await signIns.look();
    writeFileSync(path, signIn.replace('token-1', 'token-3'));
    await signIns.look();
    expect(found.slice(2)).toEqual(['a-long-access-token-2', 'a-long-access-token-3']);
    await state.remove();
  });

  test.each([
    ['key: secret-of-yaml-0001\n', '', true],
    ['key: secret-of-yaml-0001\n', 'spoiled\n', true],
    ['key: secret-of-yaml-0001\n', 'key: secret-of-yaml-0002\nmore: 1\n', false],
    ['secret-of-yaml-0001', 'secret-of-yaml-0002', false],
    ['mode: fast\n', 'mode: slow\n', false],
    [signIn, 'not json', true],
  ])('that was %j comes back from %j: %j', async (before, after, isBack) => {
    const home = tempFolder();
    fill(home, { 'own/a': before });
    const kept = await KeptSignIn.at([join(home, 'own'), join(home, 'none')]);
    writeFileSync(join(home, 'own/a'), after);
    await Promise.all(kept.map(async (one) => one.restore()));
    expect(readFileSync(join(home, 'own/a'), 'utf8')).toBe(isBack ? before : after);
  });

  test('that a killed run renewed is taken back also by a run that needs none', async () => {
    const home = tempFolder();
    fill(home, { 'own/credentials.json': signIn });
    const credential = { path: join(home, 'own/credentials.json'), name: 'c.json' };
    const renewed = signIn.replace('token-1', 'token-2');
    for (const isUsed of [true, false]) {
      const state = await StateFolder.create(home, 'claude', credential, isUsed);
      const left = state.path.replace(`-${process.pid}-`, `-${spawnSync('true').pid}-`);
      renameSync(state.path, left);
      rmSync(join(left, 'c.json'), { force: true });
      // What a program with a key writes there is nothing that the user has to sign in with.
      writeFileSync(join(left, 'c.json'), isUsed ? renewed : '{"oauth":{"accessToken":"x"}}');
    }
    const next = await StateFolder.create(home, 'claude', credential, false);
    expect(readFileSync(credential.path, 'utf8')).toBe(renewed);
    expect(readdirSync(join(home, '.cache/massgen'))).toEqual([basename(next.path)]);
    expect(readdirSync(next.path)).toEqual([]);
    await next.remove();
  });
});

function written(path: string, text: string): string {
  writeFileSync(path, text);
  return path;
}

async function concealedIn(home: string, names: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const paths = names.map((name) => join(home, name));
  await new ConcealedSignIns(paths, (secret) => found.push(secret)).look();
  return found;
}
