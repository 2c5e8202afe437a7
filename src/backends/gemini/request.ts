// Turns a neutral request into the body of a request for one streamed answer.
import type { BackendSettings, OptionValue } from '../../core/ports/backend-kind';
import type { ModelRequest, ToolSpec } from '../../core/ports/model-backend';
import { asObject } from '../wire/json-reading';
import { type ContentRules, toContents } from './contents';
import type { ModelLine } from './model-line';
import { toJsonSchema, toOpenApi } from './schema';
import { thinkingConfigOf } from './thinking';
import type { ToolNames } from '../wire/tool-names';
import type { FunctionDeclaration, GeminiBody, WireTool } from './wire-body';

/** Members that may be left out, or said differently, when the service says that it does not take them. */
export const droppableMembers: ReadonlySet<string> = new Set([
  'parametersJsonSchema',
  'safetySettings',
  'thinkingConfig',
  'includeThoughts',
  'thinkingLevel',
  'thinkingBudget',
  'temperature',
  'topP',
  'topK',
  'stopSequences',
]);

export const outputFormat = 'responseJsonSchema';

export interface RequestRules extends ContentRules {
  readonly model: string;
  readonly settings: BackendSettings;
  readonly refused: ReadonlySet<string>;
}

export function toGeminiBody(request: ModelRequest, rules: RequestRules): GeminiBody {
  const { settings, refused, line } = rules;
  const { system } = request;
  const tools = toTools(request, rules);
  const generationConfig = {
    ...toGenerationConfig(request, rules),
    ...toOutputForm(request, rules, tools.length > 0),
  };
  const safetySettings = toSafetySettings(settings.options['safety_settings']);
  const isMixed = tools.length > 1 && request.tools.length > 0 && line.mixesTools;
  return {
    model: rules.model,
    content: {
      contents: toContents(request.messages, rules),
      ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
      ...(tools.length === 0 ? {} : { tools }),
      ...(isMixed ? { toolConfig: { includeServerSideToolInvocations: true } } : {}),
      ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
      ...(safetySettings === undefined || refused.has('safetySettings') ? {} : { safetySettings }),
    },
  };
}

function toTools({ tools }: ModelRequest, { settings, refused, names }: RequestRules): WireTool[] {
  const hosted = settings.hostedTools ?? [];
  const isPlain = refused.has('parametersJsonSchema');
  return [
    ...(tools.length === 0
      ? []
      : [{ functionDeclarations: tools.map((tool) => toDeclaration(tool, names, isPlain)) }]),
    ...(hosted.includes('web-search') ? [{ googleSearch: {} }] : []),
    ...(hosted.includes('code-execution') ? [{ codeExecution: {} }] : []),
  ];
}

function toDeclaration(tool: ToolSpec, names: ToolNames, isPlain: boolean): FunctionDeclaration {
  const schema = isPlain ? toOpenApi(tool.inputSchema) : toJsonSchema(tool.inputSchema);
  const member = isPlain ? 'parameters' : 'parametersJsonSchema';
  return {
    name: names.toWire(tool.name),
    description: tool.description,
    ...(schema === undefined ? {} : { [member]: schema }),
  };
}

function toGenerationConfig(
  request: ModelRequest,
  { settings, refused, line }: RequestRules,
): Readonly<Record<string, unknown>> {
  const { options } = settings;
  const config = {
    temperature: options['temperature'],
    topP: options['top_p'],
    topK: options['top_k'],
    maxOutputTokens: leastOf(request.maxOutputTokens, options['max_tokens']),
    stopSequences: listOf(options['stop_sequences']),
    thinkingConfig: toThinking(settings, line, refused),
  };
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => value !== undefined && !refused.has(name)),
  );
}

function toOutputForm(
  { outputSchema }: ModelRequest,
  { line, refused }: RequestRules,
  hasTools: boolean,
): Readonly<Record<string, unknown>> {
  const isTaken = line.hasOutputSchema && (line.mixesTools || !hasTools);
  return outputSchema === undefined || !isTaken || refused.has(outputFormat)
    ? {}
    : {
        responseMimeType: 'application/json',
        [outputFormat]: toJsonSchema(outputSchema.schema),
      };
}

function toThinking(
  settings: BackendSettings,
  line: ModelLine,
  refused: ReadonlySet<string>,
): Readonly<Record<string, unknown>> | undefined {
  const config = thinkingConfigOf(settings, line) ?? {};
  const kept = Object.entries(config).filter(([name]) => !refused.has(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function leastOf(...limits: readonly unknown[]): number | undefined {
  const numbers = limits.filter((limit) => typeof limit === 'number');
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

function listOf(value: OptionValue | undefined): readonly unknown[] | undefined {
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  return isList(value) ? value : [value];
}

function isList(value: OptionValue): value is readonly OptionValue[] {
  return Array.isArray(value);
}

/** A mapping from category to threshold; the prefix of a category may be left out. */
function toSafetySettings(value: OptionValue | undefined): unknown {
  if (Array.isArray(value)) {
    return value;
  }
  const mapping = asObject(value);
  if (mapping === undefined) {
    return undefined;
  }
  return Object.entries(mapping).map(([name, threshold]) => {
    const category = name.toUpperCase();
    return {
      category: category.startsWith('HARM_') ? category : `HARM_CATEGORY_${category}`,
      threshold: String(threshold).toUpperCase(),
    };
  });
}
