import { createClaudeCodeKind } from '../../src/backends/agents/claude-code/index';
import { type BackendStage, expected } from './backend-kit';
import {
  cannotOfPrograms,
  codesOfPrograms,
  commonScripts,
  firstWords,
  openProgram,
  type Step,
} from './program-stage';
import { type Situation, isStatus, statusOf } from './situations';

const failed = (status: number, result: string = expected.said): Step => ({
  end: { is_error: true, api_error_status: status, result },
});

const scripts: Readonly<Partial<Record<Situation, readonly Step[]>>> = {
  ...commonScripts,
  'hang-call': [
    firstWords,
    streamed({
      type: 'content_block_start',
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'mcp__massgen__new_answer' },
    }),
    streamed({
      type: 'content_block_delta',
      delta: { type: 'input_json_delta', partial_json: '{"con' },
    }),
    { hang: null },
  ],
  'error-in-stream': [firstWords, failed(500)],
  'broken-stream': [firstWords, { raw: '{"type": "assis' }, { die: 0 }],
  truncation: [firstWords, { end: { stop_reason: 'max_tokens' } }],
  refusal: [firstWords, { end: { stop_reason: 'refusal' } }],
  'context-overflow': [failed(400, 'Prompt is too long')],
  'unknown-fields': [
    { message: { type: 'weather', sky: ['blue'] } },
    { message: { type: 'stream_event', event: { type: 'rain' }, parent_tool_use_id: null } },
    { sayWhole: expected.text },
  ],
  usage: [
    { say: expected.text },
    {
      end: {
        usage: {
          ...{ input_tokens: 300, cache_creation_input_tokens: 100 },
          ...{ cache_read_input_tokens: 800, output_tokens: 50 },
        },
      },
    },
  ],
  schemas: [],
};

function streamed(event: Readonly<Record<string, unknown>>): Step {
  const message = { type: 'stream_event', event: { index: 1, ...event }, parent_tool_use_id: null };
  return { message };
}

const open = openProgram(createClaudeCodeKind, 'claude.mjs', (command) => ({ command }));

/** The `claude_code` adapter with a scripted program. */
export const stageClaudeCode: BackendStage = {
  codes: codesOfPrograms,
  cannot: { ...cannotOfPrograms, 'truncated-call': 'the program goes on by itself' },
  open: async (situation, clock) => {
    const script = isStatus(situation) ? [failed(statusOf(situation))] : scripts[situation];
    return open([script ?? []])(situation, clock);
  },
};
