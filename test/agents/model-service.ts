// A service on this machine that speaks the three protocols that agent programs use, just as much of each as they need. What
// a model says is fixed by how many results it has been given: it makes a file, hands in, and says that it is done.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { asArray, asObject, asText } from '../../src/backends/wire/json-reading';

type Json = Readonly<Record<string, unknown>>;

export interface ModelService {
  readonly url: string;
  /** `host:port`. */
  readonly host: string;
  /** Paths that were asked for, in order. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

/** What the model calls after the command, and with what. */
export interface Wish {
  readonly tool: string;
  readonly input: Json;
}

interface Move {
  readonly call?: { readonly name: string; readonly namespace?: string; readonly input: Json };
  readonly text?: string;
}

export const command = 'echo made > made.txt';

export async function startModelService(wishes: readonly Wish[]): Promise<ModelService> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(request, response, wishes).catch(() => response.destroy());
  });
  // Programs that would rather keep a connection open go on without.
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    ...{ url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, paths },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  wishes: readonly Wish[],
): Promise<void> {
  let text = '';
  for await (const piece of request) {
    text += String(piece);
  }
  const body = asObject(text === '' ? {} : JSON.parse(text)) ?? {};
  const path = request.url ?? '';
  if (/count_?tokens/i.test(path)) {
    sendJson(response, { input_tokens: 10, totalTokens: 10 });
  } else if (path.startsWith('/v1/messages')) {
    answerMessages(body, response, wishes);
  } else if (path.startsWith('/v1/responses')) {
    answerResponses(body, response, wishes);
  } else if (path.includes('enerateContent')) {
    answerGemini(body, response, { wishes, isStream: path.includes('stream') });
  } else {
    response.writeHead(404).end('{}');
  }
}

/** `said`: the conversation so far, the newest last. */
function moveOf(said: readonly unknown[], wishes: readonly Wish[], names: readonly string[]): Move {
  const shell = names.find((name) => /^(Bash|run_shell_command|shell|exec_command)$/.test(name));
  if (shell === undefined) {
    return { text: 'A title.' };
  }
  if (resultsIn(said) === 0) {
    const input = { command, cmd: command, description: 'Makes a file.' };
    return { call: { name: shell, input } };
  }
  // What was handed in ends the turn; the next message asks for what comes then.
  const wish = countOf(said.slice(-1), recorded) > 0 ? undefined : wishes[countOf(said, recorded)];
  const name = names.find((each) => each.endsWith(wish?.tool ?? '?'));
  return wish === undefined || name === undefined
    ? { text: 'Done.' }
    : { call: { name, input: wish.input } };
}

const recorded = 'Recorded. End your turn now.';

/** In the words of each of the protocols. */
function resultsIn(said: readonly unknown[]): number {
  const marks = ['"type":"tool_result"', '"type":"function_call_output"', '"functionResponse"'];
  return marks.reduce((sum, mark) => sum + countOf(said, mark), 0);
}

function answerMessages(body: Json, response: ServerResponse, wishes: readonly Wish[]): void {
  const names = asArray(body['tools']).map((tool) => asText(asObject(tool)?.['name']));
  const said = asArray(body['messages']);
  const results = resultsIn(said);
  const { call, text } = moveOf(said, wishes, names);
  const block =
    call === undefined
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${results}`, name: call.name, input: {} };
  const delta =
    call === undefined
      ? { type: 'text_delta', text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(bashInput(call)) };
  const message = {
    ...{ id: `msg_${results}_${Date.now()}`, type: 'message', role: 'assistant' },
    ...{ model: body['model'], content: [], stop_reason: null, stop_sequence: null },
    usage: { input_tokens: 10, output_tokens: 1 },
  };
  sendEvents(response, [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 9 },
    },
    { type: 'message_stop' },
  ]);
}

/** Claude Code refuses members that it does not know. */
function bashInput({ name, input }: NonNullable<Move['call']>): Json {
  return name === 'Bash' ? { command, description: 'Makes a file.' } : input;
}

function answerResponses(body: Json, response: ServerResponse, wishes: readonly Wish[]): void {
  const tools = asArray(body['tools']).flatMap(toolsIn);
  const said = asArray(body['input']);
  const results = resultsIn(said);
  const move = moveOf(
    said,
    wishes,
    tools.map(({ name }) => name),
  );
  const namespace = tools.find(({ name }) => name === move.call?.name)?.namespace;
  const item =
    move.call === undefined
      ? {
          ...{ type: 'message', id: `msg_${results}`, role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: move.text, annotations: [] }],
        }
      : {
          ...{ type: 'function_call', id: `fc_${results}`, call_id: `call_${results}` },
          ...{ name: move.call.name, arguments: JSON.stringify(move.call.input) },
          ...{ status: 'completed', ...(namespace === undefined ? {} : { namespace }) },
        };
  const made = { id: `resp_${Date.now()}`, object: 'response', model: body['model'] };
  const usage = {
    ...{ input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    ...{ input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens_details: { reasoning_tokens: 0 } },
  };
  sendEvents(response, [
    { type: 'response.created', response: { ...made, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    {
      type: 'response.completed',
      response: { ...made, status: 'completed', output: [item], usage },
    },
  ]);
}

function answerGemini(
  body: Json,
  response: ServerResponse,
  { wishes, isStream }: { readonly wishes: readonly Wish[]; readonly isStream: boolean },
): void {
  const declared = asArray(body['tools']).flatMap((tool) =>
    asArray(asObject(tool)?.['functionDeclarations']),
  );
  const { call, text } = moveOf(asArray(body['contents']), wishes, declared.map(nameOf));
  const part =
    call === undefined ? { text } : { functionCall: { name: call.name, args: geminiInput(call) } };
  const said = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  };
  if (isStream) {
    sendEvents(response, [said]);
  } else {
    sendJson(response, said);
  }
}

interface OfferedTool {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** The tools of a server come together under one name. */
function toolsIn(value: unknown): readonly OfferedTool[] {
  const tool = asObject(value);
  const inner = tool?.['type'] === 'namespace' ? asArray(tool['tools']) : undefined;
  return inner === undefined
    ? [{ name: nameOf(value), namespace: undefined }]
    : inner.map((each) => ({ name: nameOf(each), namespace: nameOf(value) }));
}

function geminiInput({ name, input }: NonNullable<Move['call']>): Json {
  return name === 'run_shell_command' ? { command, description: 'Makes a file.' } : input;
}

function nameOf(value: unknown): string {
  return asText(asObject(value)?.['name']);
}

function countOf(value: unknown, needle: string): number {
  return JSON.stringify(value ?? []).split(needle).length - 1;
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendEvents(response: ServerResponse, events: readonly Json[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const type = asText(event['type']);
    response.write(`${type === '' ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
