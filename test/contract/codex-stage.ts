import { createCodexKind } from '../../src/backends/agents/codex/index';
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

const failed = (status: number, message: string = expected.said): Step => ({
  fail: `unexpected status ${status} Some Words: ${message}`,
});

const scripts: Readonly<Partial<Record<Situation, readonly Step[]>>> = {
  ...commonScripts,
  'hang-call': [
    firstWords,
    {
      event: {
        type: 'item.started',
        item: {
          ...{ id: 'item_1', type: 'mcp_tool_call', server: 'massgen', tool: 'new_answer' },
          ...{ arguments: {}, status: 'in_progress' },
        },
      },
    },
    { hang: null },
  ],
  'error-in-stream': [firstWords, failed(500)],
  'broken-stream': [firstWords, { raw: '{"type": "item.comp' }, { die: 0 }],
  'context-overflow': [failed(400, 'Your input exceeds the context window of this model.')],
  'unknown-fields': [
    { event: { type: 'weather', sky: ['blue'] } },
    { item: ['todo_list', { items: [] }] },
    { note: 'Model metadata not found.' },
    { say: expected.text },
  ],
  usage: [
    { say: expected.text },
    { usage: { input_tokens: 1200, cached_input_tokens: 800, output_tokens: 50 } },
  ],
  refusal: [firstWords],
  schemas: [],
};

const open = openProgram(createCodexKind, 'codex.mjs', (command) => ({ command }));

/** The `codex` adapter with a scripted program. */
export const stageCodex: BackendStage = {
  codes: codesOfPrograms,
  cannot: {
    ...cannotOfPrograms,
    pieces: 'the program sends its words whole',
    truncation: 'the program does not tell',
    'truncated-call': 'the program does not tell',
  },
  open: async (situation, clock) => {
    const script = isStatus(situation) ? [failed(statusOf(situation))] : scripts[situation];
    return open([script ?? []])(situation, clock);
  },
};
