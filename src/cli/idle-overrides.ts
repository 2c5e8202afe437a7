import type { CoordinationSettings } from '../run/coordination-settings';
import type { RuleOverrides } from '../run/decision/redecide';

type Rule = CoordinationSettings['rule'];

const readBy = {
  threshold: ['supermajority', 'weighted'],
  minAgreement: ['min_agreement'],
} as const satisfies Partial<Record<keyof RuleOverrides, readonly Rule[]>>;

const options = { threshold: '--threshold', minAgreement: '--min-agreement' } as const;

/** What was asked to be tried and means nothing to the rule it is tried with, one sentence each. */
export function idleOverrides(overrides: RuleOverrides, ownRule: Rule): readonly string[] {
  const rule = overrides.rule ?? ownRule;
  return (['threshold', 'minAgreement'] as const).flatMap((key) => {
    const rules: readonly Rule[] = readBy[key];
    return overrides[key] === undefined || rules.includes(rule)
      ? []
      : [`${options[key]} means nothing to ${rule}, only to ${rules.join(' and ')}.`];
  });
}
