import type { RunId } from '../base/ids';
import { describeEgress } from '../config/egress';
import { createTeamLanguage } from '../config/language/team-language';
import { quickTeam } from '../config/quick-team';
import type { ConfigResult, RunConfig } from '../config/run-config';
import { MassGenError } from '../core/errors';
import { proposeChecks } from '../workspace/checks/propose-checks';
import type {
  App,
  LocalServer,
  RunHandle,
  StartRunRequest,
  TeamCheck,
  TeamCheckRequest,
} from './app-contract';
import { discoverModels } from './discover-models';
import { planExport } from './export-session';
import { recordToShow } from './record-to-show';
import type { OneStorage } from './joined-storages';
import { forecast } from './forecast';
import { replayRun } from './replay-run';
import { resumeRun } from './resume-run';
import type { Services } from './services';
import { runToContinue } from './sessions';
import { StorageKeeper } from './storage-keeper';
import { startRun } from './start-run';
import { type OpenedRun, openStoredRun } from './stored-run';

/** What does not belong to runs; kept apart so that runs can be tested without it. */
export interface Extras {
  loadConfig(text: string, file: string): ConfigResult;
  checkTeam(request: TeamCheckRequest, signal: AbortSignal): Promise<TeamCheck>;
  offlineTeam(): Promise<RunConfig>;
  detectLocalServers(signal: AbortSignal): Promise<readonly LocalServer[]>;
}

/** The product as shells see it, over composed services. A run is open once at most, so its listeners share one state. */
export function composeApp(services: Services, extras: Extras): OneStorage {
  const open = new Map<RunId, OpenedRun>();
  const passing: OpenedRun[] = [];
  const opening = new Map<RunId, Promise<RunHandle>>();
  const keeper = new StorageKeeper(services, async (runId) => letGo(open, runId));
  let isClosed = false;

  const openOnce = async (runId: RunId): Promise<RunHandle> => {
    const run = await openStoredRun(services, runId);
    if (run.handle.state().outcome === null) {
      // Another process writes it: what was read is soon out of date, so it is read again next time.
      passing.push(run);
    } else {
      open.set(runId, run);
    }
    return run.handle;
  };
  return {
    ...aboutTeams(services),
    ...extras,
    async startRun(request: StartRunRequest, signal: AbortSignal): Promise<RunHandle> {
      refuseWhenClosed(isClosed);
      await settled(open.get(request.follows ?? ''));
      await keeper.removeLeftovers(signal);
      const run = await startRun(services, request, signal);
      open.set(run.handle.runId, run);
      return run.handle;
    },
    async openRun(runId: RunId): Promise<RunHandle> {
      const known = open.get(runId)?.handle ?? opening.get(runId);
      if (known !== undefined) {
        return known;
      }
      const promise = openOnce(runId).finally(() => opening.delete(runId));
      opening.set(runId, promise);
      return promise;
    },
    async resumeRun(runId, request, signal): Promise<RunHandle> {
      refuseWhenClosed(isClosed);
      await opening.get(runId)?.catch(() => undefined);
      const known = open.get(runId);
      refuseWhenPlayed(known);
      // Looking at the run may have begun to write its readable files, which only one may do at a time.
      await known?.settled();
      const run = await resumeRun(services, runId, request, signal);
      open.set(runId, run);
      await known?.close();
      return run.handle;
    },
    ...aboutStoredRuns(services),
    ...aboutDisk(services, keeper),
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(opening.values());
      const runs = [...open.values(), ...passing.splice(0)];
      open.clear();
      await closeAll(runs, services);
    },
  };
}

/** What is read off the logs alone. */
function aboutStoredRuns(
  services: Services,
): Pick<
  App,
  'replayRun' | 'listRuns' | 'runToContinue' | 'readPayload' | 'planExport' | 'recordToShow'
> {
  return {
    replayRun: async (runId, signal, onEvent) => replayRun(services, runId, signal, onEvent),
    listRuns: () => services.store.list(),
    runToContinue: async (of) => runToContinue(await services.store.list(), of),
    planExport: async (request, signal) => planExport(services, request, signal),
    recordToShow: async (request, signal) => recordToShow(services, request, signal),
    readPayload: (runId, ref) => services.payloadsOf(runId).get(ref),
  };
}

/** What is found out on this machine without a run. */
function aboutDisk(
  services: Services,
  keeper: StorageKeeper,
): Pick<App, 'confinement' | 'proposeChecks' | 'storageUse' | 'cleanUp' | 'retain'> {
  return {
    confinement: async (signal) => services.files.confinement(signal),
    proposeChecks,
    storageUse: async (signal) => keeper.use(signal),
    cleanUp: async (ids, signal) => keeper.cleanUp(ids, signal),
    retain: async (limits, signal) => keeper.retain(limits, signal),
  };
}

/** A run that is only looked at is closed here, so that it can be removed; answers `false` when it is at work. */
async function letGo(open: Map<RunId, OpenedRun>, runId: RunId): Promise<boolean> {
  const run = open.get(runId);
  if (run?.handle.isLive === true) {
    return false;
  }
  open.delete(runId);
  await run?.close();
  return true;
}

/** What is known of a team without a run. */
function aboutTeams(
  services: Services,
): Pick<
  App,
  'backendKinds' | 'teamLanguage' | 'forecast' | 'describeEgress' | 'discoverModels' | 'quickTeam'
> {
  const { kinds } = services;
  return {
    quickTeam: (wish) => quickTeam(wish, kinds),
    discoverModels: async (settings, signal) => discoverModels(services, settings, signal),
    backendKinds: kinds,
    teamLanguage: createTeamLanguage(kinds, services.loadOptions),
    forecast: (config) => forecast(config, kinds),
    describeEgress: (config) => describeEgress(config, kinds),
  };
}

/** A run whose end is known gives its session back a moment later. */
async function settled(run: OpenedRun | undefined): Promise<void> {
  if (run !== undefined && run.handle.state().outcome !== null) {
    await run.handle.ended;
  }
}

async function closeAll(runs: readonly OpenedRun[], { logger }: Services): Promise<void> {
  for (const one of await Promise.allSettled(runs.map((run) => run.close()))) {
    if (one.status === 'rejected') {
      logger.error('app', 'a run did not close', one.reason);
    }
  }
}

function refuseWhenPlayed(run: OpenedRun | undefined): void {
  if (run?.handle.isLive === true) {
    throw new MassGenError('storage/locked', 'This run is being played here.', {
      hint: 'Stop it first, or wait for its end.',
    });
  }
}

function refuseWhenClosed(isClosed: boolean): void {
  if (isClosed) {
    throw new MassGenError('cancelled/shutdown', 'MassGen is shutting down.');
  }
}
