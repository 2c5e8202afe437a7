// One agent for each protocol, an agent program, and two servers of tools that nobody here wrote.
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import {
  type FakeAnthropic,
  startFakeAnthropic,
} from '../../support/fake-anthropic/fake-anthropic';
import type { ScriptedAnswer as ClaudeAnswer } from '../../support/fake-anthropic/script';
import { type FakeGemini, startFakeGemini } from '../../support/fake-gemini/fake-gemini';
import {
  type FakeModelService,
  startFakeModelService,
} from '../../support/fake-model-service/fake-model-service';
import {
  type FakeResponses,
  startFakeResponses,
} from '../../support/fake-responses/fake-responses';

/** Keys by the variable that holds them. */
export const keys = {
  ANTHROPIC_API_KEY: 'sk-ant-test-5f2c9e81d7',
  OPENAI_API_KEY: 'sk-test-77ab90c1e2f3',
  GOOGLE_API_KEY: 'AIza-test-31d8b64f90',
  FAKE_SERVICE_KEY: 'fk-0123456789abcdef',
} as const;

export const task = 'Say in ideas.md what the project is for.';

const models = {
  claude: 'claude-opus-5-5',
  openai: 'gpt-6.2-sol',
  gemini: 'gemini-4-neon',
  chat: 'opal-9',
} as const;

/** Where a package is installed; its own `main` says nothing about that. */
function packageFolder(name: string): string {
  const require = createRequire(import.meta.url);
  return dirname(require.resolve(`${name}/package.json`));
}

const programOf = (name: string): string => join(packageFolder(name), 'dist', 'index.js');

const everything = programOf('@modelcontextprotocol/server-everything');
const files = programOf('@modelcontextprotocol/server-filesystem');
const agentProgram = resolve(
  ...[import.meta.dirname, '..', '..', 'support', 'scripted-programs', 'acp-agent.mjs'],
);

/** An argument of each process that a run starts beside those of commands. */
export const startedPrograms = [everything, files, agentProgram];

const answer = (content: string) => ({ name: 'new_answer', arguments: { content } });
const vote = (reason: string) => ({ name: 'vote', arguments: { agent_id: 'agent1', reason } });

/** What the winner presents. */
export const finalText = 'The project reads durations such as `2h 30m`.';

export interface MixedServices {
  readonly claude: FakeAnthropic;
  readonly openai: FakeResponses;
  readonly gemini: FakeGemini;
  readonly chat: FakeModelService;
  close(): Promise<void>;
}

/** Each model thinks where its service lets it, uses a tool, answers, and votes for the first agent. */
export async function startMixedServices(): Promise<MixedServices> {
  const votes = <T>(one: T): readonly T[] => Array.from({ length: 8 }, () => one);
  const claudeVote: ClaudeAnswer = {
    steps: [{ kind: 'tool-call', ...vote('It asked a server.') }],
  };
  const claude = await startFakeAnthropic({
    apiKeys: [keys.ANTHROPIC_API_KEY],
    models: {
      [models.claude]: [
        {
          steps: [
            { kind: 'thinking', text: 'The server can add for me.' },
            {
              kind: 'tool-call',
              name: 'mcp__everything__get-sum',
              arguments: { a: 20, b: 22 },
            },
          ],
        },
        {
          steps: [
            { kind: 'thinking', text: 'Now I write it down.' },
            {
              kind: 'tool-call',
              name: 'write_file',
              arguments: { path: 'ideas.md', content: '# Durations\n' },
            },
          ],
        },
        { steps: [{ kind: 'tool-call', ...answer('It stands in `ideas.md`; 42 was checked.') }] },
        // The winner writes the final text.
        { when: 'You write the final text', steps: [{ kind: 'text', text: finalText }] },
        ...votes(claudeVote),
      ],
    },
  });
  const openai = await startFakeResponses({
    apiKeys: [keys.OPENAI_API_KEY],
    models: {
      [models.openai]: [
        {
          steps: [
            { kind: 'reasoning', summary: ['I look at the files through the server.'] },
            {
              kind: 'tool-call',
              name: 'mcp__files__list_allowed_directories',
              arguments: {},
            },
          ],
        },
        {
          steps: [
            { kind: 'reasoning', summary: ['That is enough.'] },
            { kind: 'tool-call', ...answer('The project reads durations.') },
          ],
        },
        ...votes({ steps: [{ kind: 'tool-call' as const, ...vote('It wrote a file.') }] }),
      ],
    },
  });
  const gemini = await startFakeGemini({
    apiKeys: [keys.GOOGLE_API_KEY],
    models: {
      [models.gemini]: [
        {
          steps: [
            { kind: 'thought', text: 'I read the source.' },
            { kind: 'call', name: 'read_file', args: { path: 'src/duration.js' } },
          ],
        },
        {
          steps: [
            { kind: 'call', name: 'new_answer', args: answer('It parses durations.').arguments },
          ],
        },
        ...votes({
          steps: [
            {
              kind: 'call' as const,
              name: 'vote',
              args: vote('It is the most complete.').arguments,
            },
          ],
        }),
      ],
    },
  });
  const chat = await startFakeModelService({
    apiKeys: [keys.FAKE_SERVICE_KEY],
    models: {
      [models.chat]: {
        answers: [
          {
            when: { withholdsTool: 'vote', offersTool: 'new_answer' },
            steps: [{ kind: 'tool-call', ...answer('A library for durations.') }],
          },
          {
            when: { offersTool: 'vote' },
            isRepeated: true,
            steps: [{ kind: 'tool-call', ...vote('It checked its work.') }],
          },
        ],
      },
    },
  });
  return {
    ...{ claude, openai, gemini, chat },
    async close(): Promise<void> {
      await Promise.all([claude.close(), openai.close(), gemini.close(), chat.close()]);
    },
  };
}

/** Prompts of the agent program: it answers, then votes as long as it is asked. */
const programScript = {
  prompts: [
    [
      { say: 'I am a program of my own.' },
      { call: ['new_answer', answer('Written by a program of another maker.').arguments] },
    ],
    ...Array.from({ length: 8 }, () => [{ call: ['vote', vote('Its file is right.').arguments] }]),
  ],
};

export function mixedTeam(services: MixedServices, folder: string): string {
  const team = {
    name: 'Mixed team',
    agents: [
      {
        id: 'sonnet-writer',
        backend: {
          ...{ type: 'claude', model: models.claude, base_url: services.claude.baseUrl },
          api_key: '${ANTHROPIC_API_KEY}',
          mcp_servers: {
            everything: { command: process.execPath, args: [everything, 'stdio'], hosts: [] },
          },
        },
      },
      {
        id: 'sol-reader',
        backend: {
          ...{ type: 'openai', model: models.openai, base_url: services.openai.baseUrl },
          api_key: '${OPENAI_API_KEY}',
          mcp_servers: {
            files: { command: process.execPath, args: [files, folder], hosts: [] },
          },
        },
      },
      {
        id: 'neon-reader',
        backend: {
          ...{ type: 'gemini', model: models.gemini, base_url: services.gemini.baseUrl },
          api_key: '${GOOGLE_API_KEY}',
        },
      },
      {
        id: 'opal-writer',
        backend: {
          ...{ type: 'chatcompletion', model: models.chat, base_url: services.chat.baseUrl },
          api_key: '${FAKE_SERVICE_KEY}',
        },
      },
      {
        id: 'program',
        backend: {
          type: 'acp',
          command: [process.execPath, agentProgram, JSON.stringify(programScript)],
          hosts: [],
        },
      },
    ],
    orchestrator: { profile: 'recommended' },
  };
  return JSON.stringify(team, null, 2);
}
