import { type Json, type JsonMembers, type OddStream, raw } from './odd-stream';

const text = (delta: string, at: Json = 0): JsonMembers => ({
  ...{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: at },
  ...{ content_index: 0, delta },
});
const message = (words: string): JsonMembers => ({
  ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: words, annotations: [] }],
});
const call = (id: string, name: string, args: Json): JsonMembers => ({
  ...{ type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, name, arguments: args },
  status: 'completed',
});
const done = (item: Json, at: Json = 0): JsonMembers => ({
  ...{ type: 'response.output_item.done', output_index: at, item },
});
const completed = (members: JsonMembers = {}): JsonMembers => ({
  type: 'response.completed',
  response: { id: 'resp_1', object: 'response', status: 'completed', output: [], ...members },
});
const cut = (reason: Json): JsonMembers => ({
  type: 'response.incomplete',
  response: { status: 'incomplete', incomplete_details: { reason }, output: [] },
});

export const responsesStreams: readonly OddStream[] = [
  {
    oddity: 'members that nobody knows, and padding',
    events: [
      { type: 'response.created', response: { id: 'resp_1', mood: 3 }, sequence_number: 0 },
      { ...text('Yes.'), obfuscation: 'xxxx', logprobs: [] },
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Yes.' },
      done(message('Yes.')),
      completed(),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'whole items and no piece',
    events: [done(message('Yes.')), done(call('1', 'vote', '{}'), 1), completed()],
    ...{ says: 'Yes.', calls: [['vote', '{}']], ends: 'tool-calls' },
  },
  {
    oddity: 'everything at its end alone',
    events: [completed({ output: [message('Yes.'), call('1', 'vote', '{}')] })],
    ...{ says: 'Yes.', calls: [['vote', '{}']], ends: 'tool-calls' },
  },
  {
    oddity: 'arguments that stand in no item',
    events: [
      {
        ...{ type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_1' },
        delta: '{"path":',
      },
      {
        ...{ type: 'response.function_call_arguments.done', output_index: 0, item_id: 'fc_1' },
        arguments: '{"path":"a.js"}',
      },
      done(call('1', 'read_file', '')),
      completed(),
    ],
    ...{ calls: [['read_file', '{"path":"a.js"}']], ends: 'tool-calls' },
  },
  {
    oddity: 'an item told twice, and again at the end',
    events: [
      done(call('1', 'vote', '{}')),
      done(call('1', 'vote', '{}')),
      completed({ output: [call('1', 'vote', '{}')] }),
    ],
    ...{ calls: [['vote', '{}']], ends: 'tool-calls' },
  },
  {
    oddity: 'neither places nor ids',
    events: [
      { type: 'response.output_text.delta', delta: 'Ye' },
      { type: 'response.output_text.delta', delta: 's.' },
      { type: 'response.output_item.done', item: message('Yes.') },
      { type: 'response.output_item.done', item: call('1', 'vote', '{}') },
      completed(),
    ],
    ...{ calls: [['vote', '{}']], ends: 'tool-calls' },
  },
  {
    oddity: 'places that are texts',
    events: [text('Yes.', '0'), done(call('1', 'vote', '{}'), '1'), completed()],
    ...{ says: 'Yes.', calls: [['vote', '{}']], ends: 'tool-calls' },
  },
  {
    oddity: 'calls with one id, none and one that is too long',
    events: [
      done(call('1', 'vote', '{"x":1}'), 0),
      done(call('1', 'vote', '{"x":2}'), 1),
      done({ ...call('3', 'vote', '{"x":3}'), call_id: null, id: null }, 2),
      done(call('x'.repeat(100), 'vote', '{"x":4}'), 3),
      completed(),
    ],
    calls: [1, 2, 3, 4].map((x): [string, string] => ['vote', `{"x":${x}}`]),
    ends: 'tool-calls',
  },
  {
    oddity: 'thoughts in a cipher, without a summary',
    events: [
      done({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'abc' }),
      done(message('Yes.'), 1),
      completed(),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'thoughts in words, and summaries of other shapes',
    events: [
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'Hm.' },
      done({ type: 'reasoning', id: 'rs_1', summary: null, content: 'Hm.' }),
      done({ type: 'reasoning', id: 'rs_2', summary: [null, 3, { text: null }] }, 1),
      done(message('Yes.'), 2),
      completed(),
    ],
    ...{ thinks: 'Hm.', says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'a call that the limit has cut although its item came',
    events: [
      done(call('1', 'vote', '{"x":1}')),
      done({ ...call('2', 'new_answer', '{"content":"Half'), status: 'incomplete' }, 1),
      cut('max_output_tokens'),
    ],
    ...{ calls: [['vote', '{"x":1}']], ends: 'length' },
  },
  {
    oddity: 'a call whose item is not told to be cut',
    events: [done(call('1', 'new_answer', '{"content":"Half')), cut('max_output_tokens')],
    ...{ calls: [], ends: 'length' },
  },
  {
    oddity: 'an end before its time for no reason',
    events: [text('Ye'), cut(null)],
    ...{ says: 'Ye', ends: 'length' },
  },
  {
    oddity: 'a failure without a word',
    events: [text('Ye'), { type: 'response.failed', response: { status: 'failed', error: null } }],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'a failure that calls itself completed',
    events: [
      text('Ye'),
      completed({ status: 'failed', error: { code: 'server_error', message: 'Oh.' } }),
    ],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'an end that has no response',
    events: [done(message('Yes.')), { type: 'response.completed', response: null }],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'an error with its members in the event',
    events: [text('Ye'), { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.' }],
    ...{ says: 'Ye', ends: 'backend/rate-limited' },
  },
  {
    oddity: 'an error that is an object of its own',
    events: [text('Ye'), { type: 'error', error: { code: 'server_error', message: 'Oh.' } }],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'tools of the service without what they did',
    events: [
      { type: 'response.output_item.added', output_index: 0, item: { type: 'web_search_call' } },
      done({ type: 'web_search_call', id: 'ws_1', status: 'completed', action: null }),
      done({ type: 'code_interpreter_call', id: 'ci_1', code: null, outputs: [null, 'x', {}] }, 1),
      done({ type: 'custom_tool_call', name: 7, input: [] }, 2),
      done({ type: 'mcp_list_tools', tools: null }, 3),
      done(message('Yes.'), 4),
      completed(),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'sources that are none',
    events: [
      { type: 'response.output_text.annotation.added', annotation: null },
      { type: 'response.output_text.annotation.added', annotation: { url: 'javascript:1' } },
      done({
        ...{ type: 'message', id: 'msg_1', role: 'assistant' },
        content: [{ type: 'output_text', text: 'Yes.', annotations: [3, { url: null }] }],
      }),
      completed(),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'the closing mark of the other protocol, CR LF, and events that are no objects',
    lineEnd: '\r\n',
    events: [
      raw(': hello\r\n\r\ndata: null\r\n\r\ndata: 7\r\n\r\ndata: []\r\n\r\n'),
      { type: null },
      { type: 'response.output_item.done', output_index: 'x', item: [] },
      text('Yes.'),
      completed(),
      raw('data: [DONE]\r\n\r\n'),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'one object in place of a stream',
    events: [
      raw(JSON.stringify({ object: 'response', status: 'completed', output: [message('Yes.')] })),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'a refusal beside words',
    events: [
      text('Well. '),
      { type: 'response.refusal.delta', output_index: 1, content_index: 0, delta: 'No.' },
      completed(),
    ],
    ...{ says: 'Well. No.', ends: 'stop' },
  },
];
