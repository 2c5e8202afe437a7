// A service that signs in, and a server of tools behind it, both as strict as real ones.
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type WebServer, answer, serve } from '../web-server';

export interface FakeOptions {
  /** Another issuer than the real one, in its own description. */
  readonly issuer?: string;
  /** Another issuer than the real one, in the address that the browser is sent back to. */
  readonly toldIssuer?: string;
  /** Another resource than the server, in the server's description. */
  readonly resource?: string;
  /** Another page for signing in. */
  readonly page?: string;
  /** The person says no on the page. */
  readonly isRefused?: boolean;
  readonly registers?: boolean;
}

export interface FakeAuthorization {
  readonly service: WebServer;
  readonly tools: WebServer;
  /** What went wrong in requests of the client, as a real service would log it. */
  readonly faults: readonly string[];
  /** Every secret that was given out. */
  readonly secrets: readonly string[];
  /** What was asked of the service, by path. */
  readonly paths: () => readonly string[];
  /** From now on this token is refused, as when its time is over. */
  expire(): void;
  /** From now on nothing can be renewed. */
  revoke(): void;
}

interface Grant {
  readonly client: string;
  readonly redirect: string;
  readonly challenge: string;
  readonly resource: string;
}

export async function fakeAuthorization(options: FakeOptions = {}): Promise<FakeAuthorization> {
  const faults: string[] = [];
  const secrets: string[] = [];
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, Grant>();
  const renewals = new Map<string, string>();
  let valid = '';

  const issue = (client: string): Readonly<Record<string, unknown>> => {
    valid = `access-${randomUUID()}`;
    const renewal = `renewal-${randomUUID()}`;
    renewals.set(renewal, client);
    secrets.push(valid, renewal);
    return { access_token: valid, token_type: 'Bearer', expires_in: 60, refresh_token: renewal };
  };

  const register = (response: ServerResponse, body: string): void => {
    const asked = JSON.parse(body) as { redirect_uris?: string[]; grant_types?: string[] };
    const [redirect = ''] = asked.redirect_uris ?? [];
    if (!/^http:\/\/127\.0\.0\.1:\d+\/\S+$/.test(redirect)) {
      faults.push(`redirect ${redirect}`);
      json(response, 400, { error: 'invalid_redirect_uri' });
      return;
    }
    const id = `client-${randomUUID()}`;
    clients.set(id, [redirect]);
    json(response, 201, { ...asked, client_id: id });
  };

  const authorize = (response: ServerResponse, asked: URLSearchParams): void => {
    const [client, redirect] = [asked.get('client_id') ?? '', asked.get('redirect_uri') ?? ''];
    const wanted = {
      client: clients.get(client)?.includes(redirect) === true,
      type: asked.get('response_type') === 'code',
      method: asked.get('code_challenge_method') === 'S256',
      challenge: /^[\w-]{43}$/.test(asked.get('code_challenge') ?? ''),
      state: (asked.get('state') ?? '').length >= 32,
      resource: asked.get('resource') === tools.url,
      scope: asked.get('scope') === 'tools:use',
    };
    const wrong = Object.entries(wanted).flatMap(([name, isRight]) => (isRight ? [] : [name]));
    if (wrong.length > 0) {
      faults.push(`authorize: ${wrong.join(', ')}`);
      json(response, 400, { error: 'invalid_request' });
      return;
    }
    const back = new URL(redirect);
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('iss', options.toldIssuer ?? new URL(service.url).origin);
    if (options.isRefused === true) {
      back.searchParams.set('error', 'access_denied');
    } else {
      const code = `code-${randomUUID()}`;
      const challenge = asked.get('code_challenge') ?? '';
      codes.set(code, { client, redirect, challenge, resource: asked.get('resource') ?? '' });
      secrets.push(code);
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  };

  const token = (response: ServerResponse, body: string): void => {
    const asked = new URLSearchParams(body);
    const client = asked.get('client_id') ?? '';
    if (asked.get('grant_type') === 'refresh_token') {
      const renewal = asked.get('refresh_token') ?? '';
      const isKnown = renewals.get(renewal) === client && asked.get('resource') === tools.url;
      renewals.delete(renewal);
      json(response, isKnown ? 200 : 400, isKnown ? issue(client) : { error: 'invalid_grant' });
      return;
    }
    const grant = codes.get(asked.get('code') ?? '');
    codes.delete(asked.get('code') ?? '');
    const challenge = createHash('sha256').update(asked.get('code_verifier') ?? '');
    const isRight =
      grant?.client === client &&
      grant.redirect === asked.get('redirect_uri') &&
      grant.challenge === challenge.digest('base64url') &&
      grant.resource === asked.get('resource');
    if (!isRight) {
      faults.push('token');
    }
    json(response, isRight ? 200 : 400, isRight ? issue(client) : { error: 'invalid_grant' });
  };

  const service: WebServer = await serve((request, response, body) => {
    const { pathname, origin, searchParams } = new URL(request.url ?? '', service.url);
    switch (`${request.method} ${pathname}`) {
      case 'GET /.well-known/oauth-authorization-server':
        json(response, 200, {
          issuer: options.issuer ?? origin,
          authorization_endpoint: options.page ?? `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          ...(options.registers === false ? {} : { registration_endpoint: `${origin}/register` }),
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
        return;
      case 'POST /register':
        register(response, body);
        return;
      case 'GET /authorize':
        authorize(response, searchParams);
        return;
      case 'POST /token':
        token(response, body);
        return;
      default:
        json(response, 404, {});
    }
  });

  const tools: WebServer = await serve((request, response, body) => {
    const { pathname, origin } = new URL(request.url ?? '', tools.url);
    if (pathname === '/.well-known/oauth-protected-resource/mcp') {
      json(response, 200, {
        resource: options.resource ?? tools.url,
        authorization_servers: [new URL(service.url).origin],
        scopes_supported: ['other'],
      });
    } else if (valid === '' || request.headers.authorization !== `Bearer ${valid}`) {
      const place = `${origin}/.well-known/oauth-protected-resource/mcp`;
      response.setHeader(
        'www-authenticate',
        `Bearer resource_metadata="${place}", scope="tools:use"`,
      );
      json(response, 401, { error: 'invalid_token' });
    } else {
      answer(request, response, body);
    }
  });
  return {
    ...{ service, tools, faults, secrets },
    paths: () => service.seen.map(pathOf),
    expire: () => void (valid = ''),
    revoke: () => renewals.clear(),
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0] ?? '';
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
