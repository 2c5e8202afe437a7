// Names under which models see tools of servers: legal for every service, unique, and never that of another tool.
import { createHash } from 'node:crypto';

const longestName = 64;
const hashChars = 8;

/** What stands before the tools of each server. Has no `__` in it and none at its end, so that no two ever make one name. */
export function serverPrefixes(servers: readonly string[]): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>();
  for (const server of servers) {
    const plain =
      legal(server)
        .replaceAll(/_{2,}/g, '_')
        .replaceAll(/^_+|_+$/g, '') || 'server';
    const isPlain = plain === server && plain.length <= 24;
    prefixes.set(server, `mcp__${isPlain ? plain : withHash(plain, server, 24)}__`);
  }
  return prefixes;
}

/** Name for the model by the server's own name of the tool; the same for the same list in any order. */
export function toolNames(prefix: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const plain = new Map(tools.map((tool) => [tool, `${prefix}${legal(tool)}`]));
  return new Map(
    [...plain].map(([tool, name]) => {
      const isOnly = [...plain.values()].filter((other) => other === name).length === 1;
      const isItself = name === `${prefix}${tool}`;
      const isFree = name.length <= longestName && (isOnly || isItself);
      return [tool, isFree ? name : withHash(name, `${prefix}${tool}`, longestName)];
    }),
  );
}

function legal(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}

function withHash(name: string, of: string, longest: number): string {
  const hash = createHash('sha256').update(of).digest('hex').slice(0, hashChars);
  return `${name.slice(0, longest - hashChars - 1)}_${hash}`;
}
