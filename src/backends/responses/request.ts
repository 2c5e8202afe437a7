// Turns a neutral request into the body of a request for a response.
import { sha256Hex } from '../../base/sha256';
import type { BackendSettings } from '../../core/ports/backend-kind';
import type { ModelRequest, ToolSpec } from '../../core/ports/model-backend';
import { asArray, asObject } from '../wire/json-reading';
import { toStrictSchema } from '../wire/output-schema';
import { ToolNames } from '../wire/tool-names';
import { toParameters } from '../wire/tool-schema';
import { toInput } from './input';
import type { Item, ResponsesService } from './service';
import { type Tuning, optionalMembers } from './tuning';

export interface ResponsesBody extends Item {
  readonly model: string;
  readonly input: readonly Item[];
  readonly store: false;
}

export interface BodyParts {
  readonly settings: BackendSettings;
  readonly service: ResponsesService;
  readonly tuning: Tuning;
  /** Who writes and can read responses of this backend. */
  readonly origin: string;
}

/** A stand-in for the thoughts of earlier responses: refused when the service cannot read them any more. */
export const ownThoughts = 'encrypted_content';

/** Members that may be left out when the service says that it does not take them. */
export const droppableMembers: ReadonlySet<string> = new Set([
  ...optionalMembers,
  ...['include', 'prompt_cache_key', ownThoughts],
]);

/** Left out alone: `text` has other members. */
export const outputFormat = 'text.format';

/** What `extra_body` of a team file cannot replace: what a run lives from. */
export const fixedMembers: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'tools', 'store', 'stream', 'background'],
  ...['previous_response_id', 'conversation'],
]);

/** The service takes no smaller limit. */
const leastOutputTokens = 16;

export function toBody(
  request: ModelRequest,
  refused: ReadonlySet<string>,
  parts: BodyParts,
): ResponsesBody {
  const { settings, service, tuning, origin } = parts;
  const names = toolNamesOf(request);
  const items = toInput(request.messages, {
    origin: refused.has(ownThoughts) ? undefined : origin,
    takesAllMedia: service.takesAllMedia,
    names,
  });
  const tools = [...request.tools.map((tool) => toTool(tool, names)), ...hostedTools(parts)];
  const isInstructed = request.system !== '' && service.takesInstructions;
  const optional = {
    ...tuning.members,
    ...textMember(request, tuning),
    ...lengthLimit(request, settings),
    include: includes(parts),
    prompt_cache_key: cacheKey(request),
  };
  return {
    ...without(optional, refused),
    ...extraBody(settings),
    model: settings.model,
    ...(isInstructed ? { instructions: request.system } : {}),
    input: request.system === '' || isInstructed ? items : [systemItem(request.system), ...items],
    ...(tools.length === 0 ? {} : { tools }),
    store: false,
    stream: true,
  };
}

export function toolNamesOf(request: ModelRequest): ToolNames {
  return new ToolNames(request.tools);
}

function systemItem(text: string): Item {
  return { type: 'message', role: 'system', content: [{ type: 'input_text', text }] };
}

function toTool({ name, description, inputSchema }: ToolSpec, names: ToolNames): Item {
  const parameters = toParameters(inputSchema);
  return { type: 'function', name: names.toWire(name), description, parameters, strict: false };
}

function hostedTools({ settings, service }: BodyParts): readonly Item[] {
  const stores = storesOf(settings);
  const search = { type: 'file_search', vector_store_ids: stores };
  return [
    ...(settings.hostedTools ?? []).flatMap((name) => service.hosted[name] ?? []),
    ...(service.hasFileSearch && stores.length > 0 ? [search] : []),
  ];
}

function storesOf({ options }: BackendSettings): readonly unknown[] {
  const written = options['vector_store_ids'];
  return typeof written === 'string' ? [written] : asArray(written);
}

/** What is wanted beside the answer; `undefined` when nothing. */
function includes({ settings, service, tuning }: BodyParts): readonly unknown[] | undefined {
  const runsCode = settings.hostedTools?.includes('code-execution') === true;
  const wanted = [
    ...(tuning.mayThink ? ['reasoning.encrypted_content'] : []),
    ...(runsCode && service.showsOutputs ? ['code_interpreter_call.outputs'] : []),
    ...asArray(asObject(settings.options['extra_body'])?.['include']),
  ];
  return wanted.length === 0 ? undefined : [...new Set(wanted)];
}

function lengthLimit(request: ModelRequest, { options }: BackendSettings): Item {
  const limits = [request.maxOutputTokens, options['max_tokens']];
  const limit = Math.min(...limits.filter((one) => typeof one === 'number'));
  return limit === Infinity ? {} : { max_output_tokens: Math.max(leastOutputTokens, limit) };
}

function textMember({ outputSchema }: ModelRequest, { members }: Tuning): Item {
  if (outputSchema === undefined) {
    return {};
  }
  const { name } = outputSchema;
  const format = { type: 'json_schema', name, schema: toStrictSchema(outputSchema), strict: true };
  return { text: { ...asObject(members['text']), format } };
}

/** One per agent of a run, so that its requests reach the machine that has read their beginning. */
function cacheKey({ task, system, step }: ModelRequest): string {
  return `massgen-${sha256Hex(JSON.stringify([task, system, step.slot])).slice(0, 32)}`;
}

/** Everything but what was refused, also inside of `reasoning` and `text`. */
function without(members: Item, refused: ReadonlySet<string>): Item {
  const kept = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const inner = asObject(value);
    if (refused.has(name) || value === undefined) {
      return [];
    }
    if (inner === undefined) {
      return [[name, value]];
    }
    const left = Object.entries(inner).filter(([key]) => !refused.has(`${name}.${key}`));
    return left.length === 0 ? [] : [[name, Object.fromEntries(left)]];
  });
  return Object.fromEntries(kept);
}

function extraBody({ options }: BackendSettings): Item {
  const written = Object.entries(asObject(options['extra_body']) ?? {});
  return Object.fromEntries(
    written.filter(([name]) => !fixedMembers.has(name) && name !== 'include'),
  );
}
