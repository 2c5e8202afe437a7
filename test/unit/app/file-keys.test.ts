// Keys that stand in a team file: they reach the service of their own block, and nothing else ever holds them.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileKeys, withFileKeys } from '../../../src/app/file-keys';
import { createTeamTools } from '../../../src/app/team-tools';
import { createTeamLanguage } from '../../../src/config/language/team-language';
import { describeEgress } from '../../../src/config/egress';
import { type CliResult, installCli, type InstalledCli } from '../../support/built-cli';
import { CliStage, words } from '../../support/cli-stage';
import { realClock } from '../../support/real-clock';

/** One of each usual form, by the agent whose block holds it. */
const keys = {
  usual: 'sk-proj-PLANTEDabcdefghijklmnopqrstuv0123',
  legacy: 'gsk_PLANTEDabcdefghijklmnopqrstuvwxyz',
  odd: 'PLANTED/with+odd=signs.and~more',
  plain: 'planted-hunter-2',
} as const;
const header = 'Bearer PLANTED-header-0123456789abcdef';
const cookie = 'session=PLANTED-cookie-42';
const planted = /planted/i;

/** A server of tools that only writes down with what it is asked. */
class Headers {
  readonly seen: string[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.seen.push(`${request.headers.authorization ?? ''} | ${request.headers.cookie ?? ''}`);
    response.writeHead(500).end();
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${String(port)}/mcp`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function everythingIn(dir: string): string {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
}

describe('keys that stand in a team file', () => {
  let install: InstalledCli;
  let stage: CliStage;
  let text: string;
  let file: string;
  let run: CliResult;
  let sent: Readonly<Record<string, readonly string[]>>;
  const headers = new Headers();

  beforeAll(async () => {
    install = await installCli();
    stage = new CliStage(install);
    const url = await headers.open();
    const made = [];
    for (const [id, key] of Object.entries(keys)) {
      // Each says what it must not say, as an agent may that has read the file.
      const { service, file: other } = await stage.team({
        [id]: [
          words.vote('CURRENT ANSWERS', 'agent1'),
          words.answer(`My key is ${key}, and ${header} with ${cookie}.`),
        ],
      });
      const address = /base_url: "([^"]+)"/.exec(readFileSync(other, 'utf8'))?.[1] ?? '';
      made.push({ id, key, service, address });
    }
    const agents = made.map(
      ({ id, key, address }) =>
        `  - id: ${id}\n    backend:\n      type: chatcompletion\n      model: ${id}\n      base_url: ${address}\n      api_key: "${key}"\n`,
    );
    const servers = `      mcp_servers:\n        own: {url: "${url}", allow_local: true, headers: {Authorization: "${header}", Cookie: "${cookie}"}}\n`;
    text = `agents:\n${agents.join('')}${servers}orchestrator: {max_new_answers_per_agent: 1}\n`;
    file = join(stage.home, 'own-keys.yaml');
    writeFileSync(file, text);
    run = await stage.massgen('Say hello.', '--config', file, '--automation', '--debug');
    sent = Object.fromEntries(
      made.map(({ id, service }) => [
        id,
        [...new Set(service.journal.map((entry) => entry.headers['authorization'] ?? ''))],
      ]),
    );
  });
  afterAll(async () => {
    headers.close();
    await stage.close();
  });

  it('each go to the service of their own block, and to no other', () => {
    expect(run.code, run.notes).toBe(0);
    expect(sent).toEqual(
      Object.fromEntries(Object.entries(keys).map(([id, key]) => [id, [`Bearer ${key}`]])),
    );
    expect([...new Set(headers.seen)]).toEqual([`${header} | ${cookie}`]);
  });

  it('are warned of, and stand in no output and in no file of the run', () => {
    expect(run.notes.match(/This key stands in the file\./g)).toHaveLength(6);
    expect(`${run.output}${run.notes}`).not.toMatch(planted);
    const left = everythingIn(stage.storage);
    expect(left).toContain('[secret removed]');
    expect(left).not.toMatch(planted);
    expect(everythingIn(join(stage.home, '.massgen'))).not.toMatch(planted);
    expect(everythingIn(stage.temp)).not.toMatch(planted);
  });

  it('stand in no export and in no check of the file', async () => {
    const out = join(stage.home, 'exported');
    const exported = await stage.massgen('export', '--output', out);
    expect(exported.code, exported.notes).toBe(0);
    expect(everythingIn(out)).not.toMatch(planted);
    const checks = [
      await stage.massgen('--validate', file),
      await stage.massgen('--validate', file, '--json'),
    ];
    for (const { code, output, notes } of checks) {
      expect(code, notes).toBe(0);
      expect(`${output}${notes}`).toContain('This key stands in the file.');
      expect(`${output}${notes}`).not.toMatch(planted);
    }
  });

  it('stand in nothing that is asked about, and in nothing that an editor shows', async () => {
    const tools = createTeamTools({
      installDir: join(import.meta.dirname, '../../..'),
      clock: realClock,
      secrets: { get: async () => undefined },
    });
    const request = { text, file, level: 'environment' } as const;
    const { config, problems } = await tools.checkTeam(request, new AbortController().signal);
    if (config === undefined) {
      throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    const egress = describeEgress(config, tools.backendKinds);
    expect(egress.variables).toEqual([]);
    const own = egress.hosts.filter(({ keys: [key] }) => key?.isOfFile === true);
    expect(own).toHaveLength(4);
    expect(egress.programs).toMatchObject([{ isGivenFileKey: true, variables: [] }]);
    const language = createTeamLanguage(tools.backendKinds);
    const ends = Array.from(text.matchAll(/planted/gi), ({ index }) => index);
    const shown = ends.map((at) => [language.hover(text, at), language.complete(text, at)]);
    const all = [config, problems, egress, language.diagnose(text, file), shown];
    expect(JSON.stringify([...all, tools.effectiveLines(config)])).not.toMatch(planted);
    expect(language.diagnose(text, file).map(({ severity }) => severity)).not.toContain('error');
  });

  it('inside a project are sent only after consent, which says that the file holds them', async () => {
    const inside = join(stage.project, 'team.yaml');
    writeFileSync(inside, text);
    const refused = await stage.massgen('Say hello.', '--config', inside, '--automation');
    expect(refused.code).not.toBe(0);
    expect(refused.notes.match(/, and a key that stands in the file/g)).toHaveLength(4);
    expect(refused.notes).toContain('(with a key that stands in the file)');
    expect(`${refused.output}${refused.notes}`).not.toMatch(/planted|KEY_IN_FILE/i);
  });
});

describe('a store of keys of files', () => {
  it('gives one name to each key of a file, which no other file can ask for', async () => {
    const told: string[] = [];
    const store = new FileKeys((value) => told.push(value));
    const [one, again, other] = [
      store.keep('Bearer key-number-one', '/a.yaml'),
      store.keep('Bearer key-number-one', '/a.yaml'),
      store.keep('Bearer key-number-one', '/b.yaml'),
    ];
    expect(again).toBe(one);
    expect(other).not.toBe(one);
    expect(told).toContain('key-number-one');
    const secrets = withFileKeys({ get: async (name) => `outside ${name}` }, store);
    expect(await secrets.get(one)).toBe('Bearer key-number-one');
    expect(await secrets.get('KEY_IN_FILE_0')).toBeUndefined();
    expect(await secrets.get('X_KEY')).toBe('outside X_KEY');
  });

  it('holds what is no key without hiding the word everywhere', async () => {
    const told: string[] = [];
    const store = new FileKeys((value) => told.push(value));
    expect(store.get(store.keep('lm-studio', '/a.yaml'))).toBe('lm-studio');
    expect(told).toEqual([]);
  });
});
