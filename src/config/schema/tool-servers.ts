// `mcp_servers`: a list, a mapping by name, or a single server.
import { isMap, isNode, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import { shown } from '../secret-text';
import { entriesOf } from './collections';
import { rangeOf, type ReadContext } from './read-context';
import { wrongType } from './scalars';
import type { Shape } from './shape';
import type { Spec } from './spec';
import { readToolServer, serverKeys } from './tool-server';

const mostServers = 32;

const namePattern = /^[A-Za-z0-9_-]{1,100}$/;

/** Servers in the order of the file; all problems are told, each at its own place. */
export function toolServers(): Spec<readonly ToolServerConfig[]> {
  const one: Shape = { kind: 'mapping', keys: serverKeys };
  const shape: Shape = {
    kind: 'one-of',
    shapes: [{ kind: 'list', item: one }, { kind: 'record', value: one }, one],
    isNullable: true,
  };
  return {
    shape,
    read: (node, context) => {
      const written = placesIn(node, context);
      if (written === undefined) {
        wrongType(node, context, shape);
        return undefined;
      }
      if (written.length > mostServers) {
        const message = `An agent has at most ${mostServers} servers of tools.`;
        context.report(node, { code: 'too-large', message });
      }
      return readAll(written);
    },
  };
}

/** One server as it stands in the file. */
interface Place {
  readonly node: Node | null | undefined;
  readonly context: ReadContext;
  /** The name that it has by its place; a name of its own comes first. */
  readonly name: string;
}

/** `undefined` for a value that is none of the three forms. */
function placesIn(node: Node, context: ReadContext): readonly Place[] | undefined {
  if (isScalar(node) && node.value === null) {
    return [];
  }
  if (isSeq(node)) {
    return node.items.map((item, index) => {
      const at = context.resolve(isNode(item) ? item : null);
      return {
        ...{ node: at, name: `server_${index}` },
        context: context.item(index, rangeOf(at) ?? context.around),
      };
    });
  }
  if (!isMap(node)) {
    return undefined;
  }
  if (isSingle(node, context)) {
    return [{ node, context, name: 'server_0' }];
  }
  return entriesOf(node, context).map(({ name, range, value }) => ({
    ...{ name, node: context.resolve(value) },
    context: context.key(shown(name), range),
  }));
}

/** A server with a `type`, `command` or `url` of its own; a server that is called so has a mapping there. */
function isSingle(node: YAMLMap, context: ReadContext): boolean {
  return entriesOf(node, context).some(
    ({ name, value }) =>
      ['type', 'command', 'url'].includes(name) && !isMap(context.resolve(value)),
  );
}

function readAll(places: readonly Place[]): readonly ToolServerConfig[] {
  const servers: ToolServerConfig[] = [];
  const taken = new Set<string>();
  for (const { node, context, name: byPlace } of places) {
    if (!isMap(node)) {
      const message = 'A server is a mapping with a command or a url.';
      context.report(node, { code: 'wrong-type', message });
      continue;
    }
    const name = nameOf(node, context) ?? byPlace;
    if (!namePattern.test(name)) {
      const message = 'The name of a server has 1 to 100 letters, digits, _ and -.';
      context.report(undefined, { code: 'wrong-value', message });
    } else if (taken.has(name)) {
      const message = `Another server of this agent is called ${shown(name)} already.`;
      context.report(undefined, { code: 'duplicate', message });
    }
    taken.add(name);
    const server = readToolServer(node, context, name);
    servers.push(...(server === undefined ? [] : [server]));
  }
  return servers;
}

function nameOf(node: YAMLMap, context: ReadContext): string | undefined {
  const entry = entriesOf(node, context).find(({ name }) => name === 'name');
  const value = context.resolve(entry?.value);
  return isScalar(value) && typeof value.value === 'string' ? value.value.trim() : undefined;
}
