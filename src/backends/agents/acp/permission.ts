// What an agent asks before it acts.
import { asObject, asText } from '../../wire/json-reading';
import { bridgeName } from '../bridge/mcp-answers';

type Json = Readonly<Record<string, unknown>>;

interface Option {
  readonly optionId: string;
  readonly kind: string;
}

/** The answer that an agent gets: one of its options, chosen by kind. Without a fitting one the question counts as cancelled. */
export type PermissionOutcome =
  { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' };

/** Nothing is allowed for longer than once: the next question may be about something else. */
export function outcomeOf(isAllowed: boolean, options: readonly Option[]): PermissionOutcome {
  const kinds = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const found = kinds.map((kind) => options.find((option) => option.kind === kind));
  const option = found.find((each) => each !== undefined);
  return option === undefined
    ? { outcome: 'cancelled' }
    : { outcome: 'selected', optionId: option.optionId };
}

/** What a person is asked: the command itself, or the tool with everything that it was given. */
export function questionOf(toolCall: Json): string {
  const input = asObject(toolCall['rawInput']);
  const command = asText(input?.['command']) || asText(input?.['cmd']);
  const title = asText(toolCall['title']) || asText(toolCall['kind']) || 'a tool';
  if (toolCall['kind'] === 'execute') {
    return command === '' ? title : command;
  }
  const details = input === undefined ? '' : ` ${JSON.stringify(input)}`;
  return `${title}${details}`;
}

/** Names of the workflow tools that are offered. */
export type Offered = () => readonly string[];

const otherKinds: ReadonlySet<unknown> = new Set(['execute', 'edit', 'delete', 'move', 'fetch']);

/**
 * Whether this is a call of a workflow tool, which is no act in the files and is told as a call of its own. A server of the
 * user may have a name that begins like ours, so the name of the tool must be one of ours as well.
 */
export function isBridgeTool(toolCall: Json, offered: Offered): boolean {
  if (otherKinds.has(toolCall['kind'])) {
    return false;
  }
  const name = asText(toolCall['name']) || asText(toolCall['title']);
  const found =
    new RegExp(`^(?:mcp(?:__|_))?${bridgeName}(?:__|_|[./ :-]+)([a-z_]+)$`, 'i').exec(name) ??
    new RegExp(`^([a-z_]+) \\(${bridgeName}(?: MCP Server)?\\)`, 'i').exec(name);
  return found?.[1] !== undefined && offered().includes(found[1]);
}
