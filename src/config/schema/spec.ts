import type { Node } from 'yaml';
import type { ProfileSettings } from '../../run/profiles';
import type { ReadContext } from './read-context';
import type { KeyInfo, Shape } from './shape';

/** One kind of value: described by `shape`, and read from the file by `read`. */
export interface Spec<T> {
  readonly shape: Shape;
  /** The checked value; reports every problem and answers `undefined` when there is no usable value. */
  read(node: Node, context: ReadContext): T | undefined;
}

/** One key of a mapping. */
export interface Field<T> extends Omit<KeyInfo, 'name' | 'shape'> {
  readonly spec: Spec<T>;
  /** What it sets, when that is one setting of a run and nothing else. */
  readonly setting?: keyof ProfileSettings;
}

interface FieldOptions {
  /** As it would be written in the file; for people. */
  readonly defaultText?: string;
  readonly isRequired?: boolean;
}

export function field<T>(spec: Spec<T>, description: string, options: FieldOptions = {}): Field<T> {
  const { defaultText, isRequired = false } = options;
  return {
    spec,
    description,
    isRequired,
    ...(defaultText === undefined ? {} : { defaultText }),
  };
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The value of a mapping with these fields; absent and unusable members are `undefined`. */
export type FieldValues<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Field<infer T> ? T | undefined : never;
};

export function keyInfos(fields: Fields): readonly KeyInfo[] {
  return Object.entries(fields).map(([name, { spec, setting: _setting, ...rest }]) => ({
    name,
    shape: spec.shape,
    ...rest,
  }));
}
