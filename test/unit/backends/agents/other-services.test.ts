// A team file may send an agent program to another service: what is secret of its own service is not for that one.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAcpKind } from '../../../../src/backends/agents/acp/index';
import { createClaudeCodeKind } from '../../../../src/backends/agents/claude-code/index';
import { createCodexKind } from '../../../../src/backends/agents/codex/index';
import type { OptionValue, ProgramKind } from '../../../../src/core/ports/backend-kind';
import type { Program, ProgramRequest } from '../../../../src/core/ports/workspace';
import { servicesWith } from '../../../contract/backend-kit';
import { SpawningWorkspace } from '../../../support/spawning-workspace';
import { fill, never, tempFolder } from '../../workspace/temp-project';

type Options = Readonly<Record<string, OptionValue>>;

interface Case {
  readonly kind: (home: string) => ProgramKind;
  readonly at: (address: string | undefined) => Options;
  readonly own: string;
  readonly usualKey: string;
  /** Below the home. */
  readonly signIn: string;
}

const byBaseUrl = (address: string | undefined): Options =>
  address === undefined ? {} : { base_url: address };

const cases: Readonly<Record<string, Case>> = {
  'Claude Code': {
    kind: (home) => createClaudeCodeKind(home, 'linux'),
    at: byBaseUrl,
    ...{ own: 'https://api.anthropic.com', usualKey: 'ANTHROPIC_API_KEY' },
    signIn: '.claude/.credentials.json',
  },
  Codex: {
    ...{ kind: createCodexKind, at: byBaseUrl },
    ...{ own: 'https://api.openai.com/v1', usualKey: 'OPENAI_API_KEY' },
    signIn: '.codex/auth.json',
  },
  'Gemini CLI': {
    kind: createAcpKind,
    at: (address) => ({
      command: ['gemini', '--acp'],
      ...(address === undefined ? {} : { env: { GOOGLE_GEMINI_BASE_URL: address } }),
    }),
    own: 'https://generativelanguage.googleapis.com',
    usualKey: 'GEMINI_API_KEY',
    signIn: '.gemini/oauth_creds.json',
  },
};

/** Keeps what a program is given, and starts another one in its place. */
class Giving extends SpawningWorkspace {
  readonly given: ProgramRequest[] = [];

  override async startProgram(request: ProgramRequest, signal: AbortSignal): Promise<Program> {
    this.given.push(request);
    return super.startProgram({ ...request, argv: [process.execPath, '--version'] }, signal);
  }
}

/** Everything that the program is given, as one text. */
async function given(
  { kind, signIn }: Case,
  options: Options,
  { apiKeyName, ...keys }: Readonly<Record<string, string>>,
): Promise<string> {
  const home = tempFolder();
  fill(home, { [signIn]: '{"token":"of-the-user"}' });
  const workspace = new Giving(home);
  const backend = await kind(home).createIn(
    workspace,
    { type: 'x', model: '', apiKeyName, options },
    { ...servicesWith(keys), toolServers: [] },
    never,
  );
  onTestFinished(async () => backend.close());
  return JSON.stringify(workspace.given);
}

const settingsOf = (options: Options): Parameters<ProgramKind['commandOf']>[0] => ({
  ...{ type: 'x', model: '', apiKeyName: undefined, options },
});

describe.each(Object.entries(cases))('%s', (_name, one) => {
  const { kind, at, own, usualKey, signIn } = one;

  test.each([
    'https://elsewhere.example/v1',
    'http://127.0.0.1:9',
    `${new URL(own).origin}.elsewhere.example`,
  ])('gives %s neither a key that is not named nor how the user is signed in', async (address) => {
    const withKey = await given(one, at(address), { [usualKey]: 'usual-key' });
    expect(withKey).not.toContain('usual-key');
    const signedIn = await given(one, at(address), {});
    expect(signedIn).not.toContain(signIn);
    expect(kind('/home/x').givenKeysOf?.(settingsOf(at(address)))).toEqual([]);
  });

  test('gives them to the service of its maker, and says so before', async () => {
    for (const address of [undefined, own]) {
      expect(await given(one, at(address), { [usualKey]: 'usual-key' })).toContain('usual-key');
      expect(await given(one, at(address), {})).toContain(signIn);
      expect(kind('/home/x').givenKeysOf?.(settingsOf(at(address)))).toContain(usualKey);
    }
  });
});

test.each(['Claude Code', 'Codex'])(
  '%s gives another service the key that is named',
  async (name) => {
    const one = cases[name];
    const options = one?.at('https://elsewhere.example') ?? {};
    const keys = { apiKeyName: 'OTHER', OTHER: 'other-key' };
    expect(one === undefined ? '' : await given(one, options, keys)).toContain('other-key');
  },
);
