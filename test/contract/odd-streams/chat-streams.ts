import { type Json, type JsonMembers, type OddStream, raw } from './odd-stream';

const chunk = (delta: Json, finish: string | null = null): JsonMembers => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'model-x' },
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const say = (content: Json): JsonMembers => chunk({ content });
const calls = (...elements: readonly Json[]): JsonMembers => chunk({ tool_calls: elements });
const stop = chunk({}, 'stop');
const called = chunk({}, 'tool_calls');
const done = raw('data: [DONE]\n\n');

export const chatStreams: readonly OddStream[] = [
  {
    oddity: 'thinking under three names at once',
    events: [
      chunk({
        reasoning_content: 'Hm. ',
        reasoning: 'Hm. ',
        reasoning_details: [{ text: 'Hm. ' }],
      }),
      chunk({ reasoning: 'So.', content: '' }),
      say('Yes.'),
      stop,
      done,
    ],
    ...{ thinks: 'Hm. So.', says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'thinking between tags that are cut anywhere',
    events: [say('\n<th'), say('ink>Hm'), say('. </thi'), say('nk>\n\nYes'), say('.'), stop, done],
    ...{ thinks: 'Hm. ', says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'tags that close what was never opened',
    events: [say('Yes</think>.'), stop, done],
    ...{ says: 'Yes</think>.', ends: 'stop' },
  },
  {
    oddity: 'thinking that is never closed',
    events: [say('<think>Hm.'), stop, done],
    ...{ thinks: 'Hm.', says: '', ends: 'stop' },
  },
  {
    oddity: 'content as a list of pieces, some of them thinking',
    events: [
      say([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]),
      say([
        { type: 'text', text: 'Yes.' },
        { type: 'reference', reference_ids: [1] },
      ]),
      stop,
      done,
    ],
    ...{ thinks: 'Hm.', says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'a call whose name comes in three pieces',
    events: [
      calls({ index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '' } }),
      calls({ index: 0, function: { name: '_fi' } }),
      calls({ index: 0, function: { name: 'le', arguments: '' } }),
      calls({ index: 0, function: { arguments: '{"path":' } }),
      calls({ index: 0, function: { arguments: '"a.js"}' } }),
      called,
      done,
    ],
    ...{ calls: [['read_file', '{"path":"a.js"}']], ends: 'tool-calls' },
  },
  {
    oddity: 'a name that comes again with every piece, without index, type and id',
    events: [
      calls({ function: { name: 'read_file', arguments: '{"path":' } }),
      calls({ function: { name: 'read_file', arguments: '"a.js"}' } }),
      called,
      done,
    ],
    ...{ calls: [['read_file', '{"path":"a.js"}']], ends: 'tool-calls' },
  },
  {
    oddity: 'a name that comes after the arguments',
    events: [
      calls({ index: 0, id: 'a', function: { arguments: '{"path":"a.js"}' } }),
      calls({ index: 0, function: { name: 'read_file' } }),
      called,
      done,
    ],
    ...{ calls: [['read_file', '{"path":"a.js"}']], ends: 'tool-calls' },
  },
  {
    oddity: 'every call under index 0',
    events: [
      calls({ index: 0, id: 'a', function: { name: 'read_file', arguments: '{"path":"a.js"}' } }),
      calls({ index: 0, id: 'b', function: { name: 'vote', arguments: '{}' } }),
      called,
      done,
    ],
    calls: [
      ['read_file', '{"path":"a.js"}'],
      ['vote', '{}'],
    ],
    ends: 'tool-calls',
  },
  {
    oddity: 'calls without arguments, index and id',
    events: [
      calls({ function: { name: 'list_directory', arguments: '{}' } }),
      calls({ function: { name: 'vote', arguments: '{}' } }),
      called,
      done,
    ],
    calls: [
      ['list_directory', '{}'],
      ['vote', '{}'],
    ],
    ends: 'tool-calls',
  },
  {
    oddity: 'two whole calls under one id, without an index',
    events: [
      calls({ id: 'a', function: { name: 'read_file', arguments: '{"path":"a.js"}' } }),
      calls({ id: 'a', function: { name: 'read_file', arguments: '{"path":"b.js"}' } }),
      called,
      done,
    ],
    calls: [
      ['read_file', '{"path":"a.js"}'],
      ['read_file', '{"path":"b.js"}'],
    ],
    ends: 'tool-calls',
  },
  {
    oddity: 'ids that are numbers and null, arguments that are an object and null',
    events: [
      calls(
        { index: 0, id: 7, type: null, function: { name: 'read_file', arguments: { path: 'a' } } },
        { index: 1, id: null, function: { name: 'vote', arguments: null } },
      ),
      called,
      done,
    ],
    calls: [
      ['read_file', '{"path":"a"}'],
      ['vote', '{}'],
    ],
    ends: 'tool-calls',
  },
  {
    oddity: 'an empty object before the true arguments',
    events: [
      calls({ index: 0, id: 'a', function: { name: 'read_file', arguments: '{}' } }),
      calls({ index: 0, id: 'a', function: { name: 'read_file', arguments: '{"path":' } }),
      calls({ index: 0, id: 'a', function: { arguments: '"a.js"}' } }),
      called,
      done,
    ],
    ...{ calls: [['read_file', '{"path":"a.js"}']], ends: 'tool-calls' },
  },
  {
    oddity: 'an empty object before true arguments that the limit cuts off',
    events: [
      calls({ index: 0, id: 'a', function: { name: 'vote', arguments: '{"x":1}' } }),
      calls({ index: 1, id: 'b', function: { name: 'new_answer', arguments: '{}' } }),
      chunk({}, 'length'),
      done,
    ],
    ...{ calls: [['vote', '{"x":1}']], ends: 'length' },
  },
  {
    oddity: 'calls although it just stopped, and elements that are no calls',
    events: [
      calls(null, 3, 'x', [], { index: 0, id: 'a', function: { name: 'vote', arguments: '' } }),
      calls({ index: 0, function: null }),
      stop,
      done,
    ],
    ...{ calls: [['vote', '{}']], ends: 'tool-calls' },
  },
  {
    oddity: 'two reasons to end, the true one first',
    events: [say('Ye'), chunk({}, 'length'), chunk({ content: null }, 'stop'), done],
    ...{ says: 'Ye', ends: 'length' },
  },
  {
    oddity: 'the usage in places of its own, and no closing mark',
    events: [
      { ...say('Yes.'), x_groq: { id: 'r', usage: { prompt_tokens: 3, completion_tokens: 1 } } },
      { ...stop, usage: { prompt_tokens: '3', completion_tokens: -1, details: null } },
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'null wherever something could be',
    events: [
      { id: null, choices: null, usage: null, error: null },
      { choices: [null] },
      { choices: [{ delta: null, finish_reason: null, error: null }] },
      chunk({ role: null, content: null, tool_calls: null, refusal: null, reasoning: null }),
      say('Yes.'),
      stop,
      done,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'lines that end in CR LF, comments, names of events and no space after the colon',
    lineEnd: '\r\n',
    events: [
      raw(
        ': PROCESSING\r\n\r\nevent: completion\r\ndata:{"choices":[]}\r\n\r\nid: 3\r\nretry: 9\r\n\r\n',
      ),
      say('Yes.'),
      stop,
      raw('data:[DONE]\r\n\r\n'),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'lines that end in CR',
    lineEnd: '\r',
    events: [say('Yes'), say('.'), stop],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'events of other shapes, one over several lines',
    events: [
      raw('data: null\n\ndata: 7\n\ndata: "text"\n\ndata: []\n\n'),
      raw('data: {"choices":\ndata: [{"delta":{"content":"Yes."}}]}\n\n'),
      stop,
      done,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'one object in place of a stream, printed over several lines',
    events: [
      raw(
        JSON.stringify(
          {
            choices: [
              {
                message: {
                  ...{ role: 'assistant', content: 'Yes.' },
                  tool_calls: [
                    { id: 'a', type: 'function', function: { name: 'vote', arguments: '{}' } },
                  ],
                },
                finish_reason: 'tool_calls',
              },
            ],
          },
          undefined,
          2,
        ),
      ),
    ],
    ...{ says: 'Yes.', calls: [['vote', '{}']], ends: 'tool-calls' },
  },
  {
    oddity: 'a first event about filters, and members that nobody knows',
    events: [
      { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      chunk({ content: 'Yes.', mood: { level: 3 }, audio: null, function_call: null }),
      stop,
      done,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'an error with a number for a code inside the stream',
    events: [say('Ye'), { error: { code: 429, message: 'Slow down.' } }, done],
    ...{ says: 'Ye', ends: 'backend/rate-limited' },
  },
  {
    oddity: 'an error inside of a choice',
    events: [
      say('Ye'),
      { choices: [{ delta: {}, finish_reason: 'error', error: { code: 502, message: 'Gone.' } }] },
    ],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'an end without a reason',
    events: [say('Yes.'), done],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'neither a reason nor a word that it is over',
    events: [say('Ye')],
    ...{ says: 'Ye', ends: 'backend/network' },
  },
  {
    oddity: 'calls without a reason for the end',
    events: [
      say('I look.'),
      calls({ index: 0, id: 'a', function: { name: 'read_file', arguments: '{"path":"a.js"}' } }),
      calls({ index: 1, id: 'b', function: { name: 'get_time' } }),
      done,
    ],
    says: 'I look.',
    calls: [
      ['read_file', '{"path":"a.js"}'],
      ['get_time', '{}'],
    ],
    ends: 'tool-calls',
  },
  {
    oddity: 'an end without a reason in the middle of a call',
    events: [
      say('I look.'),
      calls({ index: 0, id: 'a', function: { name: 'read_file', arguments: '{"path":"a' } }),
      done,
    ],
    ...{ says: 'I look.', ends: 'backend/network' },
  },
  {
    oddity: 'an end without a reason after thoughts alone',
    events: [chunk({ reasoning_content: 'Hm.' }), done],
    ...{ thinks: 'Hm.', says: '', ends: 'backend/network' },
  },
  {
    oddity: 'an error in the name of an event alone',
    events: [say('Ye'), raw('event: error\ndata: {"message":"Gone."}\n\n'), done],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'an error that is a sentence',
    events: [say('Ye'), { error: 'Gone.' }, done],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'words of a refusal',
    events: [chunk({ refusal: 'No' }), chunk({ refusal: '.' }), stop, done],
    ...{ says: 'No.', ends: 'stop' },
  },
];
