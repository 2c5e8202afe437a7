// Feeds the engine a run with two checks: `types` is a gate, `lint` only informs.
import type { Label, Slot } from '../../src/base/ids';
import { compatSettings, type SettingsOverrides } from '../../src/core/coordination/profiles';
import type { CheckReport } from '../../src/run/check-facts';
import { reasonFor } from '../../src/run/decision/reason';
import type { DecidedBy, RunCaps, RunOutcome } from '../../src/run/facts';
import { check, report } from './checks';
import { Engine, type Said } from './engine';

export const specs = [check('types'), check('lint', 'inform')];
export const good = report({ types: 'passed', lint: 'passed' });
export const bad = report({ types: 'failed', lint: 'passed' });

export function checkedEngine(
  count: number,
  overrides: SettingsOverrides = {},
  caps: Partial<RunCaps> = {},
): Engine {
  const settings = compatSettings({ checks: specs, maxNewAnswersPerAgent: 3, ...overrides });
  return new Engine({ count, settings, caps });
}

/** Hands in an answer with files; its checks begin. */
export function hand(run: Engine, slot: Slot, text: string): Said {
  const n = run.agent(slot).revisions.length + 1;
  const said = run.answer(slot, text, { snapshotId: `files-${slot}.${n}` });
  run.settle();
  return said;
}

export function end(run: Engine, label: Label, of: CheckReport): Said {
  const said = run.put({ kind: 'checked', subject: { kind: 'answer', label }, report: of });
  run.settle();
  return said;
}

export function decided(run: Engine): {
  readonly winner: Label | null;
  readonly by: DecidedBy | undefined;
  readonly outcome: RunOutcome | null;
} {
  const { selection, outcome } = run.state;
  const { winner, agreement } = selection ?? {};
  return { winner: winner?.label ?? null, by: agreement?.decidedBy, outcome };
}

export function reasonOf(run: Engine): string {
  const { selection, agents } = run.state;
  if (selection === null) {
    return '';
  }
  return reasonFor(selection.agreement, selection.winner?.label ?? null, agents.length);
}
