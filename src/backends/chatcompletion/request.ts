// Turns a neutral request into the body of a chat completion.
import type { BackendSettings } from '../../core/ports/backend-kind';
import type { ChatMessage, ModelRequest, ToolCall, ToolSpec } from '../../core/ports/model-backend';
import type { Endpoint } from './endpoint';
import { isJson } from '../wire/json-reading';

interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export type WireMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: WireToolCall[];
      readonly reasoning_content?: string;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface WireTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  };
}

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly stream_options?: { readonly include_usage: true };
  readonly tools?: WireTool[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly reasoning_effort?: ReasoningEffort;
}

/** What an adapter has learned of its service from earlier answers. */
export interface Learned {
  /** Parameters that it has refused; they are left out (or renamed) from then on. */
  readonly refused: ReadonlySet<string>;
  /** What the model had thought before it made a call, by the id of the call: some services want it back. */
  readonly reasoning: ReadonlyMap<string, string>;
}

/** Optional members that may be dropped when the service says that it does not take them. */
export const droppableParameters: ReadonlySet<string> = new Set([
  'stream_options',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'reasoning_effort',
  'reasoning_content',
]);

export function toChatBody(
  request: ModelRequest,
  settings: BackendSettings,
  endpoint: Endpoint,
  learned: Learned,
): ChatBody {
  const { refused } = learned;
  return {
    model: settings.model,
    messages: toMessages(request, learned),
    ...(refused.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toTool) }),
    ...sampling(settings, endpoint, refused),
    ...lengthLimit(request, settings, endpoint, refused),
    ...reasoning(request, settings, endpoint, refused),
  };
}

function sampling(
  settings: BackendSettings,
  endpoint: Endpoint,
  refused: Learned['refused'],
): Pick<ChatBody, 'temperature' | 'top_p'> {
  if (endpoint.isOpenAi && isReasoningModel(settings.model)) {
    // These models refuse any value but their own.
    return {};
  }
  const temperature = numberOption(settings, 'temperature');
  const topP = numberOption(settings, 'top_p');
  return {
    ...(temperature === undefined || refused.has('temperature') ? {} : { temperature }),
    ...(topP === undefined || refused.has('top_p') ? {} : { top_p: topP }),
  };
}

function lengthLimit(
  request: ModelRequest,
  settings: BackendSettings,
  endpoint: Endpoint,
  refused: Learned['refused'],
): Pick<ChatBody, 'max_tokens' | 'max_completion_tokens'> {
  const limits = [request.maxOutputTokens, numberOption(settings, 'max_tokens')];
  const limit = Math.min(...limits.filter((one) => one !== undefined));
  if (limit === Infinity) {
    return {};
  }
  // OpenAI's present models know only the newer name, most compatible servers only the older one.
  const isNewName = endpoint.isOpenAi || refused.has('max_tokens');
  if (isNewName) {
    return refused.has('max_completion_tokens') ? {} : { max_completion_tokens: limit };
  }
  return { max_tokens: limit };
}

function reasoning(
  request: ModelRequest,
  settings: BackendSettings,
  endpoint: Endpoint,
  refused: Learned['refused'],
): Pick<ChatBody, 'reasoning_effort'> {
  if (refused.has('reasoning_effort')) {
    return {};
  }
  const effort = effortOption(settings.options['reasoning_effort']);
  if (effort !== undefined) {
    return { reasoning_effort: effort };
  }
  // From gpt-5.4 on this method takes tools only with reasoning switched off, and reasons by default.
  const version = /^gpt-(\d+(?:\.\d+)?)/.exec(settings.model)?.[1];
  const mustSwitchOff =
    endpoint.isOpenAi && request.tools.length > 0 && Number(version ?? 0) >= 5.4;
  return mustSwitchOff && !settings.model.includes('astra') ? { reasoning_effort: 'none' } : {};
}

function toMessages(request: ModelRequest, learned: Learned): WireMessage[] {
  const messages = request.messages.flatMap((message) => toWireMessages(message, learned));
  return request.system === ''
    ? messages
    : [{ role: 'system', content: request.system }, ...messages];
}

function toWireMessages(message: ChatMessage, learned: Learned): WireMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: filled(message.text) }];
    case 'assistant':
      return toAssistant(message.text, message.toolCalls, learned);
    case 'tool':
      return message.results.map((result) => ({
        role: 'tool',
        tool_call_id: result.toolCallId,
        content: filled(result.text),
      }));
  }
}

function toAssistant(
  text: string,
  toolCalls: readonly ToolCall[],
  { refused, reasoning }: Learned,
): WireMessage[] {
  const [first] = toolCalls;
  if (first !== undefined) {
    const thought = refused.has('reasoning_content') ? undefined : reasoning.get(first.id);
    return [
      {
        role: 'assistant',
        content: text === '' ? null : text,
        tool_calls: toolCalls.map(toWireCall),
        ...(thought === undefined ? {} : { reasoning_content: thought }),
      },
    ];
  }
  // An answer without text and calls has no form on this wire.
  return text === '' ? [] : [{ role: 'assistant', content: text }];
}

function toWireCall(call: ToolCall): WireToolCall {
  return {
    id: call.id,
    type: 'function',
    function: {
      name: toFunctionName(call.name),
      // Some servers parse the arguments of earlier calls and fail on what a model has written wrongly.
      arguments: isJson(call.argumentsJson)
        ? call.argumentsJson
        : JSON.stringify({ malformed: call.argumentsJson }),
    },
  };
}

/** A name that every service accepts; a model may have invented another one. */
function toFunctionName(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
  return /^[a-zA-Z_]/.test(clean) ? clean : `_${clean}`.slice(0, 64);
}

function toTool(tool: ToolSpec): WireTool {
  const { $schema: _schema, ...parameters } = tool.inputSchema;
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters },
  };
}

/** Several services refuse an empty text. */
function filled(text: string): string {
  return text.trim() === '' ? '(empty)' : text;
}

function isReasoningModel(model: string): boolean {
  return /^(o\d|gpt-[5-9])/.test(model) && !model.includes('chat');
}

function numberOption(settings: BackendSettings, name: string): number | undefined {
  const value = settings.options[name];
  return typeof value === 'number' ? value : undefined;
}

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

function effortOption(value: unknown): ReasoningEffort | undefined {
  return reasoningEfforts.find((effort) => effort === value);
}
