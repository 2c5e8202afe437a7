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
  const own = [...new Set(tools)];
  const plain = own.map((tool) => `${prefix}${legal(tool)}`);
  const isFree = (tool: string): boolean => {
    const name = `${prefix}${legal(tool)}`;
    const isOnly = plain.indexOf(name) === plain.lastIndexOf(name);
    return name.length <= longestName && (isOnly || name === `${prefix}${tool}`);
  };
  const names = new Map(own.filter(isFree).map((tool) => [tool, `${prefix}${legal(tool)}`]));
  const taken = new Set(names.values());
  // Sorted, so that which one gives way when a server has guessed a name does not hang on the order either.
  for (const tool of own.filter((each) => !names.has(each)).sort()) {
    const name = freeName(`${prefix}${legal(tool)}`, `${prefix}${tool}`, taken);
    taken.add(name);
    names.set(tool, name);
  }
  return new Map(own.map((tool) => [tool, names.get(tool) ?? tool]));
}

function freeName(name: string, of: string, taken: ReadonlySet<string>): string {
  let found = withHash(name, of, longestName);
  for (let n = 1; taken.has(found); n++) {
    found = withHash(name, `${of} ${n}`, longestName);
  }
  return found;
}

function legal(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}

function withHash(name: string, of: string, longest: number): string {
  const hash = createHash('sha256').update(of).digest('hex').slice(0, hashChars);
  return `${name.slice(0, longest - hashChars - 1)}_${hash}`;
}
