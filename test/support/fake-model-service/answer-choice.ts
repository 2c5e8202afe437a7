import { isObject } from './request-check';
import type { Condition, ScriptedAnswer } from './script';

/** The answers of one model that are left. */
export class AnswerQueue {
  readonly #left: ScriptedAnswer[];

  constructor(answers: readonly ScriptedAnswer[]) {
    this.#left = [...answers];
  }

  /** Takes the answer for this request; `undefined` when the script has none left for it. */
  take(body: unknown): ScriptedAnswer | undefined {
    const i = this.#left.findIndex((answer) => holds(answer.when, body));
    const answer = this.#left[i];
    if (answer !== undefined && answer.isRepeated !== true) {
      this.#left.splice(i, 1);
    }
    return answer;
  }
}

function holds(condition: Condition | undefined, body: unknown): boolean {
  if (condition === undefined) {
    return true;
  }
  const messages = listOf(body, 'messages');
  const lastOwn = messages.findLastIndex((message) => memberOf(message, 'role') === 'assistant');
  const all = messages.map(textOf).join('\n');
  const fresh = messages
    .slice(lastOwn + 1)
    .map(textOf)
    .join('\n');
  const tools = listOf(body, 'tools').map((tool) => memberOf(memberOf(tool, 'function'), 'name'));
  return (
    (condition.contains === undefined || all.includes(condition.contains)) &&
    (condition.lacks === undefined || !all.includes(condition.lacks)) &&
    (condition.newContains === undefined || fresh.includes(condition.newContains)) &&
    (condition.offersTool === undefined || tools.includes(condition.offersTool)) &&
    (condition.withholdsTool === undefined || !tools.includes(condition.withholdsTool))
  );
}

function textOf(message: unknown): string {
  const content = memberOf(message, 'content');
  return typeof content === 'string' ? content : JSON.stringify(message);
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
