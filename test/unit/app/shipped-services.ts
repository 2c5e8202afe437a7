// The services, programs and servers that shipped teams name, all on this machine and played by scripts.
import { join } from 'node:path';
import type { RunConfig } from '../../../src/app/app-contract';
import type { BackendSettings, ToolServerConfig } from '../../../src/core/ports/backend-kind';
import { startFakeAnthropic } from '../../support/fake-anthropic/fake-anthropic';
import { startFakeGemini } from '../../support/fake-gemini/fake-gemini';
import type { JournalEntry } from '../../support/fake-model-service/journal';
import { startFakeModelService } from '../../support/fake-model-service/fake-model-service';
import { startFakeResponses } from '../../support/fake-responses/fake-responses';

type Agent = RunConfig['agents'][number];

/** What an agent does, one call or one text per response. */
type Action =
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };

interface Service {
  readonly baseUrl: string;
  readonly journal: readonly JournalEntry[];
  close(): Promise<void>;
}

/** The name under which every service finds its key, and the key. */
export const keyName = 'SERVICE_KEY';
export const keyValue = 'let-me-in-0042';

export interface PlayedTeam {
  readonly config: RunConfig;
  readonly services: readonly Service[];
}

/** The same team, at services of this machine, with programs and servers that a script plays. */
export async function played(config: RunConfig): Promise<PlayedTeam> {
  const services: Service[] = [];
  const agents: Agent[] = [];
  for (const [index, agent] of config.agents.entries()) {
    const actions = actionsOf(index, config);
    const service = await serviceFor(agent.backend, actions);
    if (service !== undefined) {
      services.push(service);
    }
    agents.push({
      ...agent,
      backend: placed(agent.backend, actions, service),
      ...(agent.tools === undefined
        ? {}
        : { tools: { ...agent.tools, servers: agent.tools.servers.map(standIn) } }),
    });
  }
  const settings = { ...config.settings, runSeed: '5eed', backoffMs: 0 };
  return { services, config: { ...config, agents, settings } };
}

/** One tool of each server, an answer, a vote that makes the first agent win, and words for whatever else is asked. */
function actionsOf(index: number, { agents }: RunConfig): readonly Action[] {
  const used = (agents[index]?.tools?.servers ?? []).map(({ name }) => toolsOf[name]?.[0] ?? '');
  const servers = agents[index]?.tools?.servers ?? [];
  const favorite = index === 0 && agents.length > 2 ? 'agent2' : 'agent1';
  return [
    ...servers.map(({ name }, i) => ({ call: `mcp__${name}__${used[i] ?? ''}`, input: {} })),
    { call: 'new_answer', input: { content: `What number ${index + 1} has found.` } },
    { call: 'vote', input: { agent_id: favorite, reason: 'It is right.' } },
    ...Array.from({ length: 6 }, () => ({ text: 'So it is.' })),
  ];
}

/** By the name of the server in a shipped file: the tools of its stand-in. */
const toolsOf: Readonly<Record<string, readonly string[]>> = {
  everything: ['echo'],
  memory: ['read_graph', 'search_nodes', 'delete_entities'],
  thinking: ['sequentialthinking'],
  playwright: ['browser_navigate'],
};

const programs = join(import.meta.dirname, '../../support/scripted-programs');

/** What npx would fetch is not fetched in a test; everything else of the server is as the file has it. */
function standIn(server: ToolServerConfig): ToolServerConfig {
  const file = join(programs, 'named-tools.mjs');
  const command = [process.execPath, file, ...(toolsOf[server.name] ?? [])] as const;
  return {
    ...server,
    transport: { type: 'stdio', command: [...command], environment: {} },
  };
}

async function serviceFor(
  { type, model }: BackendSettings,
  actions: readonly Action[],
): Promise<Service | undefined> {
  const apiKeys = [keyValue];
  switch (type) {
    case 'claude':
      return startFakeAnthropic({ apiKeys, models: { [model]: actions.map(step('tool-call')) } });
    case 'gemini':
      return startFakeGemini({ apiKeys, models: { [model]: actions.map(geminiStep) } });
    case 'openai':
      return startFakeResponses({ apiKeys, models: { [model]: actions.map(step('tool-call')) } });
    case 'grok':
      return startFakeResponses({
        ...{ apiKeys, dialect: 'xai', models: { [model]: actions.map(step('tool-call')) } },
      });
    case 'chatcompletion':
    case 'lmstudio':
      return startFakeModelService({
        models: { [model]: { answers: actions.map(step('tool-call')) } },
      });
    default:
      return undefined;
  }
}

interface PlainStep {
  readonly steps: readonly (
    | { readonly kind: 'text'; readonly text: string }
    | {
        readonly kind: 'tool-call';
        readonly name: string;
        readonly arguments: Readonly<Record<string, unknown>>;
      }
  )[];
}

function step(kind: 'tool-call'): (action: Action) => PlainStep {
  return (action) => ({
    steps: [
      'text' in action
        ? { kind: 'text', text: action.text }
        : { kind, name: action.call, arguments: action.input },
    ],
  });
}

function geminiStep(
  action: Action,
): Parameters<typeof startFakeGemini>[0]['models'][string][number] {
  return {
    steps: [
      'text' in action
        ? { kind: 'text', text: action.text }
        : { kind: 'call', name: action.call, args: action.input },
    ],
  };
}

const programFiles: Readonly<Record<string, string>> = {
  claude_code: 'claude.mjs',
  codex: 'codex.mjs',
  acp: 'acp-agent.mjs',
};

function placed(
  backend: BackendSettings,
  actions: readonly Action[],
  service: Service | undefined,
): BackendSettings {
  const file = programFiles[backend.type];
  if (file !== undefined) {
    const prompts = actions.map((action) => [
      'text' in action ? { say: action.text } : { call: [action.call, action.input] },
    ]);
    const script = JSON.stringify(backend.type === 'acp' ? { prompts } : prompts);
    const command = [process.execPath, join(programs, file), script];
    const apiKeyName = backend.type === 'acp' ? undefined : keyName;
    return { ...backend, apiKeyName, options: { ...backend.options, command } };
  }
  if (service === undefined) {
    return backend;
  }
  const isOpen = backend.type === 'lmstudio' || backend.type === 'chatcompletion';
  return {
    ...backend,
    apiKeyName: isOpen ? undefined : keyName,
    options: { ...backend.options, base_url: service.baseUrl },
  };
}
