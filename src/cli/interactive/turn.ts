import type { App, ContextFolder, RunHandle } from '../../app/app-contract';
import { stoppedByUser } from '../../app/failures';
import { linkAbort } from '../../base/abort';
import { selectSums, selectTeamUsage } from '../../run/selectors/sums';
import { following } from '../follow-session';
import { language } from '../language';
import { listenForKeys } from '../live-view/keys';
import { withPerson } from '../person';
import { makePlan, type Plan } from '../plan';
import { printDecision } from '../result-printer';
import { refuseStorageInside } from '../run-command';
import { systemClock } from '../system-clock';
import { styled } from '../terminal';
import { watchRun } from '../watch-run';
import type { Conversation } from './conversation';
import { listChanges, offerChanges } from './offer-changes';

/**
 * Lets the team do one task and shows what came of it; the next one goes on from there. Ctrl+C stops this turn alone.
 * Throws what `failureOf` puts into words when it cannot start.
 */
export async function playTurn(talk: Conversation, task: string): Promise<void> {
  const { setting } = talk;
  const { world, app, options, terminal } = setting;
  const cancel = linkAbort(world.interrupted);
  let handle: RunHandle | undefined;
  // While keys are read, Ctrl+C is a key. Twice, it leaves the command.
  const keys = listenForKeys(world.input, (key) => {
    if (key === 'ctrl+c') {
      if (cancel.signal.aborted) {
        process.kill(process.pid, 'SIGINT');
      }
      cancel.abort(stoppedByUser());
      handle?.stop();
    }
  });
  let plan: Plan | undefined;
  try {
    plan = await planTurn(talk, task);
    handle = await start(app, plan, cancel.signal);
    await watchRun(handle, {
      ...{ screen: terminal, world, watching: options, isShownOnce: true },
      onInterrupt: () => undefined,
    });
  } finally {
    keys.dispose();
    cancel.dispose();
    await plan?.cleanUp();
  }
  await showEnd(talk, handle);
}

/** The team file is read anew for each turn, so that a change of it counts at once. */
export async function planTurn(talk: Conversation, task: string): Promise<Plan> {
  const { app, world, options, storageDir } = talk.setting;
  const made = await makePlan(app, world, { ...options, task });
  const folders = joined(made.request.folders, talk.added);
  const plan = { ...made, request: { ...made.request, folders } };
  refuseStorageInside(storageDir, plan);
  talk.team = plan.request.config;
  talk.folders = folders;
  const { last } = talk;
  if (last === undefined) {
    return talk.isReset ? plan : following(app, plan, { options, world });
  }
  return { ...plan, request: { ...plan.request, follows: last.runId } };
}

function joined(
  ofTeam: readonly ContextFolder[],
  added: readonly ContextFolder[],
): readonly ContextFolder[] {
  const isAdded = ({ path }: ContextFolder): boolean => added.some((one) => one.path === path);
  const all = [...ofTeam.filter((folder) => !isAdded(folder)), ...added];
  return all.map((folder, i) => {
    const count = all.slice(0, i).filter(({ name }) => name === folder.name).length;
    return count === 0 ? folder : { ...folder, name: `${folder.name}-${count + 1}` };
  });
}

function start(app: App, plan: Plan, signal: AbortSignal): Promise<RunHandle> {
  return app.startRun(withPerson(plan.request), signal);
}

/** What a turn came to. One that ended without an answer leaves the conversation where it was. */
async function showEnd(talk: Conversation, handle: RunHandle): Promise<void> {
  const { terminal } = talk.setting;
  const state = handle.state();
  const usage = selectTeamUsage(state);
  talk.costUsd += usage.costUsd;
  talk.hasUnknownCost ||= usage.unpricedCalls > 0;
  printDecision(state, terminal);
  const sums = selectSums(state, systemClock.now(), language).slice(0, 4).join(', ');
  if (state.finalAnswer === null || state.outcome === 'cancelled') {
    terminal.write(`\n${styled(sums, 'dim', terminal)}\n`);
    terminal.write('The conversation stands where it stood before this turn.\n');
    return;
  }
  talk.last = handle;
  talk.turns += 1;
  listChanges(handle, terminal);
  terminal.write(`\n${styled(sums, 'dim', terminal)}\n`);
  await offerChanges(talk, handle);
}
