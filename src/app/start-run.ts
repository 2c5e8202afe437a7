import type { RunId } from '../base/ids';
import { ApprovalDesk } from '../core/agent/approval';
import { liveSteps } from '../core/agent/steps';
import { Driver } from '../core/orchestrator/driver';
import { RunRecord } from '../core/orchestrator/run-record';
import type { ToolServerChanged } from '../run/call-events';
import type { RunStarted } from '../run/events';
import type { Usage } from '../run/facts';
import type { StartRunRequest } from './app-contract';
import { checksOfRun, chosenChecks } from './run-checks';
import { checkRequest } from './check-request';
import { requireKeys } from './key-findings';
import { isolatedSlots } from './command-rules';
import {
  createBackends,
  createMembers,
  type Member,
  openedWorkspaces,
  runtimesOf,
} from './members';
import { openLiveRun } from './live-run';
import { noteSession } from './note-session';
import { pacedRuntimes } from './pace';
import { playerOf } from './player-of';
import type { RunFiles } from './run-files';
import { runTools } from './run-tools';
import { newRunId, newRunSeed } from './run-id';
import { RunLog } from './run-log';
import type { Services } from './services';
import { type HeldTurn, joinNamedSession, joinSession } from './sessions';
import type { OpenedRun } from './stored-run';
import { openSystemModels, type RunModels } from './system-models';
import { WarningRelay } from './warning-relay';

/**
 * Starts a run. Everything that can refuse is asked first, in an order that leaves nothing behind: request, session,
 * backends, workspaces, log. What was opened is closed again when a later step throws.
 */
export async function startRun(
  services: Services,
  request: StartRunRequest,
  signal: AbortSignal,
): Promise<OpenedRun> {
  await checkRequest(request, services.kinds);
  await requireKeys(services, request.config, signal);
  const session = await sessionOf(services, request);
  const closing: { close(): Promise<void> }[] = [{ close: async () => session?.release() }];
  try {
    const backends = await createBackends(services, request.config, signal);
    closing.push(...backends.values());
    const runId = newRunId(services.clock.now());
    const warnings = new WarningRelay();
    const files = services.files.create({
      runId,
      folders: request.folders,
      unsaved: request.unsaved,
      ...(session?.info.seed === undefined ? {} : { seed: session.info.seed }),
      onWarning: (code, message) => warnings.raise(code, message),
    });
    closing.push(files.workspaces, files.stored);
    const parts = {
      ...{ config: request.config, backends, workspaces: files.workspaces },
      folders: request.folders.map(({ path }) => path),
    };
    const members = await createMembers(services, parts, signal);
    const log = new RunLog(services.store, runId, services.store.create(runId));
    closing.push(log);
    const system = await openSystemModels(services, request.config, members, signal);
    closing.push(system);
    const launched = { runId, files, members, log, warnings, session, system };
    return await launch(services, request, launched, signal);
  } catch (error) {
    await Promise.allSettled(closing.map((one) => one.close()));
    throw error;
  }
}

async function sessionOf(
  services: Services,
  { follows, sessionId, config }: StartRunRequest,
): Promise<HeldTurn | undefined> {
  const { historyBudgetTokens } = config.settings;
  if (follows !== undefined) {
    return joinSession(services, follows, historyBudgetTokens);
  }
  return sessionId === undefined
    ? undefined
    : joinNamedSession(services, sessionId, historyBudgetTokens);
}

interface Launch {
  readonly runId: RunId;
  readonly files: RunFiles;
  readonly members: readonly Member[];
  readonly log: RunLog;
  readonly warnings: WarningRelay;
  readonly session: HeldTurn | undefined;
  readonly system: RunModels;
}

async function launch(
  services: Services,
  request: StartRunRequest,
  { runId, files, members, log, warnings, session, system }: Launch,
  signal: AbortSignal,
): Promise<OpenedRun> {
  const { clock, logger, redactor } = services;
  const record = new RunRecord({
    ...{ writer: log, redact: (text) => redactor.redact(text), logger },
    writtenAfter: (seq) => log.writtenAfter(seq),
  });
  const artifacts = services.artifacts.follow({
    ...{ runId, record, request, files: files.stored },
    onWarning: (code, message) => warnings.raise(code, message),
  });
  if (request.onEvents !== undefined) {
    record.onEvents(request.onEvents);
  }
  const desk = new ApprovalDesk(request.commandPolicy, logger, isolatedSlots(request.config));
  const context = {
    ...{ config: request.config, desk, payloads: services.payloadsOf(runId) },
    userFiles: files.userFiles,
    projectFolder: request.folders[0]?.path,
    onToolServer: (event: ToolServerChanged) => warnings.observe(event),
    seatOf: ({ backend, workspace }: Member) => ({
      ...{ backend, workspace, clock, steps: liveSteps },
      costOf: (usage: Usage, listed: (usage: Usage) => number | null) => listed(usage),
    }),
  };
  const started = {
    ...startEvent(services, request, runId, members),
    ...(session === undefined ? {} : { session: session.info }),
  };
  const checks = checksOfRun(services, { started, files, policy: request.commandPolicy });
  const driver = new Driver({
    ...{ started, record },
    ...(checks === undefined ? {} : { checks }),
    runtimes: pacedRuntimes(services, request.config, runtimesOf(services, context, members)),
    system: system.models,
    clock,
    secrets: redactor,
    logger,
  });
  driver.begin(openedWorkspaces(members));
  await noteSession(services, { ...request, state: record.state, dir: artifacts.dir }, signal);
  request.onFolder?.(artifacts.dir);
  warnings.connect((event) => driver.observe(event));
  const playing = driver.drive();
  return openLiveRun(services, {
    ...{ record, files, log, artifacts, desk, driver, checks, playing, session, system },
    commandPolicy: request.commandPolicy,
  });
}

function startEvent(
  { kinds, tools, extraTools }: Services,
  { task, config, folders, checks, canAskPerson }: StartRunRequest,
  runId: RunId,
  members: readonly Member[],
): RunStarted {
  const { settings, caps, name } = config;
  return {
    type: 'run-started',
    runId,
    task,
    agents: members.map(({ slot, agent }) => ({
      ...{ slot, id: agent.id, weight: agent.weight },
      ...playerOf(agent.backend, kinds),
      ...(agent.planningMode === undefined ? {} : { planningMode: agent.planningMode }),
      ...(agent.votingSensitivity === undefined
        ? {}
        : { votingSensitivity: agent.votingSensitivity }),
    })),
    contextRoots: folders.map(({ name: root, path, permission }) => ({
      name: root,
      path,
      permission,
    })),
    settings: {
      ...settings,
      hasJudge: settings.onSplit === 'human' ? canAskPerson === true : config.judge !== undefined,
      runSeed: settings.runSeed ?? newRunSeed(),
      ...chosenChecks(settings, checks, folders),
    },
    caps,
    teamName: name,
    isScripted: config.agents.every(({ backend }) => backend.type === 'offline'),
    unconfinedReason: members[0]?.workspace.unconfinedReason ?? null,
    tools: [...runTools(tools, settings), ...extraTools()].map(({ name, effect }) => ({
      ...{ name, effect },
    })),
  };
}
