// A person's sign-in to one server, for all agents that use it.
import { randomBytes } from 'node:crypto';
import { raceAbort } from '../../../base/abort';
import { sha256Hex } from '../../../base/sha256';
import { MassGenError, isCancelled, isMassGenError } from '../../../core/errors';
import type { Clock } from '../../../core/ports/clock';
import type { SignIns } from '../../../core/ports/sign-ins';
import { CallLimit } from '../call-limit';
import type { Kept, SignInPlace } from './oauth.lazy';
import { listenForRedirect } from './redirect-listener';

type Fetch = SignInPlace['fetch'];

/** Whoever did not want to sign in is not asked again for so long. */
const restMs = 15 * 60_000;
/** A page in a browser waits so long for the person. */
const browserMs = 10 * 60_000;
/** One request to the service that signs in. */
const requestMs = 30_000;

/** Bytes of one document of that service. */
const longestDocument = 1024 * 1024;

/** What works without a browser. */
export const tokenHint =
  "Get a token for it and name it in its entry: headers: { Authorization: 'Bearer ${NAME}' }, with the key NAME.";

export interface SignInParts {
  /** Name of the server, for people. */
  readonly server: string;
  readonly url: URL;
  readonly signIns: SignIns;
  /** Asks any service of the open internet, and inner ones where that is permitted. Bears no header of the server. */
  readonly fetch: Fetch;
  /** The sign-in may be by plain http. */
  readonly isLocalAllowed: boolean;
  readonly clock: Clock;
  /** From now on this is taken out of every text. */
  readonly conceal: (secret: string) => void;
}

export class SignIn {
  readonly #parts: SignInParts;
  readonly #name: string;
  #kept: Promise<Kept> | undefined;
  #renewing: Promise<string | undefined> | undefined;
  #signing: Promise<boolean> | undefined;
  #wanted: Pick<SignInPlace, 'resourceMetadataUrl' | 'scope'> | undefined;
  #restsUntil = 0;
  /** What a person has just signed in for, and the server has not taken yet. */
  #untried: string | undefined;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#name = `massgen.toolServer.${sha256Hex(parts.url.href)}`;
  }

  /** The same `fetch`, with what a person has signed in to. Throws `tool/denied` when a sign-in is needed. */
  through(fetch: Fetch): Fetch {
    return async (url, init = {}) => {
      const before = (await this.#load()).tokens?.access_token;
      const response = await fetch(url, withToken(init, before));
      if (response.status !== 401) {
        this.#untried = undefined;
        return response;
      }
      await response.body?.cancel();
      const signal = init.signal ?? new AbortController().signal;
      const renewed = await raceAbort(this.#renewed(before), signal);
      const again = renewed === undefined ? undefined : await fetch(url, withToken(init, renewed));
      if (again !== undefined && again.status !== 401) {
        this.#untried = undefined;
        return again;
      }
      this.#refuse([before, renewed]);
      await again?.body?.cancel();
      const { refusalOf } = await import('./oauth.lazy');
      this.#wanted = refusalOf(again ?? response);
      throw new MassGenError('tool/denied', 'It wants a sign-in in the browser.', {
        hint: tokenHint,
      });
    };
  }

  /** A server that does not take even what was just signed in for would have a person asked without end. */
  #refuse(tokens: readonly (string | undefined)[]): void {
    if (this.#untried !== undefined && tokens.includes(this.#untried)) {
      this.#untried = undefined;
      this.#restsUntil = this.#parts.clock.now() + restMs;
    }
  }

  /** Asks for a sign-in that a request has been refused for; one question at a time. Answers whether there is one now. */
  async signIn(signal: AbortSignal): Promise<boolean> {
    if (this.#wanted === undefined || this.#parts.clock.now() < this.#restsUntil) {
      return false;
    }
    this.#signing ??= this.#sign(this.#wanted, signal).finally(() => {
      this.#signing = undefined;
    });
    return raceAbort(this.#signing, signal);
  }

  async #sign(
    wanted: Pick<SignInPlace, 'resourceMetadataUrl' | 'scope'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { server, url, signIns, clock } = this.#parts;
    this.#check(url);
    if (!(await signIns.ask({ server, host: url.host }, signal))) {
      this.#restsUntil = clock.now() + restMs;
      return false;
    }
    const state = randomBytes(32).toString('base64url');
    const listener = await listenForRedirect(state);
    const limit = new CallLimit(clock, { idleMs: browserMs, totalMs: browserMs }, signal);
    try {
      const { signInBy } = await import('./oauth.lazy');
      const kept = await signInBy(
        {
          ...{ state, redirectUrl: await signIns.reachable(listener.address) },
          open: async (page) => this.#show(page),
          redirect: async () => {
            const redirect = await listener.redirect(limit.signal);
            this.#parts.conceal(redirect.code);
            return redirect;
          },
        },
        { ...this.#place(limit.signal), ...wanted },
      );
      await this.#keep(kept);
      this.#untried = kept.tokens?.access_token;
      this.#wanted = undefined;
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#restsUntil = clock.now() + restMs;
      if (limit.isOver) {
        throw new MassGenError('tool/timed-out', 'Nobody signed in in the browser in time.');
      }
      throw failed(error);
    } finally {
      limit.dispose();
      listener.dispose();
    }
  }

  async #show(page: URL): Promise<void> {
    this.#check(page);
    if (!(await this.#parts.signIns.open(page.href))) {
      throw new MassGenError('tool/failed', 'The browser could not be opened.');
    }
  }

  /** Nothing of a sign-in goes over an open wire. */
  #check(place: URL): void {
    const isPlain = this.#parts.isLocalAllowed && place.protocol === 'http:';
    if (place.protocol !== 'https:' && !isPlain) {
      throw new MassGenError(
        'tool/denied',
        `Nobody signs in at ${place.protocol}//${place.host}, which is no https address.`,
      );
    }
  }

  /** What to try after a refusal: what another window or request has got meanwhile, or what the service gives anew. */
  async #renewed(refused: string | undefined): Promise<string | undefined> {
    this.#renewing ??= this.#renew(refused).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(refused: string | undefined): Promise<string | undefined> {
    const { signIns } = this.#parts;
    const { parseKept, renew } = await import('./oauth.lazy');
    const stored = parseKept(await signIns.load(this.#name));
    if (stored.tokens !== undefined && stored.tokens.access_token !== refused) {
      this.#remember(stored);
      return stored.tokens.access_token;
    }
    if (stored.tokens?.refresh_token === undefined || stored.client === undefined) {
      return undefined;
    }
    try {
      const kept = await renew(stored, this.#place(new AbortController().signal));
      await this.#keep(kept);
      return kept.tokens?.access_token;
    } catch (error) {
      if (isCancelled(error)) {
        throw error;
      }
      // Whatever the reason: a person can still sign in anew.
      return undefined;
    }
  }

  #place(signal: AbortSignal): SignInPlace {
    const { url, fetch, clock } = this.#parts;
    return {
      ...{ serverUrl: url, resourceMetadataUrl: undefined, scope: undefined },
      fetch: async (at, init) => {
        this.#check(new URL(at));
        const limit = new CallLimit(clock, { idleMs: requestMs, totalMs: requestMs }, signal);
        try {
          const response = await fetch(at, { ...init, signal: limit.signal });
          // Read within the limit.
          const { status, statusText, headers } = response;
          const body = response.body === null ? null : await documentIn(response.body);
          return new Response(body, { status, statusText, headers });
        } finally {
          limit.dispose();
        }
      },
    };
  }

  async #load(): Promise<Kept> {
    this.#kept ??= (async () => {
      const text = await this.#parts.signIns.load(this.#name);
      if (text === undefined) {
        return {};
      }
      const { parseKept } = await import('./oauth.lazy');
      const kept = parseKept(text);
      this.#conceal(kept);
      return kept;
    })();
    return this.#kept;
  }

  async #keep(kept: Kept): Promise<void> {
    this.#remember(kept);
    await this.#parts.signIns.keep(this.#name, JSON.stringify(kept));
  }

  #remember(kept: Kept): void {
    this.#conceal(kept);
    this.#kept = Promise.resolve(kept);
  }

  #conceal({ client, tokens }: Kept): void {
    [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, client?.client_secret]
      .filter((each) => each !== undefined)
      .forEach(this.#parts.conceal);
  }
}

/** Throws `tool/failed` for one that is far too long. */
async function documentIn(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let length = 0; ;) {
    const { done, value } = await reader.read();
    if (done) {
      return text + decoder.decode();
    }
    length += value.length;
    if (length > longestDocument) {
      await reader.cancel();
      throw new MassGenError('tool/failed', 'The service that signs in sends too much.');
    }
    text += decoder.decode(value, { stream: true });
  }
}

function withToken(init: RequestInit, token: string | undefined): RequestInit {
  if (token === undefined) {
    return init;
  }
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** The words of a service are told; whoever hands them on takes secrets out of them. */
function failed(error: unknown): MassGenError {
  const words = error instanceof Error ? error.message : String(error);
  return isMassGenError(error)
    ? error
    : new MassGenError('tool/failed', `The sign-in did not work: ${words}`, { cause: error });
}
