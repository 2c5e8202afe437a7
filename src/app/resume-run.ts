import { defined } from '../base/assert';
import type { RunId } from '../base/ids';
import type { RunConfig } from '../config/run-config';
import { ApprovalDesk } from '../core/agent/approval';
import { recordedUserFiles } from '../core/agent/recorded-user-files';
import { isMassGenError, MassGenError } from '../core/errors';
import { Driver } from '../core/orchestrator/driver';
import { AgentReplay } from '../core/orchestrator/replay/agent-replay';
import { RunRecord } from '../core/orchestrator/run-record';
import type { PayloadStore } from '../core/ports/payload-store';
import type { ToolServerChanged } from '../run/call-events';
import type { RecordedEvent, RunStarted } from '../run/events';
import type { ResumeRequest } from './app-contract';
import { checkRequest } from './check-request';
import { requireKeys } from './key-findings';
import { isolatedSlots } from './command-rules';
import { damageText, missingTexts } from './log-damage';
import { openLiveRun } from './live-run';
import { createBackends, createMembers, type Member, type MemberSeat, runtimesOf } from './members';
import { foldersOf, folderNamesOf, readRecordedRun, type RecordedRun } from './recorded-run';
import { noteSession } from './note-session';
import { otherPlayers } from './other-players';
import type { RunFiles } from './run-files';
import { checksOfRun } from './run-checks';
import { RunLog } from './run-log';
import type { Services } from './services';
import { type HeldTurn, rejoinSession } from './sessions';
import type { OpenedRun } from './stored-run';
import { openSystemModels, type RunModels } from './system-models';
import { WarningRelay } from './warning-relay';

interface Resumption {
  readonly run: RecordedRun;
  readonly request: ResumeRequest;
  readonly log: RunLog;
  readonly files: RunFiles;
  readonly members: readonly Member[];
  readonly warnings: WarningRelay;
  readonly session: HeldTurn | undefined;
  readonly system: RunModels;
}

/**
 * Goes on with a run that was cut off: its log is played again up to its end, then the same agents are live. The lock
 * of the log is taken first; what was opened is closed again when a later step throws.
 */
export async function resumeRun(
  services: Services,
  runId: RunId,
  request: ResumeRequest,
  signal: AbortSignal,
): Promise<OpenedRun> {
  const log = new RunLog(services.store, runId, services.store.reopen(runId));
  const closing: { close(): Promise<void> }[] = [log];
  try {
    const run = await readRecordedRun(services, runId);
    const { started } = run;
    checkIsOpen(run);
    checkTeam(started, request.config);
    const session = await rejoinSession(services, started.session);
    closing.push({ close: async () => session?.release() });
    const folders = foldersOf(run);
    const asked = { ...request, task: started.task, folders };
    await checkRequest(asked, services.kinds, folderIsGone);
    await requireKeys(services, request.config, signal);
    const backends = await createBackends(services, request.config, signal);
    closing.push(...backends.values());
    const warnings = new WarningRelay();
    const files = services.files.create({
      ...{ runId, folders, folderNames: folderNamesOf(run), unsaved: request.unsaved },
      ...(started.session?.seed === undefined ? {} : { seed: started.session.seed }),
      onWarning: (code, message) => warnings.raise(code, message),
    });
    closing.push(files.workspaces, files.stored);
    const parts = {
      ...{ config: request.config, backends, workspaces: files.workspaces },
      folders: folders.map(({ path }) => path),
    };
    const members = await createMembers(services, parts, signal);
    const system = await openSystemModels(services, request.config, members, signal);
    closing.push(system);
    const resumption = { run, request, log, files, members, warnings, session, system };
    return await goOn(services, resumption, signal);
  } catch (error) {
    await Promise.allSettled(closing.map((one) => one.close()));
    throw error;
  }
}

async function goOn(
  services: Services,
  { run, request, log, files, members, warnings, session, system }: Resumption,
  signal: AbortSignal,
): Promise<OpenedRun> {
  const { clock, logger, redactor } = services;
  const { started, events } = run;
  const payloads = services.payloadsOf(started.runId);
  const record = new RunRecord({
    ...{ writer: log, redact: (text) => redactor.redact(text), logger },
    writtenAfter: (seq) => log.writtenAfter(seq),
  });
  const desk = new ApprovalDesk(request.commandPolicy, logger, isolatedSlots(request.config));
  const agents = new Map(
    members.map((member) => [member.slot, new AgentReplay(member.slot, events, payloads, member)]),
  );
  const context = {
    ...{ config: request.config, desk, payloads },
    userFiles: recordedUserFiles(events, payloads, files.userFiles),
    projectFolder: started.contextRoots[0]?.path,
    onToolServer: (event: ToolServerChanged) => warnings.observe(event),
    seatOf: (member: Member) => seatOf(agents, member),
  };
  const checks = checksOfRun(services, { started, files, policy: request.commandPolicy });
  const driver = new Driver({
    ...{ started, record, clock, logger, secrets: redactor },
    ...(checks === undefined ? {} : { checks }),
    runtimes: runtimesOf(services, context, members),
    system: system.models,
  });
  // Where the log was cut off in the middle of a decision, its rest is written while it is played.
  const appended: RecordedEvent[] = [];
  const last = events.at(-1)?.seq ?? -1;
  const listening = record.onEvents((played) => {
    appended.push(...played.filter(({ seq }) => seq > last));
  });
  try {
    await playAgain(driver, run, { agents, payloads }, signal);
  } catch (error) {
    await driver.close(agents);
    throw error;
  } finally {
    listening.dispose();
  }
  desk.recall(events, (slot, path) => agents.get(slot)?.workspace.neutralizePaths(path) ?? path);
  const artifacts = services.artifacts.follow({
    ...{ runId: started.runId, record, files: files.stored, appended },
    onWarning: (code, message) => warnings.raise(code, message),
  });
  await noteSession(services, { ...request, state: record.state, dir: artifacts.dir }, signal);
  const playing = driver.goOn(events, agents);
  warnings.connect((event) => driver.observe(event));
  otherPlayers(started, request.config.agents, services.kinds).forEach((event) =>
    driver.observe(event),
  );
  return openLiveRun(services, {
    ...{ record, files, log, artifacts, desk, driver, checks, playing, session, system },
    commandPolicy: request.commandPolicy,
  });
}

interface Replayed {
  readonly agents: ReadonlyMap<number, AgentReplay>;
  readonly payloads: PayloadStore;
}

/** Throws `storage/corrupt` when the run cannot be gone on with from what its log says. */
async function playAgain(
  driver: Driver,
  { events, damage }: RecordedRun,
  { agents, payloads }: Replayed,
  signal: AbortSignal,
): Promise<void> {
  const difference = await driver.replay(events, agents, signal);
  if (difference !== null) {
    const what = damageText(damage, missingTexts(events, payloads));
    throw new MassGenError(
      'storage/corrupt',
      `This run cannot be continued: its log plays differently from event ${difference.seq} on.`,
      {
        hint: `${what ?? 'It may have been recorded by another version of MassGen.'} What is left can still be looked at; start the task again to have it done.`,
      },
    );
  }
  for (const [slot, { workspace }] of agents) {
    await restoreFiles(slot, workspace, signal);
  }
}

async function restoreFiles(
  slot: number,
  workspace: AgentReplay['workspace'],
  signal: AbortSignal,
): Promise<void> {
  try {
    await workspace.goLive(signal);
  } catch (error) {
    if (
      !isMassGenError(error, 'workspace/snapshot-failed') &&
      !isMassGenError(error, 'storage/corrupt')
    ) {
      throw error;
    }
    throw new MassGenError(
      'storage/corrupt',
      `This run cannot be continued: files that agent${slot} had written are not stored any more.`,
      {
        cause: error,
        hint: 'blobs.pack in the folder of the run is damaged or missing: put it back from a backup, or start the task again.',
      },
    );
  }
}

function seatOf(agents: ReadonlyMap<number, AgentReplay>, { slot }: Member): MemberSeat {
  const steps = defined(agents.get(slot), 'every member of the team has its record');
  const { backend, workspace, clock } = steps;
  return {
    backend,
    workspace,
    clock,
    steps,
    costOf: (usage, listed) => steps.costOf(usage, listed),
  };
}

const folderIsGone =
  'The run worked on it: put it back there, also on another machine, and continue then.';

/** That the program ended under a run does not end it. Throws `config/invalid`. */
function checkIsOpen({ events }: RecordedRun): void {
  const isOver = events.some(
    ({ event }) => event.type === 'run-ended' && event.outcome !== 'interrupted',
  );
  if (isOver) {
    throw new MassGenError('config/invalid', 'This run is over; there is nothing to continue.', {
      hint: 'It can be played again, and a further task can go on from its answer.',
    });
  }
  if (wasChosenSince(events)) {
    throw new MassGenError(
      'config/invalid',
      'You chose an answer after this run was cut off, so it does not go on.',
      { hint: 'It can be played again, and a further task can go on from that answer.' },
    );
  }
}

/** The user did not wait for the run: its turns would go on beside a choice that ended it. */
function wasChosenSince(events: readonly RecordedEvent[]): boolean {
  const end = events.findLastIndex(({ event }) => event.type === 'run-ended');
  const since = end < 0 ? [] : events.slice(end + 1);
  return (
    since.some(({ event }) => event.type === 'user-override') &&
    !since.some(({ event }) => event.type === 'run-resumed')
  );
}

/** The log names slots: whoever sits there now must be who sat there then. Throws `config/invalid`. */
function checkTeam({ agents }: RunStarted, config: RunConfig): void {
  const isSame =
    agents.length === config.agents.length &&
    agents.every(({ id, backend }, i) => {
      const agent = config.agents[i];
      return agent?.id === id && agent.backend.type === backend;
    });
  if (!isSame) {
    const team = agents.map(({ id, backend }) => `${id} (${backend})`).join(', ');
    throw new MassGenError('config/invalid', 'This is not the team of the run.', {
      hint: `The run was begun by ${team}.`,
    });
  }
}
