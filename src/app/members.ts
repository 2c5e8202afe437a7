import type { AgentConfig, RunConfig } from '../config/run-config';
import type { ApprovalDesk } from '../core/agent/approval';
import { createModelAgentRuntime } from '../core/agent/model-agent-runtime';
import type { StepJournal } from '../core/agent/steps';
import { MassGenError } from '../core/errors';
import { gated } from '../core/orchestrator/rate-gate';
import type { AgentRuntime } from '../core/ports/agent-runtime';
import type { BackendKind } from '../core/ports/backend-kind';
import type { Clock } from '../core/ports/clock';
import type { Media, ModelBackend } from '../core/ports/model-backend';
import type { PayloadStore } from '../core/ports/payload-store';
import type { UserFiles } from '../core/ports/user-files';
import type { AgentWorkspace, RunWorkspaces } from '../core/ports/workspace';
import type { ToolServerChanged, WorkspaceOpened } from '../run/call-events';
import type { Usage } from '../run/facts';
import { costOfUsage } from './call-cost';
import { kindOf } from './check-request';
import { underRules } from './command-rules';
import { fixedSource, joinSources } from './joined-source';
import { loadUploads } from './load-uploads';
import { runTools } from './run-tools';
import type { Services, ToolSourceParts } from './services';

/** One agent, ready to play. */
export interface Member {
  readonly slot: number;
  readonly agent: AgentConfig;
  readonly backend: ModelBackend;
  readonly workspace: AgentWorkspace;
  /** Files that it is shown with the task. */
  readonly uploads: readonly Media[];
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

/** Models of the agents by slot; agent programs are not among them, because each needs the files it works in. */
export type Backends = ReadonlyMap<number, ModelBackend>;

/** What was made is closed again when a later one cannot be made. */
export async function createBackends(
  services: Services,
  config: RunConfig,
  signal: AbortSignal,
): Promise<Backends> {
  const { kinds, secrets, clock, logger } = services;
  const made = new Map<number, ModelBackend>();
  try {
    for (const [i, agent] of config.agents.entries()) {
      const kind = kindOf(agent, kinds);
      if (kind.isProgram !== true) {
        const backend = await kind.create(agent.backend, { secrets, clock, logger }, signal);
        made.set(i + 1, gated(backend, { ...services, key: limitKey(agent, kind) }));
      }
    }
    signal.throwIfAborted();
    return made;
  } catch (error) {
    await closeAll(made.values());
    throw error;
  }
}

/** What one service counts together: everything that is asked with one key. */
function limitKey({ backend }: AgentConfig, kind: BackendKind): string {
  const keyName = backend.apiKeyName ?? kind.keyNamesOf(backend)[0] ?? null;
  return JSON.stringify([kind.hostOf(backend) ?? backend.type, keyName]);
}

async function closeAll(all: Iterable<{ close(): Promise<void> }>): Promise<void> {
  await Promise.allSettled([...all].map((one) => one.close()));
}

/** Agent programs that were made are closed again when a later one cannot be made; models are not. */
export async function createMembers(
  services: Services,
  { config, backends, workspaces, folders }: MemberParts,
  signal: AbortSignal,
): Promise<readonly Member[]> {
  const members: Omit<Member, 'uploads'>[] = [];
  const programs: ModelBackend[] = [];
  try {
    for (const [i, agent] of config.agents.entries()) {
      const slot = i + 1;
      const workspace = await workspaces.createAgentWorkspace(slot, signal);
      let backend = backends.get(slot);
      if (backend === undefined) {
        backend = await createProgram(services, agent, workspace, signal);
        programs.push(backend);
      }
      members.push({ slot, agent, backend, workspace });
    }
    const { addressesOf } = services;
    const uploads = await loadUploads(
      members.map(({ agent, backend, workspace }) => ({
        ...{ agent, backend, places: { workspace, folders, addressesOf } },
      })),
      signal,
    );
    return members.map((member, i) => ({ ...member, uploads: uploads[i] ?? [] }));
  } catch (error) {
    await closeAll(programs);
    throw error;
  }
}

export interface MemberParts {
  readonly config: RunConfig;
  readonly backends: Backends;
  readonly workspaces: RunWorkspaces;
  /** Absolute paths of the user's folders. */
  readonly folders: readonly string[];
}

async function createProgram(
  { kinds, secrets, clock, logger, redactor }: Services,
  agent: AgentConfig,
  workspace: AgentWorkspace,
  signal: AbortSignal,
): Promise<ModelBackend> {
  const kind = kindOf(agent, kinds);
  if (kind.isProgram !== true) {
    throw new MassGenError('bug/invariant', `no backend was made for "${agent.id}"`);
  }
  const toolServers = agent.tools?.servers ?? [];
  const conceal = (secret: string): void => redactor.add(secret);
  const parts = { secrets, clock, logger, toolServers, conceal };
  return kind.createIn(workspace, agent.backend, parts, signal);
}

export interface RuntimeContext {
  readonly config: RunConfig;
  readonly desk: ApprovalDesk;
  readonly payloads: PayloadStore;
  /** Where project instructions are read from; absent: there are none. */
  readonly userFiles?: UserFiles;
  /** The user's own folder; `undefined` when the run has none. */
  readonly projectFolder: string | undefined;
  readonly seatOf: (member: Member) => MemberSeat;
  /** Told how the servers of an agent fare. */
  readonly onToolServer: (event: ToolServerChanged) => void;
}

export function runtimesOf(
  services: Services,
  { config, desk, payloads, userFiles, projectFolder, seatOf, onToolServer }: RuntimeContext,
  members: readonly Member[],
): ReadonlyMap<number, AgentRuntime> {
  const { logger, redactor, kinds } = services;
  const tools = runTools(services.tools, config.settings);
  const extra = fixedSource(services.extraTools());
  return new Map(
    members.map((member) => {
      const { slot, agent } = member;
      const price = kindOf(agent, kinds).priceOf(agent.backend);
      const { costOf, ...seat } = seatOf(member);
      const parts: ToolSourceParts = {
        projectFolder,
        onChange: (change) => onToolServer({ ...change, slot }),
      };
      // An agent program starts its servers by itself.
      const isProgram = kindOf(agent, kinds).isProgram === true;
      const own = isProgram ? undefined : services.openToolSource(agent, member.workspace, parts);
      const source = joinSources([own, extra]);
      const runtime = createModelAgentRuntime({
        ...{ slot, tools: underRules(tools, agent.commandRules), desk, payloads, logger, ...seat },
        ...(userFiles === undefined ? {} : { userFiles }),
        ...(source === undefined ? {} : { source }),
        uploads: member.uploads,
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
