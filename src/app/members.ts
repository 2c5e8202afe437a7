import type { AgentConfig, RunConfig } from '../config/run-config';
import type { ApprovalDesk } from '../core/agent/approval';
import { createModelAgentRuntime } from '../core/agent/model-agent-runtime';
import type { StepJournal } from '../core/agent/steps';
import type { AgentRuntime } from '../core/ports/agent-runtime';
import type { Clock } from '../core/ports/clock';
import type { ModelBackend } from '../core/ports/model-backend';
import type { PayloadStore } from '../core/ports/payload-store';
import type { UserFiles } from '../core/ports/user-files';
import type { AgentWorkspace, RunWorkspaces } from '../core/ports/workspace';
import type { WorkspaceOpened } from '../run/call-events';
import type { Usage } from '../run/facts';
import { costOfUsage } from './call-cost';
import { kindOf } from './check-request';
import { runTools } from './run-tools';
import type { Services } from './services';

/** One agent, ready to play. */
export interface Member {
  readonly slot: number;
  readonly agent: AgentConfig;
  readonly backend: ModelBackend;
  readonly workspace: AgentWorkspace;
}

/** What comes between an agent and its model, tools and files; `clock` is its own time. */
export interface MemberSeat {
  readonly backend: ModelBackend;
  readonly workspace: AgentWorkspace;
  readonly clock: Clock;
  readonly steps: StepJournal;
  /** `listed` is the cost by the model's price list. */
  readonly costOf: (usage: Usage, listed: (usage: Usage) => number | null) => number | null;
}

/** One per agent, in order. What was made is closed again when a later one cannot be made. */
export async function createBackends(
  { kinds, secrets, clock, logger }: Services,
  config: RunConfig,
  signal: AbortSignal,
): Promise<readonly ModelBackend[]> {
  const made: ModelBackend[] = [];
  try {
    for (const agent of config.agents) {
      const kind = kindOf(agent, kinds);
      made.push(await kind.create(agent.backend, { secrets, clock, logger }, signal));
    }
    signal.throwIfAborted();
    return made;
  } catch (error) {
    await Promise.allSettled(made.map((backend) => backend.close()));
    throw error;
  }
}

export async function createMembers(
  config: RunConfig,
  backends: readonly ModelBackend[],
  workspaces: RunWorkspaces,
  signal: AbortSignal,
): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (const [i, backend] of backends.entries()) {
    const agent = config.agents[i];
    if (agent !== undefined) {
      const slot = i + 1;
      const workspace = await workspaces.createAgentWorkspace(slot, signal);
      members.push({ slot, agent, backend, workspace });
    }
  }
  return members;
}

export interface RuntimeContext {
  readonly config: RunConfig;
  readonly desk: ApprovalDesk;
  readonly payloads: PayloadStore;
  /** Where project instructions are read from; absent: there are none. */
  readonly userFiles?: UserFiles;
  readonly seatOf: (member: Member) => MemberSeat;
}

export function runtimesOf(
  services: Services,
  { config, desk, payloads, userFiles, seatOf }: RuntimeContext,
  members: readonly Member[],
): ReadonlyMap<number, AgentRuntime> {
  const { logger, redactor, kinds } = services;
  const tools = runTools(services.tools, config.settings);
  return new Map(
    members.map((member) => {
      const { slot, agent } = member;
      const price = kindOf(agent, kinds).priceOf(agent.backend);
      const { costOf, ...seat } = seatOf(member);
      const runtime = createModelAgentRuntime({
        ...{ slot, tools, desk, payloads, logger, ...seat },
        ...(userFiles === undefined ? {} : { userFiles }),
        commandTimeoutMs: config.commandTimeoutMs,
        systemMessage: agent.systemMessage,
        redact: (text) => redactor.redact(text),
        costOf: (usage) => costOf(usage, (all) => costOfUsage(price, all)),
      });
      return [slot, runtime];
    }),
  );
}

/** Where the agents of a run see its files, for its log. */
export function openedWorkspaces(members: readonly Member[]): readonly WorkspaceOpened[] {
  return members.map(({ slot, workspace }) => ({
    type: 'workspace-opened',
    slot,
    roots: workspace.roots.map(({ name, kind, shownPath, canWrite, protectedPaths }) => ({
      ...{ name, kind, shownPath, canWrite },
      ...(protectedPaths === undefined ? {} : { protectedPaths }),
    })),
  }));
}
