import { isMap, type YAMLMap } from 'yaml';
import type {
  BackendKey,
  BackendKind,
  BackendSettings,
  OptionValue,
} from '../../core/ports/backend-kind';
import type { CommandRules } from '../../core/ports/command-rules';
import type { AgentTools } from '../run-config';
import { aliasesOf, findKind, textOf } from './backend-type';
import { readFields } from './collections';
import { type ContextPathEntry, contextPaths } from './context-paths';
import { hostedFields, hostedFieldsOfAny, hostedToolsOf } from './hosted-tools';
import { anyMapping, isMembers, textOrTexts } from './open-values';
import { commandFields, commandRulesOf } from './command-keys';
import { internalBackendKeys, originalBackendKeys } from './original-backend-keys';
import type { ReadContext } from './read-context';
import {
  boolean,
  integer,
  number,
  oneOf,
  settingText,
  text,
  webAddress,
  wrongType,
} from './scalars';
import { secretName } from './secret-key';
import type { KeyInfo, Shape, TypeInfo } from './shape';
import { field, type Field, type Fields, keyInfos, type Spec } from './spec';
import { toolFields, toolsOf } from './tool-keys';

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
    'false takes the tools for commands from this agent; otherwise it may ask to run one, and a person decides.',
    { defaultText: 'true' },
  ),
  context_paths: field(
    contextPaths,
    'Folders and files for this agent; has an effect in a team of one. Otherwise they stand under orchestrator.',
  ),
  ...commandFields,
} satisfies Fields;

const typeField = {
  description: 'Kind of model service; without it the model alone must tell.',
  isRequired: false,
};

export interface BackendBlock {
  readonly settings: BackendSettings;
  /** MassGen's name for the agent's own folder. */
  readonly cwd: string | undefined;
  /** Absent: as the team. */
  readonly planningMode?: 'on' | 'off';
  /** Absent: what every agent has. */
  readonly tools?: AgentTools;
  /** Absent: those of the run alone. */
  readonly commandRules?: CommandRules;
  readonly contextPaths?: readonly ContextPathEntry[];
  /** An agent program rather than a model. */
  readonly isProgram: boolean;
  /** Keys that the product sets itself and that the file sets all the same. */
  readonly ignoredKeys: readonly string[];
}

/** A backend block; its keys are those of the kind that `type` names. */
export function backendBlock(kinds: readonly BackendKind[]): Spec<BackendBlock> {
  const typeShape: Shape = { kind: 'string', values: kinds.map(({ type }) => type) };
  const typeKey = { name: 'type', ...typeField, shape: typeShape };
  let types: readonly TypeInfo[] | undefined;
  const shape: Shape = {
    kind: 'by-type',
    typeKey,
    // Reading a file does not need them, and they take longer than most files.
    get types(): readonly TypeInfo[] {
      types ??= typesOf(kinds, typeKey);
      return types;
    },
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

function typesOf(kinds: readonly BackendKind[], typeKey: KeyInfo): readonly TypeInfo[] {
  return kinds.map((kind) => ({
    type: kind.type,
    aliases: aliasesOf(kind),
    title: kind.title,
    description: kind.description,
    keys: [
      { ...typeKey, description: `${kind.title}: ${kind.description}` },
      ...keyInfos(allFieldsOf(kind, kinds, undefined)),
    ],
  }));
}

/** A key of the kind itself means what the kind says, whatever others mean by it. */
function allFieldsOf(
  kind: BackendKind,
  kinds: readonly BackendKind[],
  usualKey: string | undefined,
): BlockFields {
  const own = fieldsOf(kind, usualKey);
  const general = { ...hostedFields(kind, kinds), ...toolFields, ...agentFields };
  // Named first so that they are offered first, and last so that they count.
  return { ...own, ...originalBackendKeys, ...internalBackendKeys, ...general, ...own };
}

type BlockFields = typeof agentFields & typeof toolFields & Fields;

function readBlock(
  node: YAMLMap,
  context: ReadContext,
  kinds: readonly BackendKind[],
): BackendBlock | undefined {
  const type = { ...typeField, spec: text() };
  const kind = findKind(node, context, kinds);
  if (kind === undefined) {
    const anyKey = { api_key: field(secretName(undefined), 'Variable that holds the key.') };
    const all = Object.assign({}, ...kinds.map((each) => fieldsOf(each, undefined))) as Fields;
    const known = { ...originalBackendKeys, ...internalBackendKeys, ...hostedFieldsOfAny() };
    const ours = { ...agentFields, ...toolFields };
    readFields(node, context, lenient({ ...known, ...ours, ...anyKey, ...all, type }));
    return undefined;
  }
  const [usualKey] = kind.keyNamesOf(
    settingsOf(kind, { base_url: textOf(node, context, 'base_url')?.text }),
  );
  const values = readFields(node, context, { ...allFieldsOf(kind, kinds, usualKey), type });
  const { cwd, planning_mode: mode = 'inherit' } = values;
  const tools = toolsOf(values);
  const commandRules = commandRulesOf(values);
  const own = new Set(kind.keys.map(({ name }) => name));
  return {
    settings: settingsOf(kind, values),
    cwd,
    isProgram: kind.isProgram === true,
    ignoredKeys: Object.keys(internalBackendKeys).filter((key) => node.has(key) && !own.has(key)),
    ...(mode === 'inherit' ? {} : { planningMode: mode }),
    ...(tools === undefined ? {} : { tools }),
    ...(commandRules === undefined ? {} : { commandRules }),
    ...(values.context_paths === undefined ? {} : { contextPaths: values.context_paths }),
  };
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

function fieldsOf(kind: BackendKind, usualKey: string | undefined): Fields {
  const fields: Record<string, Field<unknown>> = {};
  for (const key of kind.keys) {
    const fallback = key.name === 'model' ? kind.defaultModel : undefined;
    fields[key.name] = field(specOf(key, usualKey), key.description, {
      isRequired: key.isRequired && fallback === undefined,
      // A program without a model in its block chooses one itself.
      ...(fallback === undefined || fallback === '' ? {} : { defaultText: fallback }),
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
      return key.values === undefined ? plainOrSetting(key) : oneOf(...key.values);
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

/** Settings that differ from one machine to the next; other texts reach a model or a service as they are. */
const machineKeys: readonly string[] = ['model', 'api_version', 'recording'];

function plainOrSetting({ name }: BackendKey): Spec<string> {
  return machineKeys.includes(name) ? settingText() : text();
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
  const hostedTools = hostedToolsOf(kind, values);
  return {
    type: kind.type,
    model: typeof model === 'string' ? model : (kind.defaultModel ?? ''),
    apiKeyName: typeof apiKey === 'string' ? apiKey : undefined,
    options,
    ...(hostedTools.length === 0 ? {} : { hostedTools }),
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
