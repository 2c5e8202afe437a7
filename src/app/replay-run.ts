import { sha256Hex } from '../base/sha256';
import type { RunId } from '../base/ids';
import { ApprovalDesk } from '../core/agent/approval';
import { createModelAgentRuntime } from '../core/agent/model-agent-runtime';
import { recordedUserFiles } from '../core/agent/recorded-user-files';
import { Driver } from '../core/orchestrator/driver';
import { AgentReplay } from '../core/orchestrator/replay/agent-replay';
import { RunRecord } from '../core/orchestrator/run-record';
import type { AgentRuntime } from '../core/ports/agent-runtime';
import type { CommandPolicy } from '../core/ports/approvals';
import type { EventLogWriter } from '../core/ports/event-store';
import type { PayloadStore } from '../core/ports/payload-store';
import type { RecordedEvent, RunStarted } from '../run/events';
import type { ReplayReport } from './app-contract';
import { changedArtifacts } from './changed-artifacts';
import { damageText, missingTexts } from './log-damage';
import { readRecordedRun } from './recorded-run';
import { runTools } from './run-tools';
import type { Services } from './services';

type ReplayServices = Pick<
  Services,
  'store' | 'logger' | 'clock' | 'tools' | 'payloadsOf' | 'artifacts'
>;

/**
 * Plays a stored run through the same engine and the same turns, over what its models and tools had said. Asks nobody
 * and writes nothing. The files of a run that is over are compared with what its events give, unless those differ.
 */
export async function replayRun(
  services: ReplayServices,
  runId: RunId,
  signal: AbortSignal,
  onEvent: (event: RecordedEvent) => void = () => undefined,
): Promise<ReplayReport> {
  const { started, events, damage: ofLog } = await readRecordedRun(services, runId);
  const payloads = readOnly(services.payloadsOf(runId));
  const agents = new Map(
    started.agents.map(({ slot }) => [slot, new AgentReplay(slot, events, payloads)] as const),
  );
  const { clock, logger } = services;
  const record = new RunRecord({ writer: nowhere, redact: unchanged, logger });
  const driver = new Driver({
    ...{ started, record, clock, logger },
    runtimes: runtimesOf(services, { started, events, agents, payloads }),
    secrets: { redact: unchanged, holdBack: () => 0 },
  });
  const last = events.at(-1)?.seq ?? 0;
  const played: RecordedEvent[] = [];
  const listening = record.onEvents((adopted) => {
    const inLog = adopted.filter(({ seq }) => seq <= last);
    played.push(...inLog);
    inLog.forEach(onEvent);
  });
  try {
    const difference = await driver.replay(events, agents, signal);
    const { state } = record;
    const changedFiles =
      difference === null && state.outcome !== null
        ? await changedArtifacts(services.artifacts.dirOf(state), played, payloads)
        : [];
    const damage = damageText(ofLog, missingTexts(events, payloads));
    return {
      ...{ runId, events: events.length, difference, changedFiles },
      ...(damage === null ? {} : { damage }),
    };
  } finally {
    listening.dispose();
    await driver.close(agents);
  }
}

interface Played {
  readonly started: RunStarted;
  readonly events: readonly RecordedEvent[];
  readonly agents: ReadonlyMap<number, AgentReplay>;
  readonly payloads: PayloadStore;
}

function runtimesOf(
  services: ReplayServices,
  { started, events, agents, payloads }: Played,
): ReadonlyMap<number, AgentRuntime> {
  const { logger } = services;
  const tools = runTools(services.tools, started.settings);
  const userFiles = recordedUserFiles(events, payloads);
  const desk = new ApprovalDesk(nobody, logger);
  return new Map(
    [...agents].map(([slot, steps]) => {
      const { backend, workspace, clock } = steps;
      const runtime = createModelAgentRuntime({
        ...{ slot, backend, workspace, clock, tools, desk, steps, payloads, logger },
        userFiles,
        // Commands are not run again, and a prompt is not sent to anybody.
        commandTimeoutMs: 0,
        systemMessage: undefined,
        redact: unchanged,
        costOf: (usage) => steps.costOf(usage, () => null),
      });
      return [slot, runtime];
    }),
  );
}

const unchanged = (text: string): string => text;

const nowhere: EventLogWriter = {
  append: () => undefined,
  close: async () => undefined,
};

const nobody: CommandPolicy = {
  decide: () => ({ isAllowed: false, by: 'policy' }),
  remember: async () => undefined,
};

function readOnly(payloads: PayloadStore): PayloadStore {
  return {
    put: (text) => ({
      sha256: sha256Hex(text),
      bytes: new TextEncoder().encode(text).byteLength,
    }),
    get: (ref) => payloads.get(ref),
  };
}
