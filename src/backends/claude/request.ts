// Turns a neutral request into the body of a message request.
import { createHash } from 'node:crypto';
import type { BackendSettings } from '../../core/ports/backend-kind';
import type { ModelRequest } from '../../core/ports/model-backend';
import { asCount } from '../wire/json-reading';
import { toStrictSchema } from '../wire/output-schema';
import { ToolNames } from '../wire/tool-names';
import { listOf } from './endpoint';
import type { Family } from './families';
import { type Generation, type Thinking, withinTokens } from './generation';
import type { WireBlock } from './media';
import { type WireMessage, isThinking, toWireMessages } from './messages';
import { toWireTools } from './tools';

export interface RequestRules {
  readonly settings: BackendSettings;
  readonly family: Family;
  readonly generation: Generation;
  /** Name of the model's own words. */
  readonly origin: string;
  /** Longest output of the model, `undefined` when it is not known. */
  readonly modelMaxTokens: number | undefined;
  readonly windowTokens: number | undefined;
  /** Names of what the thoughts stood after that the service has refused once. */
  readonly refusedThoughts: ReadonlySet<string>;
}

export type MessageBody = Readonly<Record<string, unknown>>;

export interface WrittenRequest {
  readonly body: MessageBody;
  /** Names everything that the answer will stand after. */
  readonly prefix: string;
  /** Names of what the thoughts in it stand after. */
  readonly thoughts: readonly string[];
}

/** Stands for all thinking of earlier answers among the members that a service can refuse. */
export const earlierThinking = 'signature';

/** Optional members that may be left out when the service says that it does not take them. */
export const droppable: ReadonlySet<string> = new Set([
  ...['temperature', 'top_p', 'top_k', 'thinking', 'output_config', 'cache_control'],
  earlierThinking,
]);

/** Left out alone: `output_config` has other members. */
export const outputFormat = 'output_config.format';

/** Enough for the longest answer of a turn; a far larger one is a loop. */
const usualMaxTokens = 64_000;
/** What models of somebody else behind this protocol take as well. */
const cautiousMaxTokens = 16_000;

export function toMessageBody(
  request: ModelRequest,
  rules: RequestRules,
  refused: ReadonlySet<string>,
): WrittenRequest {
  const { settings, family, generation, origin } = rules;
  const system = request.system.trim() === '' ? [] : [{ type: 'text', text: request.system }];
  const names = new ToolNames(request.tools);
  const tools = toWireTools(request.tools, settings.hostedTools ?? [], names);
  const hash = createHash('sha256').update(JSON.stringify([origin, system, tools]));
  const thoughts: string[] = [];
  const messages = toWireMessages(request.messages, {
    ...{ origin, names },
    keepsThinking: ({ prefix }) => {
      const stands = !family.isBound || prefix === hash.copy().digest('hex');
      const isKept = stands && !rules.refusedThoughts.has(prefix);
      thoughts.push(...(isKept ? [prefix] : []));
      return isKept;
    },
    onBlock: (role, block) => hash.update(role).update(JSON.stringify(block)),
  });
  const maxTokens = maxTokensOf(request, rules);
  const thinking = canThink(messages, generation.thinking, refused)
    ? withinTokens(generation.thinking, maxTokens)
    : undefined;
  const stops = listOf(settings.options['stop_sequences']);
  const marks = (blocks: readonly WireBlock[]) =>
    refused.has('cache_control') ? blocks : withMark(blocks);
  return {
    ...{ prefix: hash.digest('hex'), thoughts },
    body: {
      model: settings.model,
      max_tokens: maxTokens,
      ...(tools.length === 0 ? {} : { tools: marks(tools) }),
      ...(system.length === 0 ? {} : { system: marks(system) }),
      messages: trimmed(refused.has('cache_control') ? messages : withMarks(messages)),
      ...(thinking === undefined ? {} : { thinking }),
      ...outputConfigOf(request, rules, refused),
      ...samplingOf(generation, refused),
      ...(stops.length === 0 ? {} : { stop_sequences: stops }),
      stream: true,
    },
  };
}

function outputConfigOf(
  { outputSchema }: ModelRequest,
  { family, generation: { effort } }: RequestRules,
  refused: ReadonlySet<string>,
): MessageBody {
  const hasFormat = family.hasOutputFormat && !refused.has(outputFormat);
  const config = {
    ...(effort === undefined ? {} : { effort }),
    ...(outputSchema === undefined || !hasFormat
      ? {}
      : { format: { type: 'json_schema', schema: toStrictSchema(outputSchema) } }),
  };
  const isEmpty = Object.keys(config).length === 0;
  return isEmpty || refused.has('output_config') ? {} : { output_config: config };
}

function maxTokensOf(request: ModelRequest, rules: RequestRules): number {
  const { settings, modelMaxTokens, windowTokens } = rules;
  const configured = asCount(settings.options['max_tokens']);
  // What may be said counts against the window from the beginning, so that it must not take too much of it.
  const usual =
    windowTokens === undefined ? cautiousMaxTokens : Math.min(usualMaxTokens, windowTokens / 5);
  const limits = [configured ?? usual, modelMaxTokens, request.maxOutputTokens];
  return Math.max(1, Math.floor(Math.min(...limits.filter((limit) => limit !== undefined))));
}

function samplingOf({ sampling }: Generation, refused: ReadonlySet<string>): MessageBody {
  return Object.fromEntries(Object.entries(sampling).filter(([name]) => !refused.has(name)));
}

/**
 * A model that thinks within a budget must have begun the round of calls that is still open with a thought. It has not when
 * its own words were lost.
 */
function canThink(
  messages: readonly WireMessage[],
  thinking: Thinking | undefined,
  refused: ReadonlySet<string>,
): boolean {
  if (refused.has('thinking')) {
    return false;
  }
  if (thinking?.['type'] !== 'enabled') {
    return true;
  }
  const start = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !hasResults(content),
  );
  const [first] = messages[start + 1]?.content ?? [];
  return first === undefined || isThinking(first);
}

/** Words that the model is to go on with must not end in a space. */
function trimmed(messages: readonly WireMessage[]): readonly WireMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || typeof block?.['text'] !== 'string') {
    return messages;
  }
  const content = [...last.content.slice(0, -1), { ...block, text: block['text'].trimEnd() }];
  return [...messages.slice(0, -1), { ...last, content }];
}

function hasResults(content: readonly WireBlock[]): boolean {
  return content.some((block) => block['type'] === 'tool_result');
}

/**
 * Marks the end of what the service may reuse: the last two messages of the user, so that the place marked by the request
 * before is marked again. With the tools and the system text they are the four marks that a request may have.
 */
function withMarks(messages: readonly WireMessage[]): readonly WireMessage[] {
  const places = messages.flatMap(({ role }, i) => (role === 'user' ? [i] : [])).slice(-2);
  return messages.map((message, i) =>
    places.includes(i) ? { ...message, content: withMark(message.content) } : message,
  );
}

function withMark(blocks: readonly WireBlock[]): readonly WireBlock[] {
  return blocks.map((block, i) =>
    i === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
  );
}
