import { type Label, parseLabel } from '../../base/ids';
import type { RunState } from '../../run/state';
import type { Directive, Toolset } from '../coordination/inputs';
import type { TurnInput } from '../ports/agent-runtime';
import type { ChatMessage, Media, ToolCallResult } from '../ports/model-backend';
import type { ModelResponse } from './model-call';
import type { PeerView } from './peer-view';
import { cutMiddle } from './prompt/budget';
import { updateBlock } from './prompt/update-block';
import { replyResult } from './workflow-tools';

type Continue = Extract<Directive, { kind: 'continue' }>;

/** Later answers of a turn may take at least this many characters, however much the first ones took. */
const leastForUpdates = 4_000;

/** What of the newest results stays when the conversation is shortened, in characters each. */
const longestResult = 8_000;
/** Results that are not longer than this are not worth leaving out. */
const shortResult = 400;

/**
 * What has been said in one turn. It only grows, so that services can reuse what they have read, unless it has become
 * too long for the model.
 */
export class Conversation {
  readonly #purpose: TurnInput['purpose'];
  readonly #view: PeerView;
  readonly #messages: ChatMessage[] = [];
  #shown: readonly Label[];
  /** Characters that answers may still take. */
  #budget: number;

  constructor({ purpose, shown }: TurnInput, view: PeerView, budget: number) {
    this.#purpose = purpose;
    this.#view = view;
    this.#shown = shown;
    this.#budget = budget;
  }

  get messages(): readonly ChatMessage[] {
    return [...this.#messages];
  }

  /** `answerChars`: what answers take of the text. */
  open(text: string, answerChars: number, media: readonly Media[]): void {
    this.#messages.push({ role: 'user', text, ...(media.length === 0 ? {} : { media }) });
    this.#budget -= answerChars;
  }

  /** Adds a response, what answers its calls, and what else the model must know now. `notes` come before news. */
  add(
    { text, toolCalls, verbatim }: ModelResponse,
    results: ReadonlyMap<number, ToolCallResult>,
    after: { readonly directive: Continue; readonly state: RunState; readonly notes: string },
  ): void {
    const { directive, state, notes } = after;
    if (text !== '' || toolCalls.length > 0 || verbatim !== undefined) {
      const own = verbatim === undefined ? {} : { verbatim };
      this.#messages.push({ role: 'assistant', text, toolCalls, ...own });
    }
    if (toolCalls.length > 0) {
      const offer = { purpose: this.#purpose, toolset: directive.toolset };
      const all = toolCalls.map((call, index) => {
        const reply = directive.replies.find((one) => one.toolCallId === call.id);
        return results.get(index) ?? replyResult(call, reply, offer);
      });
      this.#messages.push({ role: 'tool', results: all });
    }
    const news = this.#news(directive.update, directive.toolset, state);
    const parts = [notes, directive.notice, news, ...(directive.messages ?? [])];
    const notices = parts.filter((part) => part !== '');
    if (notices.length > 0 || toolCalls.length === 0) {
      this.#messages.push({ role: 'user', text: notices.join('\n\n') || 'Go on.' });
    }
  }

  /**
   * Leaves out what tools have answered, oldest first: all of it before the newest round, and the middle of what is long
   * there. Answers whether that has made the conversation any shorter.
   */
  shorten(): boolean {
    const newest = this.#messages.findLastIndex(({ role }) => role === 'tool');
    let isShorter = false;
    for (const [i, message] of this.#messages.entries()) {
      if (message.role !== 'tool') {
        continue;
      }
      const results = message.results.map((result) => {
        const text = i === newest ? withoutMiddle(result.text) : leftOut(result.text);
        isShorter ||= text.length < result.text.length;
        return { ...result, text };
      });
      this.#messages[i] = { ...message, results };
    }
    return isShorter;
  }

  #news(labels: readonly Label[], toolset: Toolset, state: RunState): string {
    if (labels.length === 0) {
      return '';
    }
    const before = this.#shown;
    const slots = new Set(labels.map((label) => parseLabel(label)?.slot));
    const kept = before.filter((label) => !slots.has(parseLabel(label)?.slot));
    this.#shown = [...kept, ...labels];
    const answers = this.#view.show(state, labels).map((answer) => {
      const replaces = before.find((label) => parseLabel(label)?.slot === answer.revision.slot);
      return replaces === undefined ? answer : { ...answer, replaces };
    });
    const text = updateBlock(answers, toolset, Math.max(leastForUpdates, this.#budget));
    this.#budget -= text.length;
    return text;
  }
}

function leftOut(text: string): string {
  return text.length <= shortResult
    ? text
    : `[${text.length} characters left out, because this turn has become too long. Call the tool again if you need them.]`;
}

function withoutMiddle(text: string): string {
  return text.length <= longestResult + shortResult
    ? text
    : cutMiddle(text, longestResult, 'Ask for a smaller part.');
}
