// What Claude Code writes while it works, as parts of an answer. Unknown messages are left out.
import { clip } from '../../../base/text';
import type { HostedTool } from '../../../core/ports/model-backend';
import { asArray, asCount, asObject, asText } from '../../wire/json-reading';
import type { SessionPart } from '../agent-session';
import { bridgeName } from '../bridge/mcp-answers';
import type { SessionCosts } from '../session-costs';

type Json = Readonly<Record<string, unknown>>;

/** Reads the messages of one session. */
export class MessageReader {
  readonly #tools = new Map<string, HostedTool>();
  /** Messages whose text has come in pieces. */
  readonly #streamed = new Set<string>();
  readonly #costs: SessionCosts;
  #current = '';

  constructor(costs: SessionCosts) {
    this.#costs = costs;
  }

  read(message: Json): readonly SessionPart[] {
    // What a helper of the program says is for the program; what it does is shown.
    const isOwn = (message['parent_tool_use_id'] ?? null) === null;
    switch (message['type']) {
      case 'stream_event':
        return isOwn ? this.#event(asObject(message['event']) ?? {}) : [];
      case 'assistant':
        return this.#assistant(asObject(message['message']) ?? {}, isOwn);
      case 'user':
        return this.#results(asObject(message['message']) ?? {});
      case 'result':
        return [this.#usage(message)];
      default:
        return [];
    }
  }

  #event(event: Json): readonly SessionPart[] {
    if (event['type'] === 'message_start') {
      this.#current = asText(asObject(event['message'])?.['id']);
      return [];
    }
    const delta = asObject(event['delta']);
    if (event['type'] !== 'content_block_delta' || delta === undefined) {
      return [];
    }
    this.#streamed.add(this.#current);
    const thinking = asText(delta['thinking']);
    const text = asText(delta['text']);
    return [
      ...(thinking === '' ? [] : [{ type: 'thinking-delta', text: thinking } as const]),
      ...(text === '' ? [] : [{ type: 'text-delta', text } as const]),
    ];
  }

  #assistant(message: Json, isOwn: boolean): readonly SessionPart[] {
    // Words of the program itself, as about an error, which the result states again.
    const isMade = message['model'] === '<synthetic>';
    const isToldAlready = this.#streamed.has(asText(message['id']));
    return asArray(message['content']).flatMap((item): readonly SessionPart[] => {
      const block = asObject(item) ?? {};
      const text = asText(block['text']);
      if (block['type'] === 'text' && isOwn && !isMade && !isToldAlready && text !== '') {
        return [{ type: 'text-delta', text }];
      }
      return block['type'] === 'tool_use' ? this.#started(block) : [];
    });
  }

  #started(block: Json): readonly SessionPart[] {
    const tool = asText(block['name']);
    const id = asText(block['id']);
    if (id === '' || tool.startsWith(`mcp__${bridgeName}__`)) {
      return [];
    }
    const subject = subjectOf(asObject(block['input']) ?? {});
    const started: HostedTool = { id, tool, subject, status: 'started' };
    this.#tools.set(id, started);
    return [{ type: 'hosted-tool', ...started }];
  }

  #results(message: Json): readonly SessionPart[] {
    return asArray(message['content']).flatMap((item): readonly SessionPart[] => {
      const block = asObject(item) ?? {};
      const started = this.#tools.get(asText(block['tool_use_id']));
      if (block['type'] !== 'tool_result' || started === undefined) {
        return [];
      }
      const status = block['is_error'] === true ? 'failed' : 'done';
      const preview = clip(resultText(block['content']), 2_000);
      return [{ type: 'hosted-tool', ...started, status, ...(preview === '' ? {} : { preview }) }];
    });
  }

  /** The program states its cost for the whole session, and its tokens for the turn. */
  #usage(result: Json): SessionPart {
    const usage = asObject(result['usage']) ?? {};
    const fresh = asCount(usage['input_tokens']);
    const cached = asCount(usage['cache_read_input_tokens']) ?? 0;
    const written = asCount(usage['cache_creation_input_tokens']) ?? 0;
    const outputTokens = asCount(usage['output_tokens']);
    const total = asCount(result['total_cost_usd']);
    const costUsd = total === undefined ? undefined : this.#costs.since(total);
    return {
      type: 'usage',
      usage: {
        ...(fresh === undefined ? {} : { inputTokens: fresh + cached + written }),
        ...(cached === 0 ? {} : { cachedInputTokens: cached }),
        ...(written === 0 ? {} : { cacheWriteTokens: written }),
        ...(outputTokens === undefined ? {} : { outputTokens }),
      },
      ...(costUsd === undefined ? {} : { costUsd }),
    };
  }
}

/** The member of an input that tells people most. */
function subjectOf(input: Json): string {
  const names = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'url', 'query'];
  const found = [...names, 'description'].map((name) => asText(input[name]));
  return clip((found.find((text) => text !== '') ?? '').replace(/\s+/g, ' '), 300);
}

function resultText(content: unknown): string {
  const texts = asArray(content).map((item) => asText(asObject(item)?.['text']));
  return asText(content) || texts.filter((text) => text !== '').join('\n');
}
