// Loads the part of the package that signs in; it is reached through `import()` alone.
import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import {
  type OAuthClientInformationMixed,
  OAuthClientInformationFullSchema,
  type OAuthClientMetadata,
  type OAuthTokens,
  OAuthTokensSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { MassGenError } from '../../../core/errors';
import { membersOf } from '../schema-parts';
import type { Redirect } from './redirect-listener';

export interface SignInPlace {
  readonly serverUrl: URL;
  /** As the server's refusal names them. */
  readonly resourceMetadataUrl: URL | undefined;
  readonly scope: string | undefined;
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** What is kept of a sign-in, as it is stored. */
export interface Kept {
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
}

/** The person's browser. */
export interface Browser {
  /** Where it is sent back to. */
  readonly redirectUrl: string;
  readonly state: string;
  open(page: URL): Promise<void>;
  redirect(): Promise<Redirect>;
}

export function parseKept(text: string | undefined): Kept {
  try {
    const { client, tokens } = membersOf(JSON.parse(text ?? '{}')) ?? {};
    const known = OAuthClientInformationFullSchema.safeParse(client);
    const given = OAuthTokensSchema.safeParse(tokens);
    return {
      ...(known.success ? { client: known.data } : {}),
      ...(given.success ? { tokens: given.data } : {}),
    };
  } catch {
    return {};
  }
}

/** What a refused request was told about how to sign in. */
export function refusalOf(response: Response): Pick<SignInPlace, 'resourceMetadataUrl' | 'scope'> {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { resourceMetadataUrl, scope };
}

/** Registers, shows the page, and exchanges what comes back. Throws what the package or the browser throws. */
export async function signInBy(browser: Browser, place: SignInPlace): Promise<Kept> {
  const session = new Session(browser.redirectUrl, {}, browser);
  const options = optionsOf(place);
  if ((await auth(session, options)) !== 'AUTHORIZED') {
    const { code, issuer } = await browser.redirect();
    session.checkIssuer(issuer);
    await auth(session, { ...options, authorizationCode: code });
  }
  return session.kept;
}

/** Throws when a new sign-in is needed. */
export async function renew(kept: Kept, place: SignInPlace): Promise<Kept> {
  const session = new Session('http://127.0.0.1/', kept, undefined);
  await auth(session, optionsOf(place));
  return session.kept;
}

function optionsOf({ serverUrl, resourceMetadataUrl, scope, fetch }: SignInPlace): {
  readonly serverUrl: URL;
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
  readonly fetchFn: SignInPlace['fetch'];
} {
  return {
    serverUrl,
    fetchFn: fetch,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
  };
}

class Session implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly #browser: Browser | undefined;
  #kept: Kept;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  constructor(redirectUrl: string, kept: Kept, browser: Browser | undefined) {
    this.redirectUrl = redirectUrl;
    this.#kept = kept;
    this.#browser = browser;
  }

  get kept(): Kept {
    return this.#kept;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'MassGen',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.#browser?.state ?? '';
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#kept.client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#kept = { ...this.#kept, client };
  }

  tokens(): OAuthTokens | undefined {
    return this.#kept.tokens;
  }

  saveTokens(tokens: OAuthTokens): void {
    // A service that renews without a new key for renewing means the old one.
    const old = this.#kept.tokens?.refresh_token;
    const renewal = old === undefined ? {} : { refresh_token: old };
    this.#kept = { ...this.#kept, tokens: { ...renewal, ...tokens } };
  }

  async redirectToAuthorization(page: URL): Promise<void> {
    if (this.#browser === undefined) {
      throw newSignIn();
    }
    await this.#browser.open(page);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  /** What the service does not accept any more is given up as a whole. */
  invalidateCredentials(): void {
    if (this.#browser === undefined) {
      throw newSignIn();
    }
    this.#kept = {};
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  /** Whoever describes a service must be that service. */
  saveDiscoveryState(found: OAuthDiscoveryState): void {
    const issuer = found.authorizationServerMetadata?.issuer;
    if (issuer !== undefined && plain(issuer) !== plain(found.authorizationServerUrl)) {
      throw new MassGenError(
        'tool/denied',
        `The sign-in of ${found.authorizationServerUrl} is described as that of ${issuer}.`,
      );
    }
    this.#discovered = found;
  }

  checkIssuer(told: string | undefined): void {
    const known = this.#discovered?.authorizationServerMetadata?.issuer;
    if (told !== undefined && (known === undefined || plain(told) !== plain(known))) {
      throw new MassGenError('tool/denied', 'The browser came back from another service.');
    }
  }
}

function plain(address: string): string {
  return address.replace(/\/$/, '');
}

function newSignIn(): MassGenError {
  return new MassGenError('tool/denied', 'A new sign-in is needed.');
}
