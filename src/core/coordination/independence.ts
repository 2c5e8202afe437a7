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
  // A program that chooses its model itself is known by its own name alone.
  const models = new Set(
    voters.map(({ backend, model, title }) => JSON.stringify([backend, model, title ?? ''])),
  );
  if (models.size === 1) {
    return warning(
      'same_model',
      `All ${voters.length} voters are the same model, so they are likely to make the same mistakes.`,
    );
  }
  const worth = effectiveVoters(voters, settings.families);
  return worth < fewestIndependent
    ? warning('few_independent_voters', fewVoters(voters, worth))
    : undefined;
}

function fewVoters(voters: RunStarted['agents'], worth: number): string {
  const number = Number(worth.toFixed(1));
  const opinions = `about ${number} independent ${number === 1 ? 'one' : 'ones'}`;
  const isOneFamily = new Set(voters.map(({ family }) => family)).size === 1;
  const whose = isOneFamily ? 'their models' : 'most of their models';
  return `The ${voters.length} voters are worth ${opinions}: ${whose} are of one family.`;
}

function warning(code: string, message: string): WarningRaised {
  return { type: 'warning-raised', code, message };
}
