// What becomes of the file that says how the user is signed in, and of what is secret in it.
import {
  existsSync,
  rmSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { concealSignIns } from '../../../../src/backends/agents/sign-in';
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
    const found: string[] = [];
    const paths = ['a.json', 'b.json', 'none.json'].map((name) => join(home, name));
    await concealSignIns([...paths, home], (secret) => found.push(secret));
    expect(found).toEqual([
      ...['first-secret-of-some', 'second-secret-of-some', 'third-secret-of-some'],
    ]);
  });
});
