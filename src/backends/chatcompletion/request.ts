// Turns a neutral request into the body of a chat completion.
import type { BackendSettings } from '../../core/ports/backend-kind';
import type { ModelRequest, ToolSpec } from '../../core/ports/model-backend';
import { asObject } from '../wire/json-reading';
import { toStrictSchema } from '../wire/output-schema';
import { ToolNames } from '../wire/tool-names';
import { toParameters } from '../wire/tool-schema';
import { asReasoningEffort, effortOf } from './effort';
import { alwaysThinks, isOpenAiThinker, refusesToolsWithThinking } from './families';
import { type Json, toMessages } from './messages';
import type { Quirks } from './services';

export interface ChatTarget {
  readonly settings: BackendSettings;
  readonly quirks: Quirks;
  /** OpenAI's own service, which knows members that compatible servers do not, and refuses others. */
  readonly isOpenAi: boolean;
  readonly takesImages: boolean;
  /** Protocol, host and model, of the answers whose thinking can go back. */
  readonly origin: string;
}

/** What goes over the wire. */
export interface ChatBody extends Json {
  readonly model: string;
  readonly messages: readonly Json[];
}

/** Settings that go into the body under their own name. */
const plainOptions = [
  ...['temperature', 'top_p', 'stop', 'seed', 'frequency_penalty', 'presence_penalty'],
  ...['top_k', 'min_p', 'repetition_penalty', 'chat_template_kwargs', 'separate_reasoning'],
] as const;

/** Of these, OpenAI's thinking models take none. */
const samplingOptions: ReadonlySet<string> = new Set([
  ...['temperature', 'top_p', 'stop', 'frequency_penalty', 'presence_penalty'],
]);

/** Members that may be left out when the service says that it does not take them. */
export const droppableMembers: ReadonlySet<string> = new Set([
  ...['stream_options', 'max_tokens', 'max_completion_tokens', 'parallel_tool_calls'],
  ...['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking'],
  ...['reasoning_content', 'reasoning_details'],
  ...plainOptions,
]);

export const outputFormat = 'response_format';

/** What `extra_body` must not replace. */
export const reservedMembers: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'tools', 'stream', 'stream_options', 'functions', 'n'],
]);

/** `refused`: members that the service has refused before. */
export function toChatBody(
  request: ModelRequest,
  target: ChatTarget,
  refused: ReadonlySet<string>,
): ChatBody {
  const { settings, quirks, origin, takesImages, isOpenAi } = target;
  const names = new ToolNames(request.tools);
  const systemRole = isOpenAi && isOpenAiThinker(settings.model) ? 'developer' : 'system';
  const members: Json = {
    stream_options: { include_usage: true },
    ...plainMembers(target),
    ...lengthLimit(request, target, refused),
    ...effort(request, target),
    ...toolMembers(request, target, names),
    ...formatMember(request, target),
  };
  const taken = Object.entries(members).filter(([name]) => !refused.has(name));
  return {
    ...Object.fromEntries(taken),
    ...extraMembers(settings),
    model: settings.model,
    messages: toMessages(request, { quirks, origin, takesImages, names, systemRole, refused }),
  };
}

function plainMembers({ settings, isOpenAi }: ChatTarget): Json {
  const isThinker = isOpenAi && isOpenAiThinker(settings.model);
  const sent = plainOptions.filter(
    (name) => settings.options[name] !== undefined && !(isThinker && samplingOptions.has(name)),
  );
  return Object.fromEntries(sent.map((name) => [name, settings.options[name]]));
}

function lengthLimit(
  request: ModelRequest,
  { settings, isOpenAi }: ChatTarget,
  refused: ReadonlySet<string>,
): Json {
  const own = settings.options['max_tokens'];
  const limits = [request.maxOutputTokens, typeof own === 'number' ? own : undefined];
  const limit = Math.min(...limits.filter((one) => one !== undefined));
  if (limit === Infinity) {
    return {};
  }
  // OpenAI's present models know only the newer name, most compatible servers only the older one.
  const isNewName = isOpenAi || refused.has('max_tokens');
  return isNewName ? { max_completion_tokens: limit } : { max_tokens: limit };
}

function effort(request: ModelRequest, { settings, quirks, isOpenAi }: ChatTarget): Json {
  const wanted = effortOf(settings.options['reasoning_effort']);
  if (wanted !== undefined) {
    return quirks.effort(wanted);
  }
  const mustSwitchOff =
    isOpenAi &&
    request.tools.length > 0 &&
    refusesToolsWithThinking(settings.model) &&
    !alwaysThinks(settings.model);
  return mustSwitchOff ? asReasoningEffort('none') : {};
}

function toolMembers(request: ModelRequest, { settings }: ChatTarget, names: ToolNames): Json {
  if (request.tools.length === 0) {
    return {};
  }
  const isParallel = settings.options['parallel_tool_calls'];
  return {
    tools: request.tools.map((tool) => toTool(tool, names)),
    ...(typeof isParallel === 'boolean' ? { parallel_tool_calls: isParallel } : {}),
  };
}

function formatMember({ outputSchema }: ModelRequest, { quirks }: ChatTarget): Json {
  if (outputSchema === undefined || quirks.hasNoOutputSchema === true) {
    return {};
  }
  const { name } = outputSchema;
  const form = { name, schema: toStrictSchema(outputSchema), strict: true };
  return { [outputFormat]: { type: 'json_schema', json_schema: form } };
}

function toTool(tool: ToolSpec, names: ToolNames): Json {
  const { name, description, inputSchema } = tool;
  const fn = { name: names.toWire(name), description, parameters: toParameters(inputSchema) };
  return { type: 'function', function: fn };
}

function extraMembers(settings: BackendSettings): Json {
  const extra = Object.entries(asObject(settings.options['extra_body']) ?? {});
  return Object.fromEntries(extra.filter(([name]) => !reservedMembers.has(name)));
}
