// What each line of models takes. Written from the service's side, so that a slip of the adapter is not repeated here.

export interface ModelRules {
  readonly takesEnabled: boolean;
  readonly takesAdaptive: boolean;
  readonly takesDisabled: boolean;
  /** It thinks unless told otherwise. */
  readonly isThinking: boolean;
  readonly takesSampling: boolean;
  /** Not temperature and top_p at once. */
  readonly isOneSampling: boolean;
  readonly takesEffort: boolean;
  /** Its answers can be held to a schema. */
  readonly takesFormat: boolean;
  readonly takesPrefill: boolean;
  readonly takesForcedTool: boolean;
  readonly omitsThinking: boolean;
  readonly isBound: boolean;
  readonly maxTokens: number;
}

const early: ModelRules = {
  takesEnabled: true,
  takesAdaptive: false,
  takesDisabled: true,
  isThinking: false,
  takesSampling: true,
  isOneSampling: true,
  takesEffort: false,
  takesFormat: true,
  takesPrefill: true,
  takesForcedTool: true,
  omitsThinking: false,
  isBound: false,
  maxTokens: 64_000,
};
const opus47: ModelRules = {
  ...early,
  takesEnabled: false,
  takesAdaptive: true,
  takesSampling: false,
  takesEffort: true,
  takesPrefill: false,
  omitsThinking: true,
  maxTokens: 128_000,
};
const five: ModelRules = { ...opus47, isThinking: true };
const always: ModelRules = { ...five, takesDisabled: false, takesForcedTool: false };

const known: Readonly<Record<string, ModelRules>> = {
  'claude-sonnet-4-0': { ...early, takesFormat: false },
  'claude-haiku-4-5': early,
  'claude-sonnet-4-5': early,
  'claude-opus-4-6': {
    ...early,
    takesAdaptive: true,
    takesEffort: true,
    takesPrefill: false,
    maxTokens: 128_000,
  },
  'claude-opus-4-8': opus47,
  'claude-opus-5': five,
  'claude-sonnet-5': five,
  'claude-sonnet-5-5': { ...five, isBound: true },
  'claude-haiku-5-5': { ...five, isBound: true },
  'claude-opus-5-5': { ...always, isBound: true },
  'claude-fable-5': always,
  'claude-fable-5-1': { ...always, isBound: true },
};

/** `undefined` for a model that this service does not have. */
export function rulesOf(model: string): ModelRules | undefined {
  return known[model];
}
