// Keys of the model that a file has beside `backend` instead of inside it.
import { isMap, isNode, isScalar, Pair, Scalar, YAMLMap } from 'yaml';
import type { ReadContext } from './read-context';

export interface MovedKeys {
  /** The agent as if those keys stood in its backend block. */
  readonly agent: YAMLMap;
  readonly moved: readonly string[];
}

/**
 * Reads keys of a backend as if they stood where they belong. Where both places have one, the one beside it stays and is
 * reported like any other key that does not belong there.
 */
export function moveIntoBackend(
  agent: YAMLMap,
  context: ReadContext,
  isBackendKey: (name: string) => boolean,
): MovedKeys {
  const own = agent.items.find(({ key }) => nameOf(key) === 'backend');
  const backend = own === undefined ? new YAMLMap() : mapOf(own.value, context);
  const moving = agent.items.filter(({ key }) => {
    const name = nameOf(key);
    return isBackendKey(name) && backend?.has(name) === false;
  });
  if (backend === undefined || moving.length === 0) {
    return { agent, moved: [] };
  }
  const inside = like(agent, backend, [...backend.items, ...moving]);
  const pair = new Pair(own?.key ?? keyLike(moving[0]?.key), inside);
  const others = agent.items.filter((item) => item !== own && !moving.includes(item));
  return {
    agent: like(agent, agent, [...others, pair]),
    moved: moving.map(({ key }) => nameOf(key)),
  };
}

function mapOf(value: unknown, context: ReadContext): YAMLMap | undefined {
  const node = isNode(value) ? context.resolve(value) : undefined;
  return isMap(node) ? node : undefined;
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

function keyLike(place: unknown): Scalar {
  const key = new Scalar('backend');
  key.range = isScalar(place) ? (place.range ?? null) : null;
  return key;
}

/** A mapping with these members at the place of another. */
function like(around: YAMLMap, place: YAMLMap, items: YAMLMap['items']): YAMLMap {
  const map = new YAMLMap();
  map.items = items;
  map.range = place.range ?? around.range ?? null;
  map.flow = place.flow === true;
  return map;
}
