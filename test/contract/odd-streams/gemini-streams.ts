import { type Json, type JsonMembers, type OddStream, raw } from './odd-stream';

const chunk = (parts: Json, members: JsonMembers = {}): JsonMembers => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...members }],
});
const say = (text: string): JsonMembers => chunk([{ text }]);
const stop: JsonMembers = { candidates: [{ finishReason: 'STOP' }] };
const end = (finishReason: string): JsonMembers => ({ candidates: [{ finishReason }] });

export const geminiStreams: readonly OddStream[] = [
  {
    oddity: 'candidates without content, content without parts, and parts that are none',
    events: [
      { candidates: [] },
      { candidates: null, usageMetadata: null, promptFeedback: null },
      { candidates: [null] },
      { candidates: [{ content: null }] },
      { candidates: [{ content: { role: 'model' } }] },
      chunk([null, 3, 'x', [], {}]),
      say('Yes.'),
      stop,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'calls without arguments, an id and a name',
    events: [
      chunk([{ functionCall: { name: 'vote' } }, { functionCall: { name: 'vote', args: null } }]),
      chunk([{ functionCall: { name: 'vote', args: [] } }, { functionCall: {} }], {
        finishReason: 'STOP',
      }),
    ],
    calls: [
      ['vote', '{}'],
      ['vote', '{}'],
      ['vote', '{}'],
      ['', '{}'],
    ],
    ends: 'tool-calls',
  },
  {
    oddity: 'two calls with one id',
    events: [
      chunk([
        { functionCall: { id: 'a', name: 'read_file', args: { path: 'a' } } },
        { functionCall: { id: 'a', name: 'read_file', args: { path: 'b' } } },
      ]),
      stop,
    ],
    calls: [
      ['read_file', '{"path":"a"}'],
      ['read_file', '{"path":"b"}'],
    ],
    ends: 'tool-calls',
  },
  {
    oddity: 'signatures on thoughts, words and an empty last part',
    events: [
      chunk([{ text: 'Hm.', thought: true, thoughtSignature: 'a' }]),
      chunk([{ text: 'Yes.', thoughtSignature: 'b' }]),
      chunk([{ text: '', thoughtSignature: 'c' }], { finishReason: 'STOP' }),
    ],
    ...{ thinks: 'Hm.', says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'texts that are no texts',
    events: [chunk([{ text: 3 }, { text: null }, { text: ['x'] }, { text: 'Yes.' }]), stop],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'a part with two contents',
    events: [chunk([{ text: 'Yes.', functionCall: null, inlineData: {} }]), stop],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'counts that are no counts',
    events: [
      { ...say('Yes.'), usageMetadata: { promptTokenCount: 'x', thoughtsTokenCount: -1 } },
      { ...stop, usageMetadata: { promptTokenCount: 3, candidatesTokenCount: null } },
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'a reason to end that nobody knows',
    events: [say('Ye'), end('SUNSET')],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'a call that the model wrote wrongly',
    events: [say('Ye'), end('MALFORMED_FUNCTION_CALL')],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'a prompt that is not answered, without a candidate',
    events: [{ promptFeedback: { blockReason: 'OTHER' } }],
    ...{ ends: 'backend/content-filtered' },
  },
  {
    oddity: 'an answer held back after words and a call',
    events: [
      chunk([{ text: 'Ye' }, { functionCall: { name: 'new_answer', args: { content: 'x' } } }]),
      end('SAFETY'),
    ],
    ...{ says: 'Ye', calls: [], ends: 'backend/content-filtered' },
  },
  {
    oddity: 'code and its results in the wrong order',
    events: [
      chunk([{ codeExecutionResult: { outcome: null, output: 7 } }]),
      chunk([{ executableCode: null }, { executableCode: { code: ['x'] } }]),
      chunk([{ executableCode: { code: 'print(1)' } }]),
      say('Yes.'),
      stop,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'tools of the service of unknown types, and results of nothing',
    events: [
      chunk([{ toolResponse: { id: 'x', toolType: 'TELEPATHY', response: null } }]),
      chunk([{ toolCall: { id: null, toolType: null, args: 'x' } }]),
      say('Yes.'),
      stop,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'sources that are none',
    events: [
      chunk([{ text: 'Yes.' }], {
        groundingMetadata: {
          groundingChunks: [null, { web: null }, { web: { uri: 'javascript:1' } }],
          webSearchQueries: [null, 7, ''],
        },
        citationMetadata: { citations: [null, { uri: 3 }] },
      }),
      stop,
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'two candidates',
    events: [
      {
        candidates: [
          { index: 0, content: { parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' },
          { index: 1, content: { parts: [{ text: 'No.' }] }, finishReason: 'STOP' },
        ],
      },
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'an interruption without a place to go on',
    events: [say('Ye'), end('CONTINUATION')],
    ...{ says: 'Ye', ends: 'backend/bad-response' },
  },
  {
    oddity: 'lines that end in CR LF, comments and names of events',
    lineEnd: '\r\n',
    events: [raw(': hello\r\n\r\nevent: weather\r\n\r\n'), say('Yes.'), stop],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'lines that end in CR',
    lineEnd: '\r',
    events: [say('Yes'), say('.'), stop],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'an error inside the stream',
    events: [say('Ye'), { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Slow.' } }],
    ...{ says: 'Ye', ends: 'backend/rate-limited' },
  },
  {
    oddity: 'one object in place of a stream',
    events: [
      raw(
        JSON.stringify({
          candidates: [{ content: { parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' }],
        }),
      ),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'a list in place of a stream',
    events: [
      raw('[{"candidates":[{"content":{"parts":[{"text":"Y"}]}}]},\n'),
      raw('{"candidates":[{"content":{"parts":[{"text":"es."}]},"finishReason":"STOP"}]}]'),
    ],
    ...{ says: 'Yes.', ends: 'stop' },
  },
  {
    oddity: 'a list in place of a stream, without an end',
    events: [raw('[{"candidates":[{"content":{"parts":[{"text":"Yes."}]}}]}]')],
    ...{ says: 'Yes.', ends: 'backend/network' },
  },
];
