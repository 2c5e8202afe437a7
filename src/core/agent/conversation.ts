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
   * Leaves out what tools have answered and shown, oldest first: all of it before the newest round, and the middle of what is
   * long there. What the newest round has shown goes when nothing else is left. Answers whether that has made the
   * conversation any shorter.
   */
  shorten(): boolean {
    const newest = this.#messages.findLastIndex(({ role }) => role === 'tool');
    const isShorter = this.#shortenResults((result, i) =>
      i === newest ? { ...result, text: withoutMiddle(result.text) } : leftOut(result),
    );
    return isShorter || this.#shortenResults(withoutMedia);
  }

  /** Whether any result has become shorter. */
  #shortenResults(change: (result: ToolCallResult, index: number) => ToolCallResult): boolean {
    let isShorter = false;
    for (const [i, message] of this.#messages.entries()) {
      if (message.role === 'tool') {
        const results = message.results.map((result) => change(result, i));
        isShorter ||= results.some((result, n) => isLess(result, message.results[n]));
        this.#messages[i] = { ...message, results };
      }
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

function isLess(after: ToolCallResult, before: ToolCallResult | undefined): boolean {
  const hasLost = before?.media !== undefined && after.media === undefined;
  return hasLost || after.text.length < (before?.text.length ?? 0);
}

function leftOut(result: ToolCallResult): ToolCallResult {
  const { text } = result;
  const shown = withoutMedia(result);
  return text.length <= shortResult
    ? shown
    : {
        ...shown,
        text: `[${text.length} characters left out, because this turn has become too long. Call the tool again if you need them.]`,
      };
}

/** A picture can take more room than all texts together. */
function withoutMedia({ media, ...result }: ToolCallResult): ToolCallResult {
  if (media === undefined || media.length === 0) {
    return result;
  }
  const names = media.map(({ name }) => name).join(', ');
  const lost = `[Left out, because this turn has become too long: ${names}]`;
  return { ...result, text: result.text.trim() === '' ? lost : `${result.text}\n${lost}` };
}

function withoutMiddle(text: string): string {
  return text.length <= longestResult + shortResult
    ? text
    : cutMiddle(text, longestResult, 'Ask for a smaller part.');
}
