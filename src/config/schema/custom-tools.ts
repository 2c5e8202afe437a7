// `custom_tools`: functions of the user, one entry for one or several of them.
import { isMap, isNode, isSeq, type YAMLMap } from 'yaml';
import type { OptionValue } from '../../core/ports/backend-kind';
import type { CustomToolConfig } from '../run-config';
import { shown } from '../secret-text';
import { builtInTools } from './built-in-tools';
import { either, list, readFields } from './collections';
import { anyMapping, textOrTexts } from './open-values';
import { rangeOf, type ReadContext } from './read-context';
import { settingText, text, wrongType } from './scalars';
import { commandText, wordsOf } from './server-values';
import type { Shape } from './shape';
import { field, type FieldValues, keyInfos, type Spec } from './spec';

const presets: Spec<Members | readonly Members[]> = either(isSeq, list(anyMapping()), anyMapping());

type Members = Readonly<Record<string, OptionValue>>;

const fields = {
  function: field(textOrTexts(), 'Function or functions of the file.'),
  path: field(settingText(), 'File of JavaScript or Python, relative to the project.'),
  command: field(
    commandText(),
    'Instead of path and function: a program that reads the input as JSON and prints the result.',
  ),
  name: field(textOrTexts(), 'Name for the model; that of the function when left out.'),
  description: field(textOrTexts(), 'What it does, for the model; the docstring when left out.'),
  preset_args: field(presets, 'Arguments that the model neither sees nor changes.'),
  input_schema: field(
    anyMapping(),
    'JSON Schema of the input; read off the function when left out.',
  ),
  category: field(text(), "Accepted for MassGen's sake."),
  default_params: field(anyMapping(), 'Has no effect; preset_args are the arguments that are set.'),
};

const itemShape: Shape = { kind: 'mapping', keys: keyInfos(fields), isOpen: true };

/** In the order of the file; entries that cannot be used are told with their reason, and do not come. */
export function customTools(): Spec<readonly CustomToolConfig[]> {
  const shape: Shape = { kind: 'list', item: itemShape, isNullable: true };
  return {
    shape,
    read: (node, context) => {
      if (!isSeq(node)) {
        wrongType(node, context, shape);
        return undefined;
      }
      const tools: CustomToolConfig[] = [];
      for (const [index, item] of node.items.entries()) {
        const at = context.resolve(isNode(item) ? item : null);
        const itemContext = context.item(index, rangeOf(at) ?? context.around);
        if (isMap(at)) {
          tools.push(...readEntry(at, itemContext));
        } else {
          wrongType(at ?? node, itemContext, itemShape);
        }
      }
      reportEqual(tools, context);
      return tools;
    },
  };
}

type Values = FieldValues<typeof fields>;

function readEntry(node: YAMLMap, context: ReadContext): readonly CustomToolConfig[] {
  const values = readFields(node, context, fields, 'warning');
  if (values.default_params !== undefined) {
    const message = 'default_params has no effect; preset_args are the arguments that are set.';
    context.report(undefined, { code: 'no-effect', severity: 'warning', message });
  }
  if (values.command !== undefined) {
    return commandTool(values.command, values, context);
  }
  const { function: functions } = values;
  if (functions === undefined || functions.length === 0) {
    const message = 'A tool needs the function that it calls, or a command.';
    context.report(undefined, { code: 'missing', message });
    return [];
  }
  if (!isMatching(values, functions.length, context)) {
    return [];
  }
  reportBuiltIn(functions, values.path, context);
  return functions.flatMap((name, i) => functionTool(name, i, { values, context }));
}

function builtInOf(
  name: string,
  path: string | undefined,
): (typeof builtInTools)[number] | undefined {
  return builtInTools.find((tool) => tool.matches(name, path));
}

/** Functions for which the same holds are told together. */
function reportBuiltIn(
  functions: readonly string[],
  path: string | undefined,
  context: ReadContext,
): void {
  const bySentence = new Map<string, readonly string[]>();
  for (const name of functions) {
    const sentence = builtInOf(name, path)?.sentence;
    if (sentence !== undefined) {
      bySentence.set(sentence, [...(bySentence.get(sentence) ?? []), name]);
    }
  }
  for (const [sentence, names] of bySentence) {
    const what = names.length === 1 ? 'is a tool' : 'are tools';
    context.report(undefined, {
      code: 'not-supported',
      severity: 'warning',
      message: `${names.map(shown).join(', ')} ${what} of MassGen: ${sentence}`,
    });
  }
}

function commandTool(
  command: string | readonly string[],
  values: Values,
  context: ReadContext,
): readonly CustomToolConfig[] {
  const [program, ...rest] = wordsOf(command, false);
  const name = values.name?.[0] ?? values.function?.[0];
  if (program === undefined || name === undefined) {
    const missing =
      program === undefined ? 'A command must not be empty.' : 'A command needs a name.';
    context.report(undefined, { code: 'missing', message: missing });
    return [];
  }
  return [{ ...common(values, 0), name, run: { kind: 'command', command: [program, ...rest] } }];
}

function functionTool(
  name: string,
  index: number,
  { values, context }: { readonly values: Values; readonly context: ReadContext },
): readonly CustomToolConfig[] {
  const { path } = values;
  if (builtInOf(name, path) !== undefined) {
    return [];
  }
  if (path === undefined) {
    const message = `${shown(name)} is no tool that is known here; its file belongs under path.`;
    context.report(undefined, { code: 'missing', message });
    return [];
  }
  if (!/\.(py|[cm]?js)$/.test(path)) {
    const message = 'The file of a tool ends with .py, .js, .mjs or .cjs.';
    context.report(undefined, { code: 'wrong-value', message });
    return [];
  }
  const shownName = values.name?.[values.name.length === 1 ? 0 : index];
  const run = { kind: 'module', path, function: name } as const;
  return [{ ...common(values, index), name: shownName ?? name, run }];
}

function common(
  { description, preset_args: given = {}, input_schema: inputSchema }: Values,
  index: number,
): Pick<CustomToolConfig, 'description' | 'presetArguments' | 'inputSchema'> {
  const isEach = isListOfMembers(given);
  return {
    description: description?.[description.length === 1 ? 0 : index],
    presetArguments: isEach ? (given[index] ?? {}) : given,
    ...(inputSchema === undefined ? {} : { inputSchema }),
  };
}

function isListOfMembers(given: Members | readonly Members[]): given is readonly Members[] {
  return Array.isArray(given);
}

/** A list goes with the functions one by one; a single value holds for all, but two tools need two names. */
function isMatching(
  { name, description, preset_args: given }: Values,
  count: number,
  context: ReadContext,
): boolean {
  const lists = {
    name: name ?? [],
    description: description ?? [],
    preset_args: given !== undefined && isListOfMembers(given) ? given : [],
  };
  const wrong = Object.entries(lists).filter(
    ([key, list]) =>
      list.length > 0 && list.length !== count && (list.length !== 1 || key === 'name'),
  );
  for (const [key, list] of wrong) {
    const message = `${key} has ${list.length} items for ${count} functions; give one for each.`;
    context.report(undefined, { code: 'wrong-value', message });
  }
  return wrong.length === 0;
}

function reportEqual(tools: readonly CustomToolConfig[], context: ReadContext): void {
  const names = tools.map(({ name }) => name);
  for (const name of new Set(names.filter((each, i) => names.indexOf(each) !== i))) {
    const message = `Two tools are called ${shown(name)}.`;
    context.report(undefined, { code: 'duplicate', message });
  }
}
