// A server of tools, or the service that signs in to it, which means harm.
import { expect, test } from 'vitest';
import { SignIn } from '../../../../../src/tools/mcp/sign-in/sign-in';
import { FakeClock } from '../../../../support/fake-clock';
import { never } from '../../../workspace/temp-project';

const minute = 60_000;
const server = new URL('https://tools.example/mcp');

type Answer = (path: string) => Response | undefined;

interface Stage {
  readonly clock: FakeClock;
  readonly asked: () => number;
  /** One request to the server, and the sign-in that it wants. Answers whether there is one then. */
  readonly attempt: () => Promise<boolean>;
}

/** Somebody who agrees to everything; `isTaken`: whether the server accepts this token. */
function stage(answer: Answer, isTaken: (token: string) => boolean = () => false): Stage {
  const clock = new FakeClock();
  let asked = 0;
  let given = 0;
  const documents = (path: string): Response => {
    given += path === '/token' ? 1 : 0;
    return answer(path) ?? honest(path, given);
  };
  const signIn = new SignIn({
    ...{ server: 'web', url: server, clock, isLocalAllowed: false, conceal: () => undefined },
    fetch: async (url) => documents(new URL(url).pathname),
    signIns: {
      ask: async () => {
        asked += 1;
        return true;
      },
      open: async (page) => {
        const { searchParams } = new URL(page);
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('state', searchParams.get('state') ?? '');
        back.searchParams.set('code', 'one-code');
        await (await fetch(back)).text();
        return true;
      },
      reachable: async (address) => address,
      load: async () => undefined,
      keep: async () => undefined,
    },
  });
  const ask = signIn.through(async (_url, init) => {
    const token = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? '';
    const place = 'https://tools.example/description';
    return isTaken(token)
      ? Response.json({})
      : new Response(null, {
          status: 401,
          headers: { 'www-authenticate': `Bearer resource_metadata="${place}"` },
        });
  });
  return {
    clock,
    asked: () => asked,
    attempt: async () => {
      try {
        await ask(server);
        return true;
      } catch {
        return signIn.signIn(never);
      }
    },
  };
}

/** What a service answers that does as it should. */
function honest(path: string, given: number): Response {
  switch (path) {
    case '/description':
      return Response.json({
        resource: server.href,
        authorization_servers: ['https://sign-in.example'],
      });
    case '/.well-known/oauth-authorization-server':
      return Response.json({
        ...{ issuer: 'https://sign-in.example', response_types_supported: ['code'] },
        authorization_endpoint: 'https://sign-in.example/page',
        token_endpoint: 'https://sign-in.example/token',
        registration_endpoint: 'https://sign-in.example/register',
        code_challenge_methods_supported: ['S256'],
      });
    case '/register':
      return Response.json({ client_id: 'us', redirect_uris: ['http://127.0.0.1/signed-in'] });
    case '/token':
      return Response.json({ access_token: `token-${given}`, token_type: 'bearer' });
    default:
      return new Response(null, { status: 404 });
  }
}

test.each(['/description', '/.well-known/oauth-authorization-server', '/register', '/token'])(
  'a document that is far too long is not read to its end: %s',
  async (path) => {
    const piece = new Uint8Array(64 * 1024).fill(32);
    const length = 32 * 1024 * 1024;
    let longest = 0;
    const endless = (): Response => {
      let taken = 0;
      return new Response(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            controller.enqueue(piece);
            taken += piece.length;
            longest = Math.max(longest, taken);
            if (taken >= length) {
              controller.close();
            }
          },
        }),
        { headers: { 'content-type': 'application/json' } },
      );
    };
    const { attempt } = stage((asked) => (asked === path ? endless() : undefined));
    await attempt().catch(() => undefined);
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(2 * 1024 * 1024);
  },
);

test('nobody is asked again soon when what they signed in to is refused at once', async () => {
  const { attempt, asked, clock } = stage(() => undefined);
  for (let round = 0; round < 4; round++) {
    await attempt();
  }
  expect(asked()).toBe(1);
  clock.advance(16 * minute);
  await attempt();
  expect(asked()).toBe(2);
});

test('somebody is asked again when what they signed in to has been used and is over', async () => {
  let over = '';
  const { attempt, asked } = stage(
    () => undefined,
    (token) => token !== '' && token !== over,
  );
  await attempt();
  expect(await attempt()).toBe(true);
  expect(asked()).toBe(1);
  over = 'token-1';
  expect(await attempt()).toBe(true);
  expect(asked()).toBe(2);
});
