// Settings of a team file that become members of a request, each as far as the model takes it.
import type { BackendSettings, OptionValue } from '../../core/ports/backend-kind';
import type { BackendPart } from '../../core/ports/model-backend';
import { bareModelName } from '../catalog/lookup';
import { asObject, asText } from '../wire/json-reading';
import { type Effort, type Thinking, efforts, nearestEffort, thinkingOf } from './families';
import type { Item, ResponsesService } from './service';

type Notice = Extract<BackendPart, { type: 'notice' }>;

/** The same in every request of an agent. */
export interface Tuning {
  readonly members: Item;
  /** The model may think, so that its thoughts must be kept. */
  readonly mayThink: boolean;
  /** What was left out or changed, for people. */
  readonly notices: readonly Notice[];
}

/** Members that only the user or a model's line brings in, and that may be left out when refused. */
export const optionalMembers = [
  ...['temperature', 'top_p', 'max_output_tokens', 'reasoning', 'text'],
  ...['reasoning.effort', 'reasoning.summary', 'reasoning.context', 'reasoning.mode'],
  'text.verbosity',
] as const;

export function tuningOf(settings: BackendSettings, service: ResponsesService): Tuning {
  const { model, options } = settings;
  const thinking = withTools(thinkingOf(bareModelName(model)), settings);
  const { effort, notices } = effortOf(options, thinking, model);
  const mayThink = thinking.kind !== 'never';
  const isThinking = thinking.kind === 'thinks' && (effort ?? thinking.usual) !== 'none';
  const sampling = samplingOf(options, isThinking ? model : undefined);
  const reasoning = {
    ...(effort === undefined ? {} : { effort }),
    ...furtherReasoning(options, mayThink),
    ...(mayThink
      ? summaryOf(options, service.asksForSummary && (isThinking || effort !== undefined))
      : {}),
  };
  const verbosity = asText(asObject(options['text'])?.['verbosity']);
  return {
    members: {
      ...sampling.members,
      ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
      ...(verbosity === '' ? {} : { text: { verbosity } }),
    },
    mayThink,
    notices: [...notices, ...sampling.notices],
  };
}

/** The least effort goes without the tools of the service. */
function withTools(thinking: Thinking, { hostedTools = [] }: BackendSettings): Thinking {
  return thinking.kind === 'thinks' && hostedTools.length > 0
    ? { ...thinking, efforts: thinking.efforts.filter((effort) => effort !== 'minimal') }
    : thinking;
}

/** Told when the service itself refuses a member. */
export function refusalNotice(name: string, { options }: BackendSettings): Notice | undefined {
  const [top = '', inner] = name.split('.');
  const key = top === 'max_output_tokens' ? 'max_tokens' : top;
  const own = options[key];
  const isEffort = inner === undefined || inner === 'effort';
  const isOwn =
    (inner === undefined ? own : asObject(own)?.[inner]) !== undefined ||
    (top === 'reasoning' && isEffort && options['reasoning_effort'] !== undefined);
  return isOwn
    ? notice('setting-left-out', `The service does not take ${key}; it is left out.`)
    : undefined;
}

export function notice(code: string, message: string): Notice {
  return { type: 'notice', code, message };
}

type Options = Readonly<Record<string, OptionValue>>;

function effortOf(
  options: Options,
  thinking: Thinking,
  model: string,
): { readonly effort?: Effort; readonly notices: readonly Notice[] } {
  const written = asObject(options['reasoning'])?.['effort'] ?? options['reasoning_effort'];
  const wanted = efforts.find((effort) => effort === written);
  if (wanted === undefined) {
    return { notices: [] };
  }
  if (thinking.kind === 'never') {
    const message = `${model} does not reason, so that it gets no reasoning effort.`;
    return { notices: wanted === 'none' ? [] : [notice('setting-left-out', message)] };
  }
  if (thinking.kind === 'unknown' || thinking.efforts.includes(wanted)) {
    return { effort: wanted, notices: [] };
  }
  const effort = nearestEffort(wanted, thinking.efforts);
  const message = `${model} has no reasoning effort "${wanted}" and gets "${effort}".`;
  return { effort, notices: [notice('setting-changed', message)] };
}

/** `thinker`: the model that takes no sampling because it thinks. */
function samplingOf(
  options: Options,
  thinker: string | undefined,
): { readonly members: Item; readonly notices: readonly Notice[] } {
  const names = ['temperature', 'top_p'].filter((name) => typeof options[name] === 'number');
  if (thinker === undefined) {
    return { members: Object.fromEntries(names.map((name) => [name, options[name]])), notices: [] };
  }
  // 1 is what such a model does anyway.
  const lost = names.filter((name) => options[name] !== 1);
  const message = `${thinker} takes no ${lost.join(' and no ')} while it reasons; left out.`;
  return { members: {}, notices: lost.length === 0 ? [] : [notice('setting-left-out', message)] };
}

function furtherReasoning(options: Options, mayThink: boolean): Item {
  const written = asObject(options['reasoning']);
  const further = ['context', 'mode'].filter((name) => asText(written?.[name]) !== '');
  return mayThink ? Object.fromEntries(further.map((name) => [name, written?.[name]])) : {};
}

function summaryOf(options: Options, isUsual: boolean): Item {
  const written = asObject(options['reasoning'])?.['summary'];
  if (written === undefined) {
    return isUsual ? { summary: 'auto' } : {};
  }
  // Anything but a text switches it off.
  return typeof written === 'string' && written !== 'none' ? { summary: written } : {};
}
