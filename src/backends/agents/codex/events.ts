// What Codex writes while it works, as parts of an answer. Unknown events and items are left out.
import { clip } from '../../../base/text';
import type { HostedTool } from '../../../core/ports/model-backend';
import type { Usage } from '../../../run/facts';
import { asArray, asCount, asObject, asText } from '../../wire/json-reading';
import type { SessionPart } from '../agent-session';
import { bridgeName } from '../bridge/mcp-answers';
import type { ThreadUsage } from './thread-usage';

type Json = Readonly<Record<string, unknown>>;

export type CodexEnd =
  { readonly kind: 'completed' } | { readonly kind: 'failed'; readonly said: string };

/** Reads the events of one prompt. */
export class EventReader {
  /** Names the session. */
  threadId: string | undefined;
  /** Set when the program has said how its turn ends. */
  end: CodexEnd | undefined;
  /** What it complained about last; it goes on after most of it. */
  lastComplaint = '';
  readonly #begun = new Set<string>();
  readonly #used: ThreadUsage;

  /** `used`: kept over all prompts of the agent. */
  constructor(used: ThreadUsage) {
    this.#used = used;
  }

  read(value: unknown): readonly SessionPart[] {
    const event = asObject(value) ?? {};
    switch (event['type']) {
      case 'thread.started':
        this.threadId = asText(event['thread_id']) || undefined;
        return [];
      case 'item.started':
      case 'item.completed':
        return this.#item(asObject(event['item']) ?? {}, event['type'] === 'item.completed');
      case 'turn.completed':
        this.end = { kind: 'completed' };
        return [{ type: 'usage', usage: this.#usage(asObject(event['usage']) ?? {}) }];
      case 'turn.failed':
        this.end = { kind: 'failed', said: asText(asObject(event['error'])?.['message']) };
        return [];
      case 'error':
        this.lastComplaint = asText(event['message']);
        return [];
      default:
        return [];
    }
  }

  #usage(total: Json): Usage {
    return this.#used.since(this.threadId ?? '', usageOf(total));
  }

  #item(item: Json, isDone: boolean): readonly SessionPart[] {
    const text = asText(item['text']);
    switch (item['type']) {
      case 'agent_message':
        return isDone && text !== '' ? [this.#whole('text-delta', text)] : [];
      case 'reasoning':
        return isDone && text !== '' ? [this.#whole('thinking-delta', text)] : [];
      case 'error': {
        // A note of the program; whether its turn has failed is told by the turn itself.
        const message = asText(item['message']);
        return isDone
          ? [{ type: 'notice', code: 'program-notice', message: `Codex: ${message}` }]
          : [];
      }
      default: {
        const tool = toolOf(item, isDone);
        return tool === undefined ? [] : [{ type: 'hosted-tool', ...tool }];
      }
    }
  }

  /** Messages come whole, and are read as one text. */
  #whole(type: 'text-delta' | 'thinking-delta', text: string): SessionPart {
    const apart = this.#begun.has(type) ? `\n\n${text}` : text;
    this.#begun.add(type);
    return { type, text: apart };
  }
}

function toolOf(item: Json, isDone: boolean): HostedTool | undefined {
  const known = nameOf(item);
  const id = asText(item['id']);
  if (known === undefined || id === '') {
    return undefined;
  }
  const exitCode = item['exit_code'];
  const hasFailed =
    item['status'] === 'failed' ||
    item['status'] === 'declined' ||
    (typeof exitCode === 'number' && exitCode !== 0);
  const preview = clip(asText(item['aggregated_output']) || resultText(item), 2_000);
  return {
    ...{ id, tool: known.tool, subject: clip(known.subject.replace(/\s+/g, ' '), 300) },
    status: isDone ? (hasFailed ? 'failed' : 'done') : 'started',
    ...(preview === '' ? {} : { preview }),
  };
}

function nameOf(item: Json): { readonly tool: string; readonly subject: string } | undefined {
  switch (item['type']) {
    case 'command_execution':
      return { tool: 'command', subject: asText(item['command']) };
    case 'file_change': {
      const paths = asArray(item['changes']).map((change) => asText(asObject(change)?.['path']));
      return { tool: 'edit', subject: paths.join(', ') };
    }
    case 'mcp_tool_call':
      return item['server'] === bridgeName
        ? undefined
        : { tool: `${asText(item['server'])}.${asText(item['tool'])}`, subject: '' };
    case 'web_search':
      return { tool: 'web_search', subject: asText(item['query']) };
    default:
      return undefined;
  }
}

function resultText(item: Json): string {
  const content = asArray(asObject(item['result'])?.['content']);
  const failure = asText(asObject(item['error'])?.['message']);
  return failure || content.map((each) => asText(asObject(each)?.['text'])).join('\n');
}

function usageOf(usage: Json): Usage {
  const inputTokens = asCount(usage['input_tokens']);
  const cachedInputTokens = asCount(usage['cached_input_tokens']);
  const cacheWriteTokens = asCount(usage['cache_write_input_tokens']);
  const outputTokens = asCount(usage['output_tokens']);
  const reasoningTokens = asCount(usage['reasoning_output_tokens']);
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
