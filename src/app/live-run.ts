import type { ApprovalDesk } from '../core/agent/approval';
import type { Driver } from '../core/orchestrator/driver';
import type { CommandPolicy } from '../core/ports/approvals';
import type { CheckRunner } from '../core/ports/checks';
import type { RunRecord } from '../core/orchestrator/run-record';
import type { RunState } from '../run/state';
import { MixChecks } from './mix-checks';
import type { RunArtifacts } from './run-artifacts';
import { policyOf } from './run-checks';
import type { RunFiles } from './run-files';
import { Run } from './run-handle';
import type { RunLog } from './run-log';
import type { Services } from './services';
import { type HeldTurn, sessionIdOf } from './sessions';
import type { RunModels } from './system-models';
import type { OpenedRun } from './stored-run';

export interface LiveRunParts {
  readonly record: RunRecord;
  readonly files: RunFiles;
  readonly log: RunLog;
  readonly artifacts: RunArtifacts;
  readonly desk: ApprovalDesk;
  readonly driver: Driver;
  readonly checks?: CheckRunner | undefined;
  /** What holds for commands of its checks. */
  readonly commandPolicy: CommandPolicy;
  /** What was opened for questions of the run itself. */
  readonly system?: RunModels;
  /** Its place in a session; absent for a run on its own. */
  readonly session?: HeldTurn | undefined;
  /** The run, playing. */
  readonly playing: Promise<RunState>;
}

/** A run that plays, as shells see it; what it holds is given back when it is over. */
export function openLiveRun(services: Services, parts: LiveRunParts): OpenedRun {
  const { clock, logger } = services;
  const { record, files, log, artifacts, desk, driver, checks, system, playing } = parts;
  const ended = playing.then(async (state) => {
    await checks?.close();
    const held = system === undefined ? [files.workspaces, log] : [files.workspaces, system, log];
    const closing = [...held.map(async (one) => one.close()), artifacts.settled()];
    for (const one of await Promise.allSettled(closing)) {
      if (one.status === 'rejected') {
        logger.error('app', `run ${state.runId} did not close`, one.reason);
      }
    }
    await parts.session?.finish(record.state, files.stored);
    await services.book?.end(sessionIdOf(record.state));
    return state;
  });
  const handle = new Run(
    {
      ...{ record, clock, artifactsDir: artifacts.dir, files: files.stored },
      mixes: new MixChecks({ services, record, decide: policyOf(parts.commandPolicy) }),
    },
    {
      ended,
      stop: () => driver.cancel(),
      command: (command) => {
        if (command.kind === 'revive') {
          desk.reconsider();
        }
        driver.command(command);
      },
      keepBase: (path, bytes) => files.workspaces.keepBase(path, bytes),
      resolveApproval: (id, hash, decision) => desk.resolve(id, hash, decision),
    },
  );
  return {
    handle,
    settled: () => artifacts.settled(),
    async close(): Promise<void> {
      driver.cancel('shutdown');
      await ended;
      await artifacts.close();
      await files.stored.close();
    },
  };
}
