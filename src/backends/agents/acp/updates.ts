// What an agent tells while it works, as parts of an answer. Unknown kinds are left out.
import { clip } from '../../../base/text';
import type { HostedTool } from '../../../core/ports/model-backend';
import { asArray, asObject, asText } from '../../wire/json-reading';
import type { SessionPart } from '../agent-session';
import { isBridgeTool, type Offered } from './permission';

type Json = Readonly<Record<string, unknown>>;
type SpokenType = 'text-delta' | 'thinking-delta';

interface Spoken {
  /** Of the message; empty when the agent names none. */
  readonly id: string;
  isParted: boolean;
}

/** Follows the updates of a session. */
export class UpdateReader {
  readonly #tools = new Map<string, HostedTool>();
  /** Sum of the session so far in US dollars; `undefined` when the agent states none. */
  totalUsd: number | undefined;
  readonly #offered: Offered;
  /** Kinds of words that were said in this prompt; the last message of each, and whether a tool began after it. */
  #spoken = new Map<SpokenType, Spoken>();

  constructor(offered: Offered) {
    this.#offered = offered;
  }

  /** A prompt begins, and with it a text. */
  begin(): void {
    this.#spoken = new Map();
  }

  read(params: unknown): SessionPart | undefined {
    const update = asObject(asObject(params)?.['update']);
    switch (update?.['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#words('text-delta', update);
      case 'agent_thought_chunk':
        return this.#words('thinking-delta', update);
      case 'tool_call':
      case 'tool_call_update':
        return this.#tool(update);
      case 'usage_update':
        this.#cost(asObject(update['cost']));
        return undefined;
      default:
        return undefined;
    }
  }

  /** Messages are read as one text, each apart from the one before. Not every agent names them, so a tool parts them as well. */
  #words(type: SpokenType, update: Json): SessionPart | undefined {
    const text = asText(asObject(update['content'])?.['text']);
    if (text === '') {
      return undefined;
    }
    const id = asText(update['messageId']);
    const before = this.#spoken.get(type);
    this.#spoken.set(type, { id, isParted: false });
    const isApart = before !== undefined && (before.isParted || before.id !== id);
    return { type, text: isApart ? `\n\n${text}` : text };
  }

  #part(isNew: boolean): void {
    for (const spoken of this.#spoken.values()) {
      spoken.isParted ||= isNew;
    }
  }

  /** Some agents tell of a tool for the first time when it is done. */
  #tool(update: Json): SessionPart | undefined {
    const id = asText(update['toolCallId']);
    if (id === '' || isBridgeTool(update, this.#offered)) {
      return undefined;
    }
    const known = this.#tools.get(id);
    this.#part(known === undefined);
    const before = known ?? { id, tool: 'tool', subject: '', status: 'started' };
    const preview = previewOf(update);
    const subject = clip(asText(update['title']).replace(/\s+/g, ' '), 300);
    const tool: HostedTool = {
      id,
      tool: asText(update['name']) || asText(update['kind']) || before.tool,
      subject: subject || before.subject,
      status: statusOf(update['status'], before.status),
      ...(preview === '' ? {} : { preview }),
    };
    const isSame = known?.status === tool.status && known.subject === tool.subject;
    if (isSame && preview === '') {
      return undefined;
    }
    this.#tools.set(id, tool);
    return { type: 'hosted-tool', ...tool };
  }

  #cost(cost: Json | undefined): void {
    const amount = cost?.['amount'];
    if (typeof amount === 'number' && cost?.['currency'] === 'USD') {
      this.totalUsd = amount;
    }
  }
}

function statusOf(status: unknown, before: HostedTool['status']): HostedTool['status'] {
  switch (status) {
    case 'completed':
      return 'done';
    case 'failed':
      return 'failed';
    default:
      return before;
  }
}

function previewOf(update: Json): string {
  const texts = asArray(update['content']).map((item) => {
    const entry = asObject(item);
    return entry?.['type'] === 'diff'
      ? `changed ${asText(entry['path'])}`
      : asText(asObject(entry?.['content'])?.['text']);
  });
  return clip(texts.filter((text) => text !== '').join('\n'), 2_000);
}
