// What an agent tells while it works, as parts of an answer. Unknown kinds are left out.
import { clip } from '../../../base/text';
import type { HostedTool } from '../../../core/ports/model-backend';
import { asArray, asObject, asText } from '../../wire/json-reading';
import type { SessionPart } from '../agent-session';
import { isBridgeTool, type Offered } from './permission';

type Json = Readonly<Record<string, unknown>>;

/** Follows the updates of one prompt. */
export class UpdateReader {
  readonly #tools = new Map<string, HostedTool>();
  /** Sum of the session so far in US dollars; `undefined` when the agent states none. */
  totalUsd: number | undefined;
  readonly #offered: Offered;

  constructor(offered: Offered) {
    this.#offered = offered;
  }

  read(params: unknown): SessionPart | undefined {
    const update = asObject(asObject(params)?.['update']);
    switch (update?.['sessionUpdate']) {
      case 'agent_message_chunk':
        return textPart('text-delta', update);
      case 'agent_thought_chunk':
        return textPart('thinking-delta', update);
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

  /** Some agents tell of a tool for the first time when it is done. */
  #tool(update: Json): SessionPart | undefined {
    const id = asText(update['toolCallId']);
    if (id === '' || isBridgeTool(update, this.#offered)) {
      return undefined;
    }
    const known = this.#tools.get(id);
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

function textPart(type: 'text-delta' | 'thinking-delta', update: Json): SessionPart | undefined {
  const text = asText(asObject(update['content'])?.['text']);
  return text === '' ? undefined : { type, text };
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
