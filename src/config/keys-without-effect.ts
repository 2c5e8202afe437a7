import type { BackendKind } from '../core/ports/backend-kind';
import type { EffectInfo, KeyInfo, Shape } from './schema/shape';
import { teamFile } from './schema/team-file';

export interface KeyWithoutEffect extends EffectInfo {
  /** E.g. `agents[].backend.hooks`; a name that ends with `*` stands for all that begin so. */
  readonly path: string;
  /** For a table: what is done with the key. */
  readonly sentence: string;
}

/**
 * Every key of MassGen that is accepted without effect, or refused for what it asks, in the order of the schema and each
 * once: keys of a backend block that only some types know are in it when no type gives them an effect.
 */
export function keysWithoutEffect(kinds: readonly BackendKind[]): readonly KeyWithoutEffect[] {
  const found = new Map<string, KeyWithoutEffect>();
  collect(teamFile(kinds).shape, '', found);
  return [...found.values()];
}

function collect(shape: Shape, path: string, found: Map<string, KeyWithoutEffect>): void {
  switch (shape.kind) {
    case 'mapping':
      addAll(shape.keys, path, found);
      return;
    case 'list':
      collect(shape.item, `${path}[]`, found);
      return;
    case 'by-type':
      addAll(commonKeys(shape), path, found);
      return;
    default:
      return;
  }
}

function addAll(
  keys: readonly KeyInfo[],
  path: string,
  found: Map<string, KeyWithoutEffect>,
): void {
  for (const { name, shape, effect } of keys) {
    const at = path === '' ? name : `${path}.${name}`;
    // The form with one agent has the same keys.
    if (effect !== undefined) {
      found.set(at, { path: at, sentence: sentenceOf(effect), ...effect });
    } else if (at !== 'agent' && at !== 'orchestrator.timeout') {
      collect(shape, at, found);
    }
  }
}

/** Keys that are without effect for every type. */
function commonKeys({ types }: Extract<Shape, { kind: 'by-type' }>): readonly KeyInfo[] {
  const [first, ...others] = types;
  const isIdle = (name: string): boolean =>
    others.every(({ keys }) => keys.find((key) => key.name === name)?.effect !== undefined);
  return (first?.keys ?? []).filter(({ name, effect }) => effect !== undefined && isIdle(name));
}

function sentenceOf({ reason, refused }: EffectInfo): string {
  const accepted = reason === '' ? 'Has no effect yet.' : `Has no effect: ${reason}.`;
  if (refused === undefined) {
    return accepted;
  }
  return refused === 'always' ? 'Refused.' : `Refused: ${refused}. Otherwise: ${lower(accepted)}`;
}

function lower(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
