// `${NAME}` in settings that are meant for it. Keys never come this way: they are named, and looked up where they are used.
import type { Node } from 'yaml';
import { fillReferences, namesKey, referencesIn, type VariableReference } from '../base/variables';
import type { ReadContext } from './schema/read-context';
import { looksLikeKey } from './secret-text';

/**
 * `written` with the values of its variables, and `$${` as `${`. Reports each variable that is not set, holds a key by its
 * name or by its value, and answers `undefined` then; no message has a value.
 */
export function fillVariables(
  written: string,
  node: Node,
  context: ReadContext,
): string | undefined {
  const values = new Map<string, string>();
  const references = referencesIn(written);
  for (const reference of references) {
    const value = valueOf(reference, node, context);
    if (value !== undefined) {
      values.set(key(reference), value);
    }
  }
  if (!references.every((reference) => values.has(key(reference)))) {
    return undefined;
  }
  const filled = fillReferences(written, (reference) => values.get(key(reference)));
  if (references.length > 0) {
    context.noteFilled(filled, written);
  }
  return filled;
}

function key({ name, instead }: VariableReference): string {
  return JSON.stringify([name, instead]);
}

function valueOf(
  { name, instead }: VariableReference,
  node: Node,
  context: ReadContext,
): string | undefined {
  context.noteVariable(name);
  if (namesKey(name)) {
    const message = `${name} is the name of a key, and no key may stand here; name the key of a service with api_key.`;
    context.report(node, { code: 'wrong-value', message });
    return undefined;
  }
  const { variables } = context;
  const found = variables.get(name);
  const value = found === undefined || found === '' ? instead : found;
  if (value === undefined) {
    context.report(node, { code: 'unset', message: unsetMessage(name, variables.places) });
    return undefined;
  }
  if (looksLikeKey(value) || hasSignIn(value)) {
    const message = `The value of ${name} looks like a key or has a password in it, and neither may stand here.`;
    context.report(node, { code: 'wrong-value', message });
    return undefined;
  }
  return value;
}

export function unsetMessage(name: string, places: readonly string[]): string {
  const where = places.length === 0 ? '' : ` Looked in: ${places.join(', ')}.`;
  return `The variable ${name} is not set.${where} Set it, or write \${${name}:-VALUE} with what counts instead.`;
}

/** `https://user:password@host`. */
function hasSignIn(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*@/i.test(value);
}
