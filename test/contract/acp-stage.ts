import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAcpKind } from '../../src/backends/agents/acp/index';
import { SpawningWorkspace } from '../support/spawning-workspace';
import { type BackendStage, expected, servicesWith } from './backend-kit';
import { codesOfPrograms } from './program-stage';
import { type Situation, isStatus, statusOf } from './situations';

type Step = Readonly<Record<string, unknown>>;

const agentFile = join(import.meta.dirname, '../support/scripted-programs/acp-agent.mjs');

const firstWords: Step = { say: expected.firstWords };
const pieces = (text: string): readonly Step[] =>
  (text.match(/.{1,7}/gu) ?? []).map((say) => ({ say }));
const call = ({ name, argumentsJson }: { name: string; argumentsJson: string }): Step => ({
  quietCall: [name, JSON.parse(argumentsJson)],
});
const end = (stopReason: string): Step => ({ end: { stopReason } });

const counted: Step = {
  end: { usage: { inputTokens: 30, outputTokens: 9, totalTokens: 39 } },
};

const scripts: Readonly<Partial<Record<Situation, readonly Step[]>>> = {
  text: [...pieces(expected.text), counted],
  thinking: [{ think: expected.thinking }, ...pieces(expected.text)],
  'tool-call': [call(expected.call)],
  'parallel-tool-calls': [call(expected.call), call(expected.secondCall)],
  empty: [],
  unicode: [{ slowly: expected.unicode }],
  'split-arguments': [call(expected.unicodeCall)],
  'hang-first': [{ hang: null }],
  'hang-middle': [firstWords, { hang: null }],
  stall: [firstWords, { hang: null }],
  'hang-call': [
    firstWords,
    { tool: { toolCallId: 'a', title: 'new_answer', status: 'pending' } },
    { hang: null },
  ],
  disconnect: [firstWords, { die: 137 }],
  'early-end': [firstWords, { die: 0 }],
  'error-in-stream': [firstWords, { fail: { code: -32603, message: expected.said } }],
  'broken-stream': [firstWords, { raw: '{"jsonrpc": "2.0", "method": "session/up' }, { die: 0 }],
  truncation: [firstWords, end('max_tokens')],
  'truncated-call': [call(expected.call), end('max_tokens')],
  refusal: [firstWords, end('refusal')],
  'context-overflow': [{ fail: { code: 400, message: 'prompt is too long' } }],
  'unknown-fields': [
    { update: { sessionUpdate: 'weather', sky: ['blue'] } },
    { update: { sessionUpdate: 'plan', entries: [], mood: 1 } },
    { say: expected.text },
    { end: { _meta: { weather: 'fine' } } },
  ],
  images: [{ say: expected.text }],
  structured: [{ say: expected.structured }],
  usage: [
    { say: expected.text },
    {
      end: {
        usage: { inputTokens: 400, cachedReadTokens: 800, outputTokens: 50, totalTokens: 1250 },
      },
    },
  ],
  'long-tool-name': [call({ name: expected.longName, argumentsJson: '{}' })],
  schemas: [{ list: 'massgen' }],
};

function scriptOf(situation: Situation): readonly Step[] {
  return isStatus(situation)
    ? [{ fail: { code: statusOf(situation), message: expected.said } }]
    : (scripts[situation] ?? []);
}

const inWords = 'an agent is asked in words alone';

/** The `acp` adapter with the scripted agent. */
export const stageAcp: BackendStage = {
  codes: codesOfPrograms,
  cannot: {
    'thinking-kept': 'an agent keeps its own conversation',
    'retry-after': 'the protocol has no place for it',
    'content-filter': 'the protocol has no word for it',
    ...{ 'structured-refused': inWords, 'structured-cut': inWords },
    'malformed-arguments': 'the protocol of the tools carries nothing but objects',
  },
  async open(situation, clock) {
    const home = await mkdtemp(join(tmpdir(), 'massgen-acp-'));
    const script = { prompts: [scriptOf(situation)] };
    const backend = await createAcpKind(home).createIn(
      new SpawningWorkspace(home),
      {
        ...{ type: 'acp', model: '', apiKeyName: undefined },
        options: { command: [process.execPath, agentFile, JSON.stringify(script)] },
      },
      { ...servicesWith({}, clock), toolServers: [] },
      new AbortController().signal,
    );
    return {
      backend,
      async close() {
        await backend.close();
        await rm(home, { recursive: true, force: true });
      },
    };
  },
};
