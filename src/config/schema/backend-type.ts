// Which kind of backend a block is about: from its `type`, or from its `model` alone.
import { isScalar, type Node, type YAMLMap } from 'yaml';
import { nearest } from '../../base/text';
import { fillReferences } from '../../base/variables';
import type { BackendKind } from '../../core/ports/backend-kind';
import { shown } from '../secret-text';
import { entriesOf } from './collections';
import { otherOriginalTypes, refusedTypes } from './original-keys';
import { rangeOf, type ReadContext } from './read-context';

/** Reports and answers `undefined` when no kind, or more than one, can be meant. */
export function findKind(
  node: YAMLMap,
  context: ReadContext,
  kinds: readonly BackendKind[],
): BackendKind | undefined {
  const written = textOf(node, context, 'type');
  if (written === undefined) {
    return node.has('type') ? undefined : kindOfModel(node, context, kinds);
  }
  const type = normalized(written.text);
  const kind = kindOfType(type, kinds);
  if (kind === undefined) {
    const { message, suggestion } = typeAdvice(written.text, kinds);
    const at = context.key('type', rangeOf(written.node) ?? context.around);
    at.report(written.node, { code: 'unknown-backend', message, suggestion });
  }
  return kind;
}

/** `type` as it may be written in a file, under its own name or another one that is known for it. */
export function kindOfType(
  written: string,
  kinds: readonly BackendKind[],
): BackendKind | undefined {
  const type = normalized(written);
  const target = Object.hasOwn(otherNames, type) ? otherNames[type] : undefined;
  return (
    kinds.find((each) => each.type === type) ??
    kinds.find(({ aliases = [] }) => aliases.includes(type)) ??
    kinds.find((each) => each.type === target)
  );
}

/** Further names under which a file may write the type. */
export function aliasesOf({ type, aliases = [] }: BackendKind): readonly string[] {
  const others = Object.entries(otherNames).flatMap(([name, target]) =>
    target === type ? [name] : [],
  );
  return [...new Set([...aliases, ...others])];
}

/** Names of makers and products that people write where the type is called otherwise. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ anthropic: 'claude', google: 'gemini', google_gemini: 'gemini', xai: 'grok' },
  ...{ azure: 'azure_openai', azureopenai: 'azure_openai', lm_studio: 'lmstudio' },
  ...{ kimi: 'moonshot', moonshotai: 'moonshot', dashscope: 'qwen', alibaba: 'qwen' },
  ...{ zhipu: 'zai', zhipuai: 'zai', z_ai: 'zai', glm: 'zai', together_ai: 'together' },
  ...{ fireworks_ai: 'fireworks', openai_compatible: 'chatcompletion' },
  ...{ chat_completion: 'chatcompletion', chat_completions: 'chatcompletion' },
  ...{ nim: 'nvidia', nvidia_nim: 'nvidia', claudecode: 'claude_code', codex_cli: 'codex' },
};

/** `Chat-Completion ` is written in many ways. */
function normalized(type: string): string {
  return type.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
}

/** Makers by the beginning of the names of their models; what many services host is told by their catalogs alone. */
const makers: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^(gpt-(?!oss)|chatgpt-|o\d)/, 'openai'],
  [/^claude-/, 'claude'],
  [/^gemini-/, 'gemini'],
  [/^grok-/, 'grok'],
  [/^glm-/, 'zai'],
  [/^(kimi|moonshot)-/, 'moonshot'],
  [/^qwen/, 'qwen'],
  [/^deepseek-/, 'deepseek'],
  [/^(mistral|ministral|magistral|codestral|devstral)-/, 'mistral'],
];

/** Services that are known to have a model; the maker alone where it is among them, or where nobody is. */
function kindsOfModel(model: string, kinds: readonly BackendKind[]): readonly BackendKind[] {
  const name = model.trim().toLowerCase();
  const type = makers.find(([beginning]) => beginning.test(name))?.[1];
  const maker = kinds.find((kind) => kind.type === type);
  // A program is chosen for what it is, never for the model that it happens to use.
  const listing = kinds.filter(
    ({ isProgram, models = [] }) =>
      isProgram !== true && models.some(({ id }) => id.toLowerCase() === name),
  );
  const isMakers = maker !== undefined && (listing.length === 0 || listing.includes(maker));
  return isMakers ? [maker] : listing;
}

function kindOfModel(
  node: YAMLMap,
  context: ReadContext,
  kinds: readonly BackendKind[],
): BackendKind | undefined {
  const written = textOf(node, context, 'model');
  const types = kinds.map(({ type }) => type).join(', ');
  if (written === undefined) {
    const message = `type is missing: the kind of model service. Known types: ${types}.`;
    context.report(undefined, { code: 'missing', message });
    return undefined;
  }
  const model = fillReferences(
    written.text,
    ({ name, instead }) => context.variables.get(name) ?? instead,
  );
  const found = kindOfModelName(model, kinds);
  if (typeof found !== 'string') {
    return found;
  }
  context.report(undefined, { code: 'missing', message: `type is missing, and ${found}` });
  return undefined;
}

/** The kind whose model has this name; else the end of a sentence that says why none, or which of several, can be meant. */
export function kindOfModelName(
  model: string,
  kinds: readonly BackendKind[],
): BackendKind | string {
  const candidates = kindsOfModel(model, kinds);
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) {
    return only;
  }
  const names = (only === undefined ? kinds : candidates).map(({ type }) => type).join(', ');
  return only === undefined
    ? `${shown(model)} does not tell which service is meant. Known types: ${names}.`
    : `several services have ${shown(model)}; write one of ${names}.`;
}

/** What to write instead of a type that is not known here. */
export function typeAdvice(
  written: string,
  kinds: readonly BackendKind[],
): { readonly message: string; readonly suggestion: string | undefined } {
  const type = normalized(written);
  const types = kinds.map((each) => each.type);
  const refusal = Object.hasOwn(refusedTypes, type) ? refusedTypes[type] : undefined;
  if (refusal !== undefined) {
    return { message: refusal, suggestion: undefined };
  }
  if (otherOriginalTypes.includes(type)) {
    const message = `${type} is not available here. Known types: ${types.join(', ')}.`;
    return { message, suggestion: undefined };
  }
  const suggestion = nearest(type, types);
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  const message = `${shown(written)} is not a type of backend.${hint} Known types: ${types.join(', ')}.`;
  return { message, suggestion };
}

/** A member that is needed before the others can be read. */
export function textOf(
  map: YAMLMap,
  context: ReadContext,
  key: string,
): { readonly node: Node; readonly text: string } | undefined {
  const entry = entriesOf(map, context).find(({ name }) => name === key);
  const node = context.resolve(entry?.value);
  return isScalar(node) && typeof node.value === 'string' ? { node, text: node.value } : undefined;
}
