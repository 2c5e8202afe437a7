// How much a model shall think, in the words of each service.

export const reasoningEfforts = [
  ...(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const),
] as const;

export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** Members of a body that ask for this effort. */
export type EffortWords = (effort: ReasoningEffort) => Readonly<Record<string, unknown>>;

export const asReasoningEffort: EffortWords = (effort) => ({ reasoning_effort: effort });

export const asReasoning: EffortWords = (effort) => ({
  reasoning: effort === 'none' ? { enabled: false } : { effort },
});

export const asReasoningSwitch: EffortWords = (effort) => ({
  reasoning: { enabled: effort !== 'none' },
});

export const asThinkingSwitch: EffortWords = (effort) => ({
  thinking: { type: effort === 'none' ? 'disabled' : 'enabled' },
});

/** Thinks `high` or `max`; the lower grades are all `high` there. */
export const asThinkingAndEffort: EffortWords = (effort) =>
  effort === 'none'
    ? { thinking: { type: 'disabled' } }
    : {
        thinking: { type: 'enabled' },
        reasoning_effort: effort === 'xhigh' || effort === 'max' ? 'max' : 'high',
      };

export const asEnableThinking: EffortWords = (effort) => ({ enable_thinking: effort !== 'none' });

/** The chat of this server has no word for it. */
export const notSaid: EffortWords = () => ({});

export function effortOf(value: unknown): ReasoningEffort | undefined {
  return reasoningEfforts.find((effort) => effort === value);
}
