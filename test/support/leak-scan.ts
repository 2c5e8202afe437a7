import type { ModelRequest } from '../../src/core/ports/model-backend';

/** An agent as configured; none of this may reach a model. */
export interface ScannedAgent {
  readonly slot: number;
  readonly id: string;
  readonly model: string;
  /** Own text of the user for this agent; may name anything to this agent. */
  readonly systemMessage?: string | undefined;
  /** Absolute folders that belong to this agent alone. */
  readonly folders?: readonly string[];
}

export interface LeakScan {
  readonly requests: readonly ModelRequest[];
  readonly agents: readonly ScannedAgent[];
  /** The user's task and the texts that models wrote themselves; what stands there is no leak. */
  readonly allowed: readonly string[];
}

export interface Leak {
  /** Who received it. */
  readonly slot: number;
  readonly term: string;
  /** Text around it. */
  readonly excerpt: string;
}

/**
 * Everything sent to any model that would tell it who its peers are: configured ids, model names and folders of other
 * agents. Case does not matter; ids and models count as whole words only.
 */
export function findLeaks(scan: LeakScan): readonly Leak[] {
  return scan.requests.flatMap((request) =>
    findLeaksInText(request.step.slot, textOf(request), {
      agents: scan.agents,
      allowed: [...scan.allowed, ...written(request)],
    }),
  );
}

/** The same for a text that was sent to the agent in `slot`, e.g. taken from the wire. */
export function findLeaksInText(
  slot: number,
  sent: string,
  scan: Pick<LeakScan, 'agents' | 'allowed'>,
): readonly Leak[] {
  const own = scan.agents.find((agent) => agent.slot === slot);
  const text = without(sent, [...scan.allowed, own?.systemMessage ?? '']);
  return termsFor(scan.agents, slot).flatMap(({ term, pattern }) => {
    const match = pattern.exec(text);
    const start = Math.max(0, (match?.index ?? 0) - 40);
    return match === null
      ? []
      : [{ slot, term, excerpt: text.slice(start, start + 80 + term.length) }];
  });
}

/** Every string of the request that a model can read. */
function textOf(request: ModelRequest): string {
  const messages = request.messages.map((message) => {
    switch (message.role) {
      case 'user':
        return message.text;
      case 'assistant':
        return '';
      case 'tool':
        return message.results.map((result) => result.text).join('\n');
    }
  });
  return [request.system, ...messages, JSON.stringify(request.tools)].join('\n');
}

/** What the model wrote itself in this turn. */
function written(request: ModelRequest): readonly string[] {
  return request.messages.flatMap((message) =>
    message.role === 'assistant'
      ? [message.text, ...message.toolCalls.map((call) => call.argumentsJson)]
      : [],
  );
}

function without(text: string, allowed: readonly string[]): string {
  const longestFirst = allowed
    .filter((one) => one.trim() !== '')
    .sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, one) => rest.replaceAll(one, ' '), text);
}

function termsFor(
  agents: readonly ScannedAgent[],
  viewer: number,
): readonly { readonly term: string; readonly pattern: RegExp }[] {
  return agents.flatMap((agent) => {
    const words = [agent.id, agent.model].filter((word) => word !== '');
    const folders = agent.slot === viewer ? [] : (agent.folders ?? []);
    return [
      ...words.map((term) => ({
        term,
        pattern: new RegExp(`(?<![\\p{L}\\p{N}_])${escape(term)}(?![\\p{L}\\p{N}_])`, 'iu'),
      })),
      ...folders.map((term) => ({ term, pattern: new RegExp(escape(term), 'iu') })),
    ];
  });
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
