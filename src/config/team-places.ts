import { isMap, isNode, isScalar, type Node, visit } from 'yaml';
import type { TextRange } from './problem-list';
import { pathOf } from './yaml/duplicate-keys';
import type { YamlText } from './yaml/parse-yaml';

/** Where in a team file something is set, as far as that is known after it was read. */
export interface FilePlace {
  /** Absent: no agent's own. */
  readonly agentId?: string | undefined;
  /** Names on the way to the value, e.g. `backend`, `api_key`; they need not follow one another. */
  readonly keys: readonly string[];
  /** A part of the value. */
  readonly text?: string;
}

export interface FoundPlace {
  readonly range: TextRange;
  readonly keyPath: string;
}

interface Value extends FoundPlace {
  readonly names: readonly string[];
  readonly text: string | undefined;
}

/**
 * Finds places in a file, also those of values that come from anchors elsewhere. The less of a place is found, the larger
 * the part of the file that is answered.
 */
export class TeamPlaces {
  readonly #values: readonly Value[];
  readonly #agents: ReadonlyMap<string, string>;

  constructor(yaml: YamlText) {
    this.#values = valuesOf(yaml);
    this.#agents = agentPaths(yaml);
  }

  find({ agentId, keys, text }: FilePlace): FoundPlace {
    const own = agentId === undefined ? undefined : this.#agents.get(agentId);
    const isOwn = ({ keyPath }: Value): boolean => own === undefined || isBelow(keyPath, own);
    const isNamed = ({ names }: Value): boolean => keys.every((key) => names.includes(key));
    const isLast = ({ names }: Value): boolean => names.at(-1) === keys.at(-1);
    const isPart = (value: Value): boolean =>
      text !== undefined && value.text?.includes(text) === true;
    const wishes: readonly ((value: Value) => boolean)[] = [
      (value) => text !== undefined && value.text === text && isOwn(value) && isNamed(value),
      (value) => isPart(value) && isOwn(value) && isNamed(value),
      // Under an anchor it can stand outside of its agent.
      (value) => isPart(value) && isNamed(value),
      (value) => isOwn(value) && isNamed(value) && isLast(value),
      (value) => own !== undefined && value.keyPath === `${own}.backend`,
      (value) => value.keyPath === own,
    ];
    for (const isWished of wishes) {
      const found = this.#values.find(isWished);
      if (found !== undefined) {
        return { range: found.range, keyPath: found.keyPath };
      }
    }
    return { range: [0, 0], keyPath: '' };
  }
}

function isBelow(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

function valuesOf({ document }: YamlText): readonly Value[] {
  const values: Value[] = [];
  visit(document, {
    Node(key, node, ancestors) {
      if (key !== 'key' && node.range) {
        const keyPath = pathOf([...ancestors, node]);
        const names = keyPath.split(/\.|\[\d+\]\.?/).filter((name) => name !== '');
        const text = isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
        values.push({ range: beginningOf(node), keyPath, names, text });
      }
    },
  });
  return values;
}

/** Of a block its first key, so that not all its lines are meant. */
function beginningOf(node: Node): TextRange {
  const first: unknown = isMap(node) ? node.items[0]?.key : undefined;
  const [start, end] = (isNode(first) ? first.range : undefined) ?? node.range ?? [0, 0];
  return [start, end];
}

function agentPaths({ document }: YamlText): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (let index = 0; index < 100; index++) {
    const id = document.getIn(['agents', index, 'id']);
    if (typeof id === 'string') {
      paths.set(id, `agents[${index}]`);
    }
  }
  const only = document.getIn(['agent', 'id']);
  if (typeof only === 'string') {
    paths.set(only, 'agent');
  }
  return paths;
}
