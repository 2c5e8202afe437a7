import { isMap, isScalar, type Node, type YAMLMap } from 'yaml';
import { nearest } from '../../base/text';
import type {
  BackendKey,
  BackendKind,
  BackendSettings,
  OptionValue,
} from '../../core/ports/backend-kind';
import { shown } from '../secret-text';
import { entriesOf, readFields } from './collections';
import { anyMapping, isMembers, textOrTexts } from './open-values';
import { chatCompletionAddresses, originalBackendKeys, otherOriginalTypes } from './original-keys';
import { rangeOf, type ReadContext } from './read-context';
import {
  boolean,
  integer,
  number,
  oneOf,
  secretName,
  text,
  webAddress,
  wrongType,
} from './scalars';
import type { Shape } from './shape';
import { field, type Field, type Fields, keyInfos, type Spec } from './spec';

/** Keys about the agent that MassGen keeps in the backend block. */
const agentFields = {
  planning_mode: field(
    oneOf('inherit', 'on', 'off'),
    'Whether tools with an effect outside of the workspaces are closed for this agent until an answer is chosen.',
    { defaultText: 'inherit' },
  ),
  cwd: field(
    text(),
    "Accepted for MassGen's sake: every agent has a private folder of its own, whatever its name.",
  ),
  enable_mcp_command_line: field(
    boolean(),
    "Accepted for MassGen's sake: agents may always ask to run a command, and a person decides.",
  ),
} satisfies Fields;

const typeField = { description: 'Kind of model service.', isRequired: true };

export interface BackendBlock {
  readonly settings: BackendSettings;
  /** MassGen's name for the agent's own folder. */
  readonly cwd: string | undefined;
  /** Absent: as the team. */
  readonly planningMode?: 'on' | 'off';
}

/** A backend block; its keys are those of the kind that `type` names. */
export function backendBlock(kinds: readonly BackendKind[]): Spec<BackendBlock> {
  const typeShape: Shape = { kind: 'string', values: kinds.map(({ type }) => type) };
  const typeKey = { name: 'type', ...typeField, shape: typeShape };
  const shape: Shape = {
    kind: 'by-type',
    typeKey,
    types: kinds.map(({ type, title, description, keys }) => ({
      type,
      title,
      description,
      keys: [
        { ...typeKey, description: `${title}: ${description}` },
        ...keyInfos({ ...originalBackendKeys, ...fieldsOf(keys, undefined), ...agentFields }),
      ],
    })),
  };
  return {
    shape,
    read: (node, context) => {
      if (!isMap(node)) {
        wrongType(node, context, shape);
        return undefined;
      }
      return readBlock(node, context, kinds);
    },
  };
}

function readBlock(
  node: YAMLMap,
  context: ReadContext,
  kinds: readonly BackendKind[],
): BackendBlock | undefined {
  const kind = findKind(node, context, kinds);
  if (kind === undefined) {
    const anyKey = { api_key: field(secretName(undefined), 'Variable that holds the key.') };
    const all = Object.assign({}, ...kinds.map(({ keys }) => fieldsOf(keys, undefined))) as Fields;
    readFields(
      node,
      context,
      lenient({
        ...originalBackendKeys,
        ...agentFields,
        ...anyKey,
        ...all,
        type: { ...typeField, spec: text() },
      }),
    );
    return undefined;
  }
  const [usualKey] = kind.keyNamesOf(
    settingsOf(kind, { base_url: textOf(node, context, 'base_url')?.text }),
  );
  const values = readFields(node, context, {
    ...originalBackendKeys,
    ...agentFields,
    ...fieldsOf(kind.keys, usualKey),
    type: { ...typeField, spec: text() },
  });
  const { cwd, planning_mode: mode = 'inherit' } = values;
  const planning = mode === 'inherit' ? {} : { planningMode: mode };
  return { settings: settingsOf(kind, values), cwd, ...planning };
}

/** Reports what it can of a block whose kind is not known, but misses nothing. */
function lenient(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) => [
      name,
      name === 'type' ? each : { ...each, isRequired: false },
    ]),
  );
}

function findKind(
  node: YAMLMap,
  context: ReadContext,
  kinds: readonly BackendKind[],
): BackendKind | undefined {
  const written = textOf(node, context, 'type');
  if (written === undefined) {
    return undefined;
  }
  const type = normalized(written.text);
  const kind = kinds.find((each) => each.type === type);
  if (kind === undefined) {
    const types = kinds.map((each) => each.type);
    const { message, suggestion } = adviceFor(type, written.text, types);
    const at = context.key('type', rangeOf(written.node) ?? context.around);
    at.report(written.node, { code: 'unknown-backend', message, suggestion });
  }
  return kind;
}

/** `Chat-Completion ` is written in many ways. */
function normalized(type: string): string {
  return type.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
}

function adviceFor(
  type: string,
  written: string,
  types: readonly string[],
): { readonly message: string; readonly suggestion: string | undefined } {
  const address = Object.hasOwn(chatCompletionAddresses, type)
    ? chatCompletionAddresses[type]
    : undefined;
  if (address !== undefined) {
    const key = address.keyName === undefined ? '' : ` and api_key: \${${address.keyName}}`;
    const message = `${type} is not a type of its own here; use chatcompletion with base_url: ${address.baseUrl}${key}.`;
    return { message, suggestion: 'chatcompletion' };
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
function textOf(
  map: YAMLMap,
  context: ReadContext,
  key: string,
): { readonly node: Node; readonly text: string } | undefined {
  const entry = entriesOf(map, context).find(({ name }) => name === key);
  const node = context.resolve(entry?.value);
  return isScalar(node) && typeof node.value === 'string' ? { node, text: node.value } : undefined;
}

function fieldsOf(keys: readonly BackendKey[], usualKey: string | undefined): Fields {
  const fields: Record<string, Field<unknown>> = {};
  for (const key of keys) {
    fields[key.name] = field(specOf(key, usualKey), key.description, {
      isRequired: key.isRequired,
    });
  }
  return fields;
}

function specOf(key: BackendKey, usualKey: string | undefined): Spec<unknown> {
  const bounds = {
    ...(key.minimum === undefined ? {} : { minimum: key.minimum }),
    ...(key.maximum === undefined ? {} : { maximum: key.maximum }),
  };
  switch (key.type) {
    case 'string':
      return key.values === undefined ? text() : oneOf(...key.values);
    case 'number':
      return number(bounds);
    case 'integer':
      return integer(bounds);
    case 'boolean':
      return boolean();
    case 'url':
      return webAddress();
    case 'mapping':
      return anyMapping();
    case 'strings':
      return textOrTexts();
    case 'secret':
      return secretName(usualKey);
  }
}

function settingsOf(kind: BackendKind, values: Readonly<Record<string, unknown>>): BackendSettings {
  const options: Record<string, OptionValue> = {};
  for (const { name, type } of kind.keys) {
    const value = values[name];
    if (isOptionValue(value) && type !== 'secret' && name !== 'model') {
      options[name] = value;
    }
  }
  const secret = kind.keys.find(({ type }) => type === 'secret');
  const apiKey = secret === undefined ? undefined : values[secret.name];
  const { model } = values;
  return {
    type: kind.type,
    model: typeof model === 'string' ? model : '',
    apiKeyName: typeof apiKey === 'string' ? apiKey : undefined,
    options,
  };
}

/** What a key of a kind can hold; `undefined` for keys that are not written. */
function isOptionValue(value: unknown): value is OptionValue {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    Array.isArray(value) ||
    isMembers(value)
  );
}
