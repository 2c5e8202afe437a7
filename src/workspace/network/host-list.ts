// Which places a program may reach: by exact name or address and port, in one spelling for each.
import { isIPv6 } from 'node:net';
import { MassGenError } from '../../core/errors';
import { plainAddress } from './addresses';

export interface Target {
  /** A name in lower case and ASCII, without a dot at its end, or an address in its usual spelling without brackets. */
  readonly host: string;
  readonly port: number;
}

const securePort = 443;

/** One host and port, of which the brackets of an IPv6 address are part. */
const parts = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;

/** Means something in an address, or is silently dropped or decoded where addresses are read. */
const forbidden = /[\p{Cc}\p{Z}/\\?#@%*]/u;

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Reads `host` or `host:port`; `undefined` when it is neither, or when there is no port to take. */
export function parseTarget(text: string, defaultPort: number | undefined): Target | undefined {
  if (text.length > 500 || forbidden.test(text)) {
    return undefined;
  }
  const [, written, digits] = parts.exec(isIPv6(text) ? `[${text}]` : text) ?? [];
  const port = digits === undefined ? defaultPort : Number(digits);
  const host = written === undefined ? undefined : plainHost(written);
  return host === undefined || port === undefined || port < 1 || port > 65_535
    ? undefined
    : { host, port };
}

/** How people read a place. */
export function targetText({ host, port }: Target): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function plainHost(written: string): string | undefined {
  const url = `http://${written}`;
  if (!URL.canParse(url)) {
    return undefined;
  }
  const { hostname } = new URL(url);
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const address = plainAddress(host.replace(/^\[|\]$/g, ''));
  if (address !== undefined) {
    return address;
  }
  const isName = host.length <= 253 && host.split('.').every((each) => label.test(each));
  return isName ? host : undefined;
}

export class HostList {
  readonly #isAny: boolean;
  readonly #listed: ReadonlySet<string>;

  /**
   * Throws `tool/failed` for an entry that is no host: a list must never allow less or more than it seems to. With
   * `any-public` whoever dials refuses addresses of this machine and of private networks.
   */
  constructor(entries: readonly string[] | 'any-public') {
    this.#isAny = entries === 'any-public';
    this.#listed = new Set(
      (entries === 'any-public' ? [] : entries).map((entry) => {
        const target = parseTarget(entry, securePort);
        if (target === undefined) {
          throw new MassGenError('tool/failed', `“${entry}” is no host that can be allowed.`, {
            hint: 'Write host or host:port; patterns are not possible.',
          });
        }
        return targetText(target);
      }),
    );
  }

  /** Whether this very place is listed: then it may be on this machine or in a private network. */
  names(target: Target): boolean {
    return this.#listed.has(targetText(target));
  }

  /** Whether it may be reached unless it turns out to be an inner place that is not listed itself. */
  has(target: Target): boolean {
    return this.#isAny || this.names(target);
  }
}
