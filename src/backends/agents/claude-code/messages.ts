// What Claude Code writes while it works, as parts of an answer. Unknown messages are left out.
import { clip } from '../../../base/text';
import type { HostedTool } from '../../../core/ports/model-backend';
import type { Usage } from '../../../run/facts';
import { asArray, asCount, asObject, asText } from '../../wire/json-reading';
import type { SessionPart } from '../agent-session';
import { bridgeName } from '../bridge/mcp-answers';
import type { SessionCosts } from '../session-costs';
import { sumOf } from '../usage-sums';
import { countedTokens, tokensOf } from './usage';

type Json = Readonly<Record<string, unknown>>;
type SpokenPart = Extract<SessionPart, { type: 'text-delta' | 'thinking-delta' }>;

/** Reads the messages of one session. */
export class MessageReader {
  readonly #tools = new Map<string, HostedTool>();
  /** Messages whose text has come in pieces. */
  readonly #streamed = new Set<string>();
  readonly #costs: SessionCosts;
  #current = '';
  /** Message that spoke last in this prompt, by kind of its words. */
  #spoken = new Map<SpokenPart['type'], string>();
  /** Tokens of turns that nobody asked for. */
  #unasked: Usage = {};

  constructor(costs: SessionCosts) {
    this.#costs = costs;
  }

  /** A prompt begins, and with it a text. */
  begin(): void {
    this.#spoken = new Map();
  }

  /** A turn has ended that nobody asked for; it is paid for all the same. */
  skip(result: Json): void {
    this.#unasked = sumOf(this.#unasked, tokensOf(result));
    this.begin();
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
      ...(thinking === '' ? [] : [this.#said('thinking-delta', thinking, this.#current)]),
      ...(text === '' ? [] : [this.#said('text-delta', text, this.#current)]),
    ];
  }

  /** Messages are read as one text, each apart from the one before. */
  #said(type: SpokenPart['type'], text: string, id: string): SpokenPart {
    const before = this.#spoken.get(type);
    this.#spoken.set(type, id);
    return { type, text: before === undefined || before === id ? text : `\n\n${text}` };
  }

  #assistant(message: Json, isOwn: boolean): readonly SessionPart[] {
    // Words of the program itself, as about an error, which the result states again.
    const isMade = message['model'] === '<synthetic>';
    const id = asText(message['id']);
    const isToldAlready = this.#streamed.has(id);
    return asArray(message['content']).flatMap((item): readonly SessionPart[] => {
      const block = asObject(item) ?? {};
      const text = asText(block['text']);
      if (block['type'] === 'text' && isOwn && !isMade && !isToldAlready && text !== '') {
        return [this.#said('text-delta', text, id)];
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
    const tokens = tokensOf(result);
    const total = asCount(result['total_cost_usd']);
    const turn = (tokens.inputTokens ?? 0) + (tokens.outputTokens ?? 0);
    const counted = { total: countedTokens(result), turn };
    const costUsd = total === undefined ? undefined : this.#costs.since(total, counted);
    const usage = sumOf(this.#unasked, tokens);
    this.#unasked = {};
    return { type: 'usage', usage, ...(costUsd === undefined ? {} : { costUsd }) };
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
