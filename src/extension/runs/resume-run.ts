import * as vscode from 'vscode';
import type { RunConfig } from '../../app/app-contract';
import type { RunId } from '../../base/ids';
import type { RunState } from '../../run/state';
import { findBlocker } from '../host/blockers';
import { unsavedBytes } from '../host/folders';
import { policyMode } from '../host/run-settings';
import { askForTrust } from '../host/team-trust';
import type { Team } from '../host/teams';
import type { Services } from '../services';
import { WorkspaceCommandPolicy } from './command-policy';

/** Goes on with a run that was cut off, with the team that it had. */
export async function resumeRun(services: Services, runId: RunId): Promise<void> {
  await services.runs.startOnce(() => tryToResume(services, runId));
}

async function tryToResume(services: Services, runId: RunId): Promise<void> {
  const { app, host, memory, panel, runs, signal } = services;
  const state = (await runs.open(runId)).state();
  const team = await teamOf(services, state);
  if (team?.config === undefined) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('The team "{0}" of this run is not here, so it cannot go on.', state.teamName),
    );
    return;
  }
  let blocker = findBlocker(team, services);
  if (blocker?.kind === 'team-file-not-trusted' && (await askForTrust(team, app, memory))) {
    blocker = findBlocker(team, services);
  }
  if (blocker !== undefined) {
    host.touch();
    void vscode.window.showWarningMessage(`${blocker.heading}. ${blocker.text}`);
    return;
  }
  await runs.resume(
    runId,
    {
      config: team.config,
      commandPolicy: new WorkspaceCommandPolicy(memory, policyMode),
      unsaved: await unsavedBytes(),
    },
    signal,
  );
  await panel.show();
}

/** The chosen team where it is the run's, else another one with the same agents. */
async function teamOf({ host, teams }: Services, state: RunState): Promise<Team | undefined> {
  const chosen = await host.chosenTeam();
  const all = [...(chosen === undefined ? [] : [chosen]), ...(await teams.list())];
  return (
    all.find(({ config, name }) => name === state.teamName && isSameTeam(config, state)) ??
    all.find(({ config }) => isSameTeam(config, state))
  );
}

function isSameTeam(config: RunConfig | undefined, { agents }: RunState): boolean {
  return (
    config?.agents.length === agents.length &&
    agents.every(({ info }, i) => {
      const agent = config.agents[i];
      return agent?.id === info.id && agent.backend.type === info.backend;
    })
  );
}
