import type { CoordinationSettings, TieBreakElement } from '../../../src/run/coordination-settings';

/** What a scenario sets aside from its scripts. Times in ms. */
export interface Configuration {
  readonly settings: Partial<CoordinationSettings>;
  readonly weights: Readonly<Record<number, number>>;
  readonly deadline: number | null;
  readonly cancelAt: number | null;
  readonly modelCalls: number | null;
  /** The slot that a judge names when it is asked; `null`: there is no judge. */
  readonly judge: number | null;
}

type Reader = (value: string) => Partial<CoordinationSettings>;

const settingReaders: Readonly<Record<string, Reader>> = {
  profile: (value) => ({ profile: oneOf(value, ['compat', 'recommended']) }),
  rule: (value) => ({
    rule: oneOf(value, [
      'plurality',
      'majority',
      'supermajority',
      'unanimity',
      'min_agreement',
      'weighted',
    ]),
  }),
  threshold: (value) => ({ threshold: number(value) }),
  min_agreement: (value) => ({ minAgreement: number(value) }),
  quorum: (value) => ({ quorum: number(value) }),
  electorate: (value) => ({ electorate: oneOf(value, ['all', 'answered']) }),
  self_vote: (value) => ({
    selfVote: oneOf(value, ['allow', 'forbid', 'ignore', 'by_panel_size']),
  }),
  margin: (value) => ({ margin: number(value) }),
  families: (value) => ({ families: oneOf(value, ['label', 'weight']) }),
  dual_pass: (value) => ({ dualPass: oneOf(value, ['off', 'close']) }),
  early_stop: (value) => ({ stop: flag(value) ? 'exact' : 'full' }),
  on_split: (value) => ({
    onSplit: oneOf(value, ['tie_break', 'runoff', 'another_round', 'judge', 'fail']),
  }),
  max_runoffs: (value) => ({ maxRunoffs: number(value) }),
  max_extra_rounds: (value) => ({ maxExtraRounds: number(value) }),
  tie_break: (value) => ({ tieBreak: list(value).map(tieBreakElement) }),
  on_timeout: (value) => ({ onTimeout: oneOf(value, ['best_available', 'fail']) }),
  invalidation: (value) => ({ voteInvalidation: oneOf(value, ['all', 'superseded_only']) }),
  delivery: (value) => ({ updateDelivery: oneOf(value, ['inject', 'restart', 'defer', 'off']) }),
  first_answer_protection: (value) => ({ firstAnswerProtection: flag(value) }),
  wait_for_first_rival: (value) => ({ waitForFirstRival: flag(value) }),
  defer_voting: (value) => ({ deferVotingUntilAllAnswered: flag(value) }),
  skip_voting: (value) => ({ skipVoting: flag(value) }),
  max_answers: (value) => ({ maxNewAnswersPerAgent: limit(value) }),
  max_answers_global: (value) => ({ maxNewAnswersGlobal: limit(value) }),
  max_inject: (value) => ({ maxMidstreamInjections: limit(value) }),
  max_stale: (value) => ({ maxStaleRedeliveries: number(value) }),
  max_protocol_errors: (value) => ({ maxProtocolErrors: number(value) }),
  max_failed_turns: (value) => ({ maxFailedTurns: number(value) }),
  backend_retries: (value) => ({ backendRetries: number(value) }),
  novelty: (value) => ({ novelty: oneOf(value, ['lenient', 'balanced', 'strict']) }),
  max_answer_chars: (value) => ({ maxAnswerChars: number(value) }),
  turn_timeout: (value) => ({ turnTimeoutMs: limit(value) }),
  mode: (value) => ({ mode: oneOf(value, ['voting', 'decomposition']) }),
  presenter: (value) => ({ presenterSlot: number(value) }),
  fairness_cap: (value) => ({ fairnessLeadCap: limit(value) }),
  fairness_max_wait: (value) => ({ fairnessMaxWaitMs: number(value) }),
  run_seed: (value) => ({ runSeed: value }),
};

/** The long names of the same keys. */
const longNames: Readonly<Record<string, string>> = {
  vote_invalidation: 'invalidation',
  update_delivery: 'delivery',
  defer_voting_until_all_answered: 'defer_voting',
  max_new_answers_per_agent: 'max_answers',
  max_new_answers_global: 'max_answers_global',
  max_midstream_injections_per_round: 'max_inject',
  max_stale_redeliveries: 'max_stale',
  max_failed_turns_per_agent: 'max_failed_turns',
  coordination_mode: 'mode',
  presenter_agent: 'presenter',
  fairness_lead_cap_answers: 'fairness_cap',
  answer_novelty_requirement: 'novelty',
};

/** Reads `key=value` pairs; throws at an unknown key or value. */
export function readConfiguration(text: string): Configuration {
  let configuration: Configuration = {
    settings: {},
    weights: {},
    deadline: null,
    cancelAt: null,
    modelCalls: null,
    judge: null,
  };
  for (const pair of text.match(/[^\s=]+=(?:\[[^\]]*\]|\{[^}]*\}|\S*)|\S+/g) ?? []) {
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    configuration = withKey(configuration, longNames[name] ?? name, pair.slice(at + 1));
  }
  return configuration;
}

function withKey(configuration: Configuration, key: string, value: string): Configuration {
  switch (key) {
    case 'weights':
      return { ...configuration, weights: weights(value) };
    case 'deadline':
      return { ...configuration, deadline: number(value) };
    case 'cancel_at':
      return { ...configuration, cancelAt: number(value) };
    case 'judge':
      return { ...configuration, judge: number(value) };
    case 'max_model_calls':
    case 'max_model_calls_per_run':
      return { ...configuration, modelCalls: number(value) };
    default: {
      const reader = Object.hasOwn(settingReaders, key) ? settingReaders[key] : undefined;
      if (reader === undefined) {
        throw new Error(`unknown key "${key}"`);
      }
      return { ...configuration, settings: { ...configuration.settings, ...reader(value) } };
    }
  }
}

function oneOf<T extends string>(value: string, options: readonly T[]): T {
  const found = options.find((option) => option === value);
  if (found === undefined) {
    throw new Error(`"${value}" is none of ${options.join(', ')}`);
  }
  return found;
}

function number(value: string): number {
  const parsed = Number(value);
  if (value === '' || !Number.isFinite(parsed)) {
    throw new Error(`"${value}" is not a number`);
  }
  return parsed;
}

function limit(value: string): number | null {
  return value === 'null' || value === 'none' ? null : number(value);
}

function flag(value: string): boolean {
  return oneOf(value, ['true', 'false']) === 'true';
}

function list(value: string): readonly string[] {
  const inner = /^\[(.*)\]$/.exec(value)?.[1] ?? value;
  return inner
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function tieBreakElement(name: string): TieBreakElement {
  return oneOf(name === 'seeded_random' ? 'seeded_hash' : name, [
    'evidence',
    'votes_from_others',
    'approvals',
    'smaller_change',
    'latest',
    'earliest',
    'seeded_hash',
    'config_order',
  ]);
}

function weights(value: string): Readonly<Record<number, number>> {
  const inner = /^\{(.*)\}$/.exec(value)?.[1] ?? '';
  const pairs = list(inner).map((pair) => {
    const [slot = '', weight = ''] = pair.split(':').map((part) => part.trim());
    return [number(slot), number(weight)] as const;
  });
  return Object.fromEntries(pairs);
}
