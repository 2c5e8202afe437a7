/** What may stand at one place of a team file: data for completion, hover and the JSON schema. */
export type Shape = (
  | {
      readonly kind: 'string';
      readonly values?: readonly string[];
      /** `${NAME}` is filled in; names of keys may not stand here. */
      readonly takesVariables?: true;
      /** With values: others are taken with a warning. Else a number or a truth value is taken as it is written, and it may be empty. */
      readonly isLoose?: true;
    }
  | {
      readonly kind: 'number';
      readonly isInteger: boolean;
      readonly minimum?: number;
      /** The number must be greater than this. */
      readonly above?: number;
      readonly maximum?: number;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'url'; readonly takesVariables?: true }
  /** `${NAME}`, the name of a variable; never a value. */
  | { readonly kind: 'secret' }
  | { readonly kind: 'list'; readonly item: Shape }
  | {
      readonly kind: 'mapping';
      readonly keys: readonly KeyInfo[];
      readonly needs?: readonly (readonly string[])[];
      /** An unknown key is a warning and not an error. */
      readonly isOpen?: true;
    }
  /** Names that the user chooses, all with the same kind of value. */
  | { readonly kind: 'record'; readonly value: Shape }
  /** A mapping whose keys depend on its `type`. */
  | {
      readonly kind: 'by-type';
      readonly types: readonly TypeInfo[];
      /** The key that chooses among them. */
      readonly typeKey: KeyInfo;
    }
  | { readonly kind: 'one-of'; readonly shapes: readonly Shape[] }
  | { readonly kind: 'anything' }
) & { readonly isNullable?: boolean };

export interface KeyInfo {
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
  /** As it would be written in the file. */
  readonly defaultText?: string;
  /** Known from MassGen, without effect here: reported, not offered. */
  readonly isUnsupported?: boolean;
  /** What is said of a key that is accepted without effect, or refused for what it asks; absent: it has an effect. */
  readonly effect?: EffectInfo;
}

export interface EffectInfo {
  /** What it is about, for tables. */
  readonly group: KeyGroup;
  /** Why it has none, what holds instead, or what to use; goes on after the key and a colon. Empty: it is not here yet. */
  readonly reason: string;
  /** It asks for isolation, a permission or a limit: what is refused, and why. Absent: it never is. */
  readonly refused?: string;
}

export type KeyGroup =
  | 'checkpoints'
  | 'commands'
  | 'container'
  | 'decision'
  | 'display'
  | 'evaluation'
  | 'hooks'
  | 'media'
  | 'memory'
  | 'permissions'
  | 'planning'
  | 'prompts'
  | 'service'
  | 'skills'
  | 'subagents'
  | 'other';

export interface TypeInfo {
  readonly type: string;
  /** Further names of the type, not offered. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly keys: readonly KeyInfo[];
}

/** The value in words, for messages and hover: `an integer of at least 1`. */
export function inWords(shape: Shape): string {
  const words = plainWords(shape);
  return shape.isNullable === true ? `${words}, or null` : words;
}

function plainWords(shape: Shape): string {
  switch (shape.kind) {
    case 'string':
      return shape.values === undefined ? 'a text' : `one of ${shape.values.join(', ')}`;
    case 'number':
      return `${shape.isInteger ? 'an integer' : 'a number'}${bounds(shape)}`;
    case 'boolean':
      return 'true or false';
    case 'url':
      return 'a web address that begins with http:// or https://';
    case 'secret':
      return 'the name of a variable such as ${OPENAI_API_KEY}';
    case 'list':
      return 'a list';
    case 'mapping':
    case 'record':
    case 'by-type':
      return 'a mapping';
    case 'one-of':
      return [...new Set(shape.shapes.map(inWords))].join(' or ');
    case 'anything':
      return 'anything';
  }
}

function bounds({ minimum, above, maximum }: Extract<Shape, { kind: 'number' }>): string {
  const parts = [
    ...(minimum === undefined ? [] : [`of at least ${minimum}`]),
    ...(above === undefined ? [] : [`greater than ${above}`]),
    ...(maximum === undefined ? [] : [`of at most ${maximum}`]),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}
