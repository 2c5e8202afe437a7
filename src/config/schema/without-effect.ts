// Keys of MassGen's team files that are checked, and have no effect here. All of a file are told in one warning.
import { isScalar } from 'yaml';
import type { ReadContext } from './read-context';
import type { EffectInfo, KeyGroup } from './shape';
import type { Field, Spec } from './spec';

/** A value of any form, whose form is nobody's business here. */
export function anything(): Spec<true> {
  return { shape: { kind: 'anything' }, read: () => true };
}

/** A key whose feature is not here. `reason` goes on after the key and a colon; empty: the feature may still come. */
export function withoutEffect(group: KeyGroup, spec: Spec<unknown>, reason = ''): Field<never> {
  return fieldOf(spec, { group, reason }, () => undefined);
}

/** The same, where one value asks for what holds anyway, so that nothing is told of it. */
export function unless<T>(idle: T, group: KeyGroup, spec: Spec<T>, reason: string): Field<never> {
  return fieldOf(spec, { group, reason }, (value) => (value === idle ? 'idle' : undefined));
}

/** The same, where something else is checked against the value. */
export function noted<T>(group: KeyGroup, spec: Spec<T>, reason = ''): Field<T> {
  const effect = { group, reason };
  return {
    spec: {
      shape: spec.shape,
      read: (node, context) => {
        const value = spec.read(node, context);
        if (value !== undefined) {
          context.noteNoEffect(reason);
        }
        return value;
      },
    },
    ...{ description: descriptionOf(effect), isRequired: false, isUnsupported: true, effect },
  };
}

export interface Demand<T> {
  /** What holds for what is accepted, after the key and a colon. */
  readonly reason: string;
  /** What is refused, for tables. */
  readonly refused: string;
  /** Why this value cannot be accepted, a whole sentence; `undefined`: something at least as strict holds. */
  refusalOf(value: T): string | undefined;
  /** Values that say nothing, e.g. an empty list: neither refused nor told; absent: all are. */
  isIdle?(value: T): boolean;
}

/**
 * A key that asks for isolation, a permission or a limit that is not kept here by that name. It is refused where nothing at
 * least as strict holds: whoever wrote it counts on it.
 */
export function demand<T>(group: KeyGroup, spec: Spec<T>, demanded: Demand<T>): Field<never> {
  const { reason, refused } = demanded;
  return fieldOf(spec, { group, reason, refused }, (value, context) => {
    if (demanded.isIdle?.(value) === true) {
      return 'idle';
    }
    const message = demanded.refusalOf(value);
    if (message !== undefined) {
      context.report(undefined, { code: 'not-supported', message });
    }
    return message === undefined ? undefined : 'refused';
  });
}

function fieldOf<T>(
  spec: Spec<T>,
  effect: EffectInfo,
  judge: (value: T, context: ReadContext) => 'idle' | 'refused' | undefined,
): Field<never> {
  return {
    spec: {
      // An empty value says nothing.
      shape: { ...spec.shape, isNullable: true },
      read: (node, context) => {
        if (isScalar(node) && node.value === null) {
          return undefined;
        }
        const value = spec.read(node, context);
        if (value !== undefined && judge(value, context) === undefined) {
          context.noteNoEffect(effect.reason);
        }
        return undefined;
      },
    },
    description: descriptionOf(effect),
    isRequired: false,
    isUnsupported: true,
    effect,
  };
}

function descriptionOf({ reason, refused }: EffectInfo): string {
  const why = reason === '' ? 'accepted, has no effect yet' : `accepted without effect: ${reason}`;
  return `Known from MassGen; ${why}.${refused === undefined ? '' : ` Refused: ${refused}.`}`;
}

/** Fields of one group with one kind of value and one reason. */
export function each<const K extends string>(
  group: KeyGroup,
  names: readonly K[],
  spec: Spec<unknown> = anything(),
  reason = '',
): Readonly<Record<K, Field<never>>> {
  const fields: Record<string, Field<never>> = {};
  for (const name of names) {
    fields[name] = withoutEffect(group, spec, reason);
  }
  // The loop above has set exactly the names of K.
  return fields as Readonly<Record<K, Field<never>>>;
}
