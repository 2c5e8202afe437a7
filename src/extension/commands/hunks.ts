// Commands for one part of a file: the one under the cursor, or that of a row.
import type { Decision } from '../review/review-targets';
import { takeFromAnother } from '../review/alternatives';
import { pickReason } from '../review/why';
import type { CommandAction, Services } from '../services';
import { partTargetOf, placeOf } from './arguments';

export const acceptHunk: CommandAction = (services, args) => decide(services, args, 'accept');
export const rejectHunk: CommandAction = (services, args) => decide(services, args, 'reject');
export const undoHunk: CommandAction = (services, args) => decide(services, args, 'undo');

export const nextHunk: CommandAction = ({ editors }) => editors.move(1);
export const previousHunk: CommandAction = ({ editors }) => editors.move(-1);

/** Votes whose reasons speak of the part or file. */
export const why: CommandAction = async (services, args) => {
  const target = await placeOf(services, args);
  if (target !== undefined) {
    const run = await services.runs.open(target.runId);
    const label = await pickReason(services.desk, run, target, services.signal);
    if (label !== undefined) {
      await services.texts.show(run.runId, { kind: 'answer', label });
    }
  }
};

export const fromAnotherAgent: CommandAction = async (services, args) => {
  const target = await placeOf(services, args);
  if (target !== undefined) {
    await takeFromAnother(await services.runs.open(target.runId), target, services.signal);
  }
};

async function decide(
  services: Services,
  args: readonly unknown[],
  decision: Decision,
): Promise<void> {
  const target = await partTargetOf(services, args);
  if (target !== undefined) {
    await services.desk.decide(target.runId, decision, [target], services.signal);
  }
}
