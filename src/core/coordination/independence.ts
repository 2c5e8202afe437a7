import { effectiveVoters } from '../../run/decision/weights';
import type { RunStarted, WarningRaised } from '../../run/events';

/** With fewer independent voters than this, a vote of several is the opinion of about one. */
const fewestIndependent = 1.5;

/** Whether a team that is about to vote is a team in name only. Models played by a script are not judged. */
export function independenceWarning(started: RunStarted): WarningRaised | undefined {
  const { settings, isScripted } = started;
  const voters = started.agents.filter(({ weight }) => weight > 0);
  const isVoting = settings.mode === 'voting' && !settings.skipVoting && voters.length > 1;
  if (!isVoting || isScripted) {
    return undefined;
  }
  const models = new Set(voters.map(({ backend, model }) => `${backend}\n${model}`));
  if (models.size === 1) {
    return warning(
      'same_model',
      `All ${voters.length} voters are the same model, so they are likely to make the same mistakes.`,
    );
  }
  const worth = effectiveVoters(voters, settings.families);
  return worth < fewestIndependent
    ? warning(
        'few_independent_voters',
        `The ${voters.length} voters are worth ${worth.toFixed(1)} independent ones: their models are of one family.`,
      )
    : undefined;
}

function warning(code: string, message: string): WarningRaised {
  return { type: 'warning-raised', code, message };
}
