import { describe, expect, it } from 'vitest';
import type { ToolServerConfig } from '../../../../../src/core/ports/backend-kind';
import type { SignIns } from '../../../../../src/core/ports/sign-ins';
import { createRedactor } from '../../../../../src/logging/redactor';
import { SignIn } from '../../../../../src/tools/mcp/sign-in/sign-in';
import type { McpSourceOptions } from '../../../../../src/tools/mcp/source-parts';
import { placeFetch } from '../../../../../src/tools/mcp/web-fetch';
import { FakeClock } from '../../../../support/fake-clock';
import { type McpBench, mcpBench } from '../mcp-bench';
import { serve } from '../web-server';
import { type FakeAuthorization, type FakeOptions, fakeAuthorization } from './fake-authorization';

interface Person {
  readonly asked: string[];
  readonly opened: string[];
  /** What the system keeps. */
  readonly store: Map<string, string>;
  wants: boolean;
}

const openAddresses = async (): Promise<readonly string[]> => [];

/** Somebody at a browser that goes where it is sent. */
function somebody(store = new Map<string, string>()): Person & { readonly signIns: SignIns } {
  const person: Person = { asked: [], opened: [], store, wants: true };
  return Object.assign(person, {
    signIns: {
      ask: async ({ server, host }) => {
        person.asked.push(`${server} at ${host}`);
        return person.wants;
      },
      open: async (address) => {
        person.opened.push(address);
        void fetch(address).then(async (response) => response.text());
        return true;
      },
      reachable: async (address) => address,
      load: async (name) => store.get(name),
      keep: async (name, secret) => {
        if (secret === undefined) {
          store.delete(name);
        } else {
          store.set(name, secret);
        }
      },
    } satisfies SignIns,
  });
}

function at(url: string, more: Partial<ToolServerConfig> = {}): ToolServerConfig {
  return {
    name: 'web',
    transport: { type: 'http', url, headers: {} },
    ...{ excludedTools: [], isLocalAllowed: true, ...more },
  };
}

const redactor = createRedactor();

function signInsOf(
  signIns: SignIns,
  conceal = (secret: string): void => redactor.add(secret),
): NonNullable<McpSourceOptions['signInTo']> {
  const all = new Map<string, SignIn>();
  return (place) => {
    const made =
      all.get(place.url.href) ??
      new SignIn({
        ...{ ...place, signIns, clock: new FakeClock() },
        fetch: placeFetch({ isLocalAllowed: place.isLocalAllowed, openAddresses }),
        conceal,
      });
    all.set(place.url.href, made);
    return made;
  };
}

interface Stage {
  readonly fake: FakeAuthorization;
  readonly person: ReturnType<typeof somebody>;
  readonly signInTo: NonNullable<McpSourceOptions['signInTo']>;
  /** An agent that has the server. */
  readonly agent: () => Promise<McpBench>;
}

async function stage(options: FakeOptions = {}): Promise<Stage> {
  const fake = await fakeAuthorization(options);
  const person = somebody();
  const signInTo = signInsOf(person.signIns);
  return {
    ...{ fake, person, signInTo },
    agent: async () => mcpBench([at(fake.tools.url)], { signInTo }),
  };
}

const failureOf = ({ changes }: McpBench): string | undefined =>
  changes.find(({ status }) => status === 'failed')?.message;

const good = { text: 'from the web', isError: false };

/** Documents of a service that can be signed in to, one address of which is open. */
function answerOf({ pathname }: URL, open: 'description' | 'service' | 'token'): Response {
  const issuer = `${open === 'service' ? 'http' : 'https'}://sign-in.example`;
  switch (pathname) {
    case '/description':
      return Response.json({
        resource: 'https://tools.example/mcp',
        authorization_servers: [issuer],
      });
    case '/.well-known/oauth-authorization-server':
      return Response.json({
        ...{ issuer, response_types_supported: ['code'] },
        authorization_endpoint: 'https://sign-in.example/page',
        token_endpoint: `${open === 'token' ? 'http' : 'https'}://sign-in.example/token`,
        registration_endpoint: 'https://sign-in.example/register',
        code_challenge_methods_supported: ['S256'],
      });
    case '/register':
      return Response.json({ client_id: 'us', redirect_uris: ['http://127.0.0.1/signed-in'] });
    case '/token':
      return Response.json({ access_token: 'one-token', token_type: 'bearer' });
    default:
      return new Response(null, { status: 404 });
  }
}

describe('a server that wants a sign-in', () => {
  it('is used after a person has signed in in the browser, asked once for all agents', async () => {
    const { fake, person, agent } = await stage();
    const [first, second] = await Promise.all([agent(), agent()]);
    await Promise.all([first.tools(), second.tools()]);
    expect(await first.call('mcp__web__echo')).toEqual(good);
    expect(await second.call('mcp__web__echo')).toEqual(good);
    expect(fake.faults).toEqual([]);
    expect(person.asked).toEqual([`web at ${new URL(fake.tools.url).host}`]);
    expect(person.opened).toHaveLength(1);
  });

  it('is told with another way, and nobody is contacted, when nobody wants to sign in', async () => {
    const { fake, person, agent } = await stage();
    person.wants = false;
    const bench = await agent();
    expect(await bench.tools()).toEqual([]);
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toContain('It wants a sign-in in the browser. Get a token for it');
    expect(person.asked).toHaveLength(1);
    expect(fake.service.seen).toEqual([]);
  });

  it('is told with what to write where nobody can sign in', async () => {
    const { fake } = await stage();
    const bench = await mcpBench([at(fake.tools.url)]);
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toBe(
      "It answers nobody whom it does not know. Get a token for it and name it in its entry: headers: { Authorization: 'Bearer ${NAME}' }, with the key NAME.",
    );
  });

  it('is not signed in to when its entry has a key that is not accepted', async () => {
    const { fake, person, signInTo } = await stage();
    const transport = { type: 'http', url: fake.tools.url, headers: { authorization: 'Basic x' } };
    const bench = await mcpBench([at(fake.tools.url, { transport } as Partial<ToolServerConfig>)], {
      signInTo,
    });
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toContain('does not accept the Authorization header of its entry');
    expect(person.asked).toEqual([]);
  });

  it('is used in later runs by what the system keeps, renewed without a question', async () => {
    const { fake, person, agent } = await stage();
    expect(await (await agent()).call('mcp__web__echo')).toEqual(good);
    const later = somebody(person.store);
    const bench = await mcpBench([at(fake.tools.url)], { signInTo: signInsOf(later.signIns) });
    expect(await bench.call('mcp__web__echo')).toEqual(good);
    fake.expire();
    const [one, other] = await Promise.all([
      bench.call('mcp__web__echo'),
      bench.call('mcp__web__echo'),
    ]);
    expect([one, other]).toEqual([good, good]);
    expect(later.asked).toEqual([]);
    expect(fake.paths().filter((path) => path === '/token')).toHaveLength(2);
    expect(fake.faults).toEqual([]);
  });

  it('is used in later runs without a secret of what was kept becoming visible', async () => {
    const { fake, person, agent } = await stage();
    await (await agent()).tools();
    const concealed: string[] = [];
    const later = signInsOf(somebody(person.store).signIns, (secret) => concealed.push(secret));
    const bench = await mcpBench([at(fake.tools.url)], { signInTo: later });
    expect(await bench.call('mcp__web__echo')).toEqual(good);
    // All but the code, which is of no use any more.
    const [, ...tokens] = fake.secrets;
    expect(tokens).toHaveLength(2);
    expect(concealed).toEqual(expect.arrayContaining(tokens));
  });

  it('takes what another window has renewed meanwhile', async () => {
    const { fake, person, agent } = await stage();
    const here = await agent();
    expect(await here.call('mcp__web__echo')).toEqual(good);
    const other = somebody(person.store);
    const there = await mcpBench([at(fake.tools.url)], { signInTo: signInsOf(other.signIns) });
    fake.expire();
    expect(await there.call('mcp__web__echo')).toEqual(good);
    expect(await here.call('mcp__web__echo')).toEqual(good);
    expect([...person.asked, ...other.asked]).toHaveLength(1);
  });

  it('is asked about anew when what was kept is not accepted any more', async () => {
    const { fake, person, agent } = await stage();
    expect(await (await agent()).call('mcp__web__echo')).toEqual(good);
    fake.expire();
    fake.revoke();
    expect(await (await agent()).call('mcp__web__echo')).toEqual(good);
    expect(person.asked).toHaveLength(2);
  });

  it.each<[string, FakeOptions, string]>([
    ['the person says no', { isRefused: true }, 'The sign-in was refused in the browser.'],
    [
      'a service describes itself as another one',
      { issuer: 'https://other.example' },
      'is described as that of https://other.example',
    ],
    [
      'the browser comes back from another service',
      { toldIssuer: 'https://other.example' },
      'The browser came back from another service.',
    ],
    [
      'the server names another one as what is signed in to',
      { resource: 'https://other.example/mcp' },
      'other.example',
    ],
    [
      'the page is none of the web',
      { page: 'vscode://evil.example/run' },
      'Nobody signs in at vscode://evil.example, which is no https address.',
    ],
    ['the service registers nobody', { registers: false }, 'The sign-in did not work'],
  ])('is not used, and nothing is kept, when %s', async (_case, options, words) => {
    const { fake, person, agent } = await stage(options);
    const bench = await agent();
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toContain(words);
    expect(person.store.size).toBe(0);
    expect(fake.paths()).not.toContain('/token');
    expect(person.opened.every((page) => page.startsWith('http://127.0.0.1:'))).toBe(true);
  });

  it('is never signed in to over an open wire', async () => {
    const server = await serve((_request, response) => response.writeHead(401).end());
    const person = somebody();
    const bench = await mcpBench(
      [at(server.url.replace('127.0.0.1', 'open.invalid'), { isLocalAllowed: false })],
      { signInTo: signInsOf(person.signIns), openAddresses: async () => ['127.0.0.1'] },
    );
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toContain('which is no https address');
    expect(person.asked).toEqual([]);
  });

  it.each(['description', 'service', 'token'] as const)(
    'is not signed in to when the address of the %s is none that is closed',
    async (open) => {
      const asked: string[] = [];
      const person = somebody();
      const url = new URL('https://tools.example/mcp');
      const signIn = new SignIn({
        ...{ server: 'web', url, isLocalAllowed: false, clock: new FakeClock() },
        signIns: person.signIns,
        fetch: async (at) => {
          asked.push(String(at));
          return answerOf(new URL(at), open);
        },
        conceal: () => undefined,
      });
      person.signIns.open = async (page) => {
        const { searchParams } = new URL(page);
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        back.search = `code=one-code&state=${searchParams.get('state') ?? ''}`;
        void fetch(back).then(async (response) => response.text());
        return true;
      };
      const place = `${open === 'description' ? 'http' : 'https'}://tools.example/description`;
      const refused = signIn.through(async () => {
        const headers = { 'www-authenticate': `Bearer resource_metadata="${place}"` };
        return new Response(null, { status: 401, headers });
      });
      await expect(refused(url)).rejects.toMatchObject({ code: 'tool/denied' });
      const { signal } = new AbortController();
      // A description that cannot be read leaves the server to be its own service.
      const words =
        open === 'description' ? 'is described as that of' : 'which is no https address';
      await expect(signIn.signIn(signal)).rejects.toThrow(words);
      expect(asked.filter((each) => !each.startsWith('https://'))).toEqual([]);
      expect(person.store.size).toBe(0);
    },
  );

  it('gets nothing of what was kept for another one that had its name', async () => {
    const { person, agent } = await stage();
    expect(await (await agent()).call('mcp__web__echo')).toEqual(good);
    const other = await fakeAuthorization({});
    const later = somebody(person.store);
    later.wants = false;
    const bench = await mcpBench([at(other.tools.url)], { signInTo: signInsOf(later.signIns) });
    expect(await bench.tools()).toEqual([]);
    expect(later.asked).toHaveLength(1);
    expect(other.tools.seen.length).toBeGreaterThan(0);
    expect(other.tools.seen.map(({ headers }) => headers.authorization ?? '')).toEqual(
      other.tools.seen.map(() => ''),
    );
  });

  it('leaves no secret of the sign-in in what is told or written', async () => {
    const { fake, agent } = await stage();
    const bench = await agent();
    await bench.call('mcp__web__echo');
    fake.expire();
    await bench.call('mcp__web__echo');
    // A code, and two pairs of tokens.
    expect(fake.secrets).toHaveLength(5);
    expect(JSON.stringify(bench.changes)).not.toMatch(new RegExp(fake.secrets.join('|')));
    for (const secret of fake.secrets) {
      expect(redactor.redact(`it is ${secret}.`)).toBe('it is [secret removed].');
    }
  });
});
