// What a program is told: everything when a turn begins, afterwards what it does not know yet.
import type { ChatMessage, Media, ModelRequest } from '../../core/ports/model-backend';
import { bridgeName } from './bridge/mcp-answers';

export interface PromptContent {
  readonly text: string;
  readonly media: readonly Media[];
}

/**
 * `known`: how many messages of the turn the session has been told, its own among them; 0: the turn is new to it.
 */
export function promptContent(request: ModelRequest, known: number): PromptContent {
  const fresh = request.messages.slice(known);
  const isWhole = known === 0;
  const said = fresh.map((message) => textOf(message, isWhole)).filter((text) => text !== '');
  const texts = isWhole ? [request.system, toolNote(request), ...said] : said;
  return {
    text: texts.filter((text) => text !== '').join('\n\n') || 'Go on.',
    media: fresh.flatMap((message) => (message.role === 'user' ? (message.media ?? []) : [])),
  };
}

function toolNote({ tools }: ModelRequest): string {
  const names = tools.map(({ name }) => name).join(', ');
  return names === ''
    ? ''
    : `The tools that end your turn (${names}) come from the server of tools named ${bridgeName}. A turn counts only when one of them was called: do the work with your own tools first, then call one, and then stop.`;
}

/** A session that has said something itself is not told so again. */
function textOf(message: ChatMessage, isWhole: boolean): string {
  switch (message.role) {
    case 'user':
      return message.text;
    case 'assistant': {
      const calls = message.toolCalls.map(
        ({ name, argumentsJson }) => `You called ${name} with ${argumentsJson}`,
      );
      const said = message.text === '' ? [] : [`You said before:\n${message.text}`];
      return isWhole ? [...said, ...calls].join('\n') : '';
    }
    case 'tool':
      return message.results.map(({ name, text }) => `Result of ${name}: ${text}`).join('\n');
  }
}
