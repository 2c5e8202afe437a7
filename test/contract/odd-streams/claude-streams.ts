import { type Json, type JsonMembers, type OddStream, raw } from './odd-stream';

const begin: JsonMembers = {
  type: 'message_start',
  message: { id: 'msg_1', role: 'assistant', content: [], usage: { input_tokens: 3 } },
};
const open = (index: number, block: Json): JsonMembers => ({
  ...{ type: 'content_block_start', index, content_block: block },
});
const piece = (index: number, delta: Json): JsonMembers => ({
  ...{ type: 'content_block_delta', index, delta },
});
const close = (index: number): JsonMembers => ({ type: 'content_block_stop', index });
const end = (reason: Json, details: Json = null): JsonMembers => ({
  type: 'message_delta',
  delta: { stop_reason: reason, stop_details: details },
  usage: { output_tokens: 5 },
});
const last: JsonMembers = { type: 'message_stop' };
const words = (index: number, text: string): readonly JsonMembers[] => [
  open(index, { type: 'text', text: '' }),
  piece(index, { type: 'text_delta', text }),
  close(index),
];
const call = (index: number, id: Json, name: string, args: string): readonly JsonMembers[] => [
  open(index, { type: 'tool_use', id, name, input: {} }),
  piece(index, { type: 'input_json_delta', partial_json: '' }),
  piece(index, { type: 'input_json_delta', partial_json: args.slice(0, 4) }),
  piece(index, { type: 'input_json_delta', partial_json: args.slice(4) }),
  close(index),
];

export const claudeStreams: readonly OddStream[] = [
  {
    oddity: 'kinds of events, blocks and pieces that nobody knows',
    events: [
      begin,
      { type: 'ping' },
      { type: 'weather', sunny: true },
      open(0, { type: 'mood', level: { of: 3 } }),
      piece(0, { type: 'mood_delta', level: 4 }),
      close(0),
      ...words(1, 'Yes.'),
      piece(1, { type: 'glow_delta', glow: 1 }),
      end('end_turn'),
      last,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'null wherever something could be',
    events: [
      { type: 'message_start', message: null },
      open(0, null),
      piece(0, null),
      { type: 'content_block_delta', index: null, delta: { type: 'text_delta', text: 'lost' } },
      { type: 'content_block_stop', index: 77 },
      ...words(1, 'Yes.'),
      { type: 'message_delta', delta: null, usage: null },
      end('end_turn'),
      last,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'pieces for a block that was never announced, and ends told twice',
    events: [
      begin,
      piece(4, { type: 'text_delta', text: 'lost' }),
      ...words(0, 'Yes.'),
      close(0),
      close(0),
      end('end_turn'),
      last,
      last,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'thoughts of which only the signature comes, and ciphered ones',
    events: [
      begin,
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      piece(0, { type: 'signature_delta', signature: 'abc' }),
      close(0),
      open(1, { type: 'redacted_thinking', data: 'xyz' }),
      close(1),
      ...words(2, 'Yes.'),
      end('end_turn'),
      last,
    ],
    ...{ thinks: '', says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'a call without arguments, and one with all of them at once',
    events: [
      begin,
      open(0, { type: 'tool_use', id: 'a', name: 'vote', input: {} }),
      piece(0, { type: 'input_json_delta', partial_json: '' }),
      close(0),
      open(1, { type: 'tool_use', id: 'b', name: 'read_file', input: { path: 'a.js' } }),
      close(1),
      end('tool_use'),
      last,
    ],
    calls: [
      ['vote', '{}'],
      ['read_file', '{"path":"a.js"}'],
    ],
    ends: 'tool-calls',
  },
  {
    oddity: 'calls with one id and none, and another reason to end',
    events: [
      begin,
      ...call(0, 'a', 'vote', '{"x":1}'),
      ...call(1, 'a', 'vote', '{"x":2}'),
      ...call(2, null, 'vote', '{"x":3}'),
      end('end_turn'),
      last,
    ],
    calls: [1, 2, 3].map((x): [string, string] => ['vote', `{"x":${x}}`]),
    ends: 'tool-calls',
  },
  {
    oddity: 'arguments that are not JSON',
    events: [begin, ...call(0, 'a', 'read_file', '{"path": a.js'), end('tool_use'), last],
    ...{ calls: [['read_file', '{"path": a.js']], ends: 'tool-calls' },
  },
  {
    oddity: 'a call that the limit has cut and that is closed all the same',
    events: [
      begin,
      ...call(0, 'a', 'vote', '{"x":1}'),
      ...call(1, 'b', 'new_answer', '{"content":"Half'),
      end('max_tokens'),
      last,
    ],
    ...{ calls: [['vote', '{"x":1}']], ends: 'length' },
  },
  {
    oddity: 'a call of which the limit left nothing but its name',
    events: [
      begin,
      open(0, { type: 'tool_use', id: 'a', name: 'new_answer', input: {} }),
      close(0),
      end('max_tokens'),
      last,
    ],
    ...{ calls: [], ends: 'length' },
  },
  {
    oddity: 'a call that is never closed',
    events: [
      begin,
      open(0, { type: 'tool_use', id: 'a', name: 'new_answer', input: {} }),
      piece(0, { type: 'input_json_delta', partial_json: '{"content":"Half' }),
      end('tool_use'),
      last,
    ],
    ...{ calls: [], ends: 'stop' },
  },
  {
    oddity: 'tools of the service without results, with errors, and results of nothing',
    events: [
      begin,
      open(0, { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: null } }),
      close(0),
      open(1, { type: 'web_search_tool_result', tool_use_id: 's9', content: null }),
      close(1),
      open(2, {
        ...{ type: 'web_search_tool_result', tool_use_id: 's1' },
        content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      }),
      close(2),
      open(3, { type: 'server_tool_use', id: null, name: null, input: [] }),
      close(3),
      ...words(4, 'Yes.'),
      end('end_turn'),
      last,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'sources that are none',
    events: [
      begin,
      open(0, { type: 'text', text: '', citations: [null, { url: 'javascript:1' }] }),
      piece(0, { type: 'citations_delta', citation: null }),
      piece(0, { type: 'citations_delta', citation: { url: 7, title: [] } }),
      piece(0, { type: 'text_delta', text: 'Yes.' }),
      close(0),
      end('end_turn'),
      last,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'a refusal that gives no reason',
    events: [begin, ...words(0, 'Well. '), end('refusal', { category: null }), last],
    ...{ says: 'Well. ', ends: 'backend/refused' },
  },
  {
    oddity: 'a window that is full',
    events: [begin, ...words(0, 'Well. '), end('model_context_window_exceeded'), last],
    ...{ says: 'Well. ', ends: 'backend/context-overflow' },
  },
  {
    oddity: 'reasons to end that nobody knows, and none',
    events: [begin, ...words(0, 'Yes.'), end('sunset'), end(null), last],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'an error of an unknown type, without a sentence',
    events: [begin, ...words(0, 'Ye'), { type: 'error', error: { type: 'weather_error' } }],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'an error that is no JSON',
    events: [begin, ...words(0, 'Ye'), raw('event: error\ndata: upstream is gone\n\n')],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'no names of events, CR LF, comments and the closing mark of another protocol',
    lineEnd: '\r\n',
    events: [
      raw(': hello\r\n\r\ndata: null\r\n\r\n'),
      begin,
      ...words(0, 'Yes.'),
      end('end_turn'),
      last,
      raw('data: [DONE]\r\n\r\n'),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'one object in place of a stream',
    events: [
      raw(
        JSON.stringify({
          ...{ type: 'message', stop_reason: 'tool_use', usage: null },
          content: [
            { type: 'text', text: 'Yes.' },
            { type: 'tool_use', id: 'a', name: 'vote', input: { x: 1 } },
            null,
          ],
        }),
      ),
    ],
    ...{ says: 'Yes.', calls: [['vote', '{"x":1}']], ends: 'tool-calls' },
  },
  {
    oddity: 'a pause after nothing but thoughts',
    events: [
      begin,
      open(0, { type: 'thinking', thinking: 'Hm.', signature: 'abc' }),
      close(0),
      end('pause_turn'),
      last,
    ],
    ...{ thinks: 'Hm.', says: '', ends: 'stop' },
  },
];
