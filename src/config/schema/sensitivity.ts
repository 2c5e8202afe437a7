import { oneOf } from './scalars';

/** How critical agents are asked to be; only the first three are here. */
export const sensitivity = oneOf(
  ...(['lenient', 'balanced', 'strict', 'roi', 'roi_conservative', 'roi_balanced'] as const),
  ...(['roi_aggressive', 'sequential', 'adversarial', 'consistency', 'diversity'] as const),
  ...(['reflective', 'checklist', 'checklist_scored', 'checklist_gated'] as const),
);

export type WrittenSensitivity = ReturnType<typeof sensitivity.read>;

/** What is asked for; `undefined` for what is not here yet. */
export function knownSensitivity(
  written: NonNullable<WrittenSensitivity>,
): 'lenient' | 'balanced' | 'strict' | undefined {
  return written === 'lenient' || written === 'balanced' || written === 'strict'
    ? written
    : undefined;
}
