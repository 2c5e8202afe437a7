import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { KeyInfo, Shape, TypeInfo } from '../schema/shape';

/** A scalar of a team file and what the schema knows about its place. */
export interface Place {
  readonly node: Scalar;
  /** `key`: the name of a member; `value`: anything else. */
  readonly role: 'key' | 'value';
  /** What may stand here: for a key the mapping that holds it, for a value the value itself. */
  readonly shape: Shape;
  /** The member that the key names, or that the value belongs to. */
  readonly info: KeyInfo | undefined;
  /** The mapping around a key, or around the member of a value. */
  readonly map: YAMLMap | undefined;
}

/** Finds the first scalar that fits, with its place in the schema; `undefined` where the schema knows nothing. */
export function locate(
  document: Document,
  root: Shape,
  isWanted: (node: Scalar) => boolean,
): Place | undefined {
  let found: Place | undefined;
  visit(document, {
    Scalar(role, node, ancestors) {
      if (!isWanted(node)) {
        return undefined;
      }
      found = placeOf(node, role === 'key' ? 'key' : 'value', ancestors, root);
      return visit.BREAK;
    },
  });
  return found;
}

interface Walk {
  readonly shape: Shape;
  readonly info: KeyInfo | undefined;
  readonly map: YAMLMap | undefined;
}

function placeOf(
  node: Scalar,
  role: Place['role'],
  ancestors: readonly unknown[],
  root: Shape,
): Place | undefined {
  let walk: Walk | undefined = { shape: root, info: undefined, map: undefined };
  for (const [index, each] of ancestors.entries()) {
    const isOwnPair = index === ancestors.length - 1 && role === 'key';
    if (isMap(each)) {
      walk = { ...walk, map: each };
    } else if (isPair(each) && !isOwnPair) {
      walk = descend(walk, each.key);
    } else if (isSeq(each)) {
      walk = itemOf(walk);
    }
    if (walk === undefined) {
      return undefined;
    }
  }
  const info = role === 'key' ? infoOf(walk, String(node.value)) : walk.info;
  return { node, role, shape: walk.shape, info, map: walk.map };
}

function descend(walk: Walk, key: unknown): Walk | undefined {
  const info = infoOf(walk, isScalar(key) ? String(key.value) : '');
  return info === undefined ? undefined : { shape: info.shape, info, map: walk.map };
}

function infoOf({ shape, map }: Walk, name: string): KeyInfo | undefined {
  return keysOf(shape, map).find((key) => key.name === name);
}

function itemOf(walk: Walk): Walk | undefined {
  const { shape } = walk;
  return shape.kind === 'list' ? { ...walk, shape: shape.item } : undefined;
}

/** The members that a mapping at this place may have; they depend on the `type` that it already has. */
export function keysOf(shape: Shape, map: YAMLMap | undefined): readonly KeyInfo[] {
  switch (shape.kind) {
    case 'mapping':
      return shape.keys;
    case 'by-type': {
      const type = map?.get('type');
      const isMeant = (each: TypeInfo): boolean =>
        each.type === type || (typeof type === 'string' && each.aliases.includes(type));
      return shape.types.find(isMeant)?.keys ?? allKeys(shape);
    }
    case 'one-of':
      return shape.shapes.flatMap((each) => keysOf(each, map));
    default:
      return [];
  }
}

/** Before the type is known: the keys of all types. */
function allKeys({ types, typeKey }: Extract<Shape, { kind: 'by-type' }>): readonly KeyInfo[] {
  const keys = types.flatMap((each) => each.keys).map((key) => [key.name, key] as const);
  return [...new Map([...keys, [typeKey.name, typeKey]]).values()];
}

/** Whether nothing but spaces and dashes stands before a node, where the first key of a mapping would be written. */
export function isOnOwnLine(text: string, node: Node): boolean {
  const start = node.range?.[0] ?? 0;
  return /^[\s-]*$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
}
