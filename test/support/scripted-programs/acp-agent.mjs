// An agent program that speaks the Agent Client Protocol and does what its script says. It is as strict as a real one: whoever
// breaks the protocol gets an error, or sees it end. Arguments: the script, JSON: a list of prompts, each a list of steps.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { startServer } from './mcp-client.mjs';

if (process.argv.includes('--version')) {
  process.stdout.write('scripted 1.0.0\n');
  process.exit(0);
}
const {
  prompts,
  canLoad = true,
  protocolVersion = 1,
  mustSignIn = false,
  /** How it names itself. */
  agentInfo,
  /** It never answers. */
  isMute = false,
} = JSON.parse(process.argv.at(-1) ?? '{}');
/** Only there when the program was given a folder of its own. */
const kept = join(process.env.HOME ?? '/nowhere', '.scripted');

let isReady = false;
const isSignedIn = !mustSignIn;
let nextId = 0;
let session;
const waiting = new Map();

class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

function write(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function update(content) {
  write({ method: 'session/update', params: { sessionId: session.id, update: content } });
}

async function ask(method, params) {
  nextId += 1;
  const id = nextId;
  write({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function check(isRight, message) {
  if (!isRight) {
    throw new Refusal(-32602, message);
  }
}

async function openSession({ cwd, mcpServers }, id) {
  check(isReady, 'initialize comes first');
  if (!isSignedIn) {
    throw new Refusal(-32000, 'Authentication required');
  }
  check(typeof cwd === 'string' && isAbsolute(cwd), 'cwd must be absolute');
  check(cwd === process.cwd(), `${cwd} is not where it was started: ${process.cwd()}`);
  check(Array.isArray(mcpServers), 'mcpServers must be a list');
  const servers = new Map();
  for (const server of mcpServers) {
    check(typeof server.name === 'string', 'a server needs a name');
    if (server.type === undefined) {
      const isPair = (pair) => typeof pair.name === 'string' && typeof pair.value === 'string';
      check(Array.isArray(server.args) && Array.isArray(server.env), 'args and env are lists');
      check(server.env.every(isPair), 'env holds names and values');
      servers.set(server.name, await startServer(server));
    }
  }
  session = { id, servers, played: 0, isBusy: false, isCancelled: false, wake: () => undefined };
}

const handlers = {
  initialize(params) {
    check(!isReady, 'initialize comes once');
    check(params.protocolVersion === 1, 'a client must say which version it speaks');
    check(typeof params.clientCapabilities === 'object', 'a client must say what it can do');
    isReady = true;
    return {
      protocolVersion,
      authMethods: [],
      ...(agentInfo === undefined ? {} : { agentInfo }),
      agentCapabilities: { loadSession: canLoad, promptCapabilities: { image: true } },
    };
  },
  async 'session/new'(params) {
    await openSession(params, `session-${process.pid}-${Date.now()}`);
    return { sessionId: session.id };
  },
  async 'session/load'({ sessionId, ...params }) {
    check(canLoad, 'sessions cannot be loaded');
    check(existsSync(join(kept, sessionId)), `there is no session ${sessionId}`);
    await openSession(params, sessionId);
    session.played = Number(readFileSync(join(kept, sessionId), 'utf8'));
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'old words' } });
    return {};
  },
  async 'session/prompt'({ sessionId, prompt }) {
    check(session !== undefined && session.id === sessionId, `there is no session ${sessionId}`);
    check(!session.isBusy, 'one prompt at a time');
    check(Array.isArray(prompt) && prompt.length > 0, 'a prompt is a list of blocks');
    check(prompt.every(isBlock), 'a block is text or a picture');
    session.isBusy = true;
    session.isCancelled = false;
    session.prompt = prompt;
    session.played += 1;
    if (existsSync(kept)) {
      writeFileSync(join(kept, session.id), String(session.played));
    }
    try {
      return await play(prompts[session.played - 1] ?? []);
    } finally {
      session.isBusy = false;
    }
  },
};

function isBlock({ type, text, data, mimeType }) {
  return type === 'text'
    ? typeof text === 'string' && text !== ''
    : type === 'image' && typeof data === 'string' && /^image\//.test(mimeType);
}

function say(text) {
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
}

/** Each step is an object with one member. */
const steps = {
  say,
  think: (text) =>
    update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }),
  /** Says again what it was told. */
  echo: () => say(session.prompt.map(({ text = '[picture]' }) => text).join('\n')),
  tool: (call) => update({ sessionUpdate: 'tool_call', ...call }),
  toolUpdate: (call) => update({ sessionUpdate: 'tool_call_update', ...call }),
  update,
  write([given, text]) {
    const path = given.replace(/^~(?=\/)/, process.env.HOME ?? '~');
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  },
  writeBytes: ([path, base64]) => writeFileSync(path, Buffer.from(base64, 'base64')),
  chmod: ([path, mode]) => chmodSync(path, mode),
  rename: ([from, to]) => renameSync(from, to),
  remove: (path) => rmSync(path),
  async permission({ toolCall, options }) {
    const usual = ['reject_once', 'allow_always', 'allow_once', 'reject_always'];
    const { outcome } = await ask('session/request_permission', {
      sessionId: session.id,
      toolCall,
      // Names mislead on purpose: what counts is the kind.
      options: (options ?? usual).map((kind, i) => ({ optionId: `o${i}`, kind, name: 'Allow' })),
    });
    const chosen = (options ?? usual)[Number(outcome.optionId?.slice(1))];
    say(`[${outcome.outcome === 'selected' ? chosen : outcome.outcome}]`);
  },
  async call([name, input]) {
    const { result } = await session.servers.get('massgen').request('tools/call', {
      ...{ name, arguments: input },
    });
    say(`[${result.isError ? 'refused' : 'taken'}: ${result.content[0].text}]`);
  },
  async quietCall([name, input]) {
    await session.servers.get('massgen').request('tools/call', { name, arguments: input });
  },
  async list(server) {
    const { result } = await session.servers.get(server).request('tools/list', {});
    say(`[${result.tools.map(({ name }) => name).join(' ')}]`);
  },
  fork: (seconds) => spawn('sleep', [String(seconds)], { detached: true, stdio: 'ignore' }).unref(),
  async hang() {
    await new Promise((resolve) => {
      session.wake = resolve;
    });
  },
  async ignoreCancel() {
    await new Promise(() => setInterval(() => undefined, 1000));
  },
  /** Says it byte by byte. */
  async slowly(text) {
    const content = { type: 'text', text };
    const params = {
      sessionId: session.id,
      update: { sessionUpdate: 'agent_message_chunk', content },
    };
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params });
    for (const byte of Buffer.from(`${line}\n`)) {
      await new Promise((resolve) => process.stdout.write(Buffer.of(byte), resolve));
    }
  },
  raw: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  fail({ code, message, data }) {
    const refusal = new Refusal(code, message);
    refusal.data = data;
    throw refusal;
  },
  /** Whether a file holds a text decides how it goes on. */
  async either([path, text, then, otherwise]) {
    const holds = existsSync(path) && readFileSync(path, 'utf8') === text;
    for (const step of holds ? then : otherwise) {
      const [[name, value]] = Object.entries(step);
      await steps[name](value);
    }
  },
  /** Ends when this prompt has ended. */
  dieAfter: (code) => void setTimeout(() => process.exit(code), 0),
  async die(code) {
    await new Promise((resolve) => process.stdout.write('', resolve));
    process.exit(code);
  },
};

async function play(script) {
  let answer = { stopReason: 'end_turn' };
  for (const step of script) {
    if (session.isCancelled) {
      return { stopReason: 'cancelled' };
    }
    const [[name, value]] = Object.entries(step);
    if (name === 'end') {
      answer = { ...answer, ...value };
    } else {
      await steps[name](value);
    }
  }
  return session.isCancelled ? { stopReason: 'cancelled' } : answer;
}

async function take(message) {
  if (isMute) {
    return;
  }
  const { id, method, params } = message;
  if (method === undefined) {
    waiting.get(id)?.(
      message.result ?? { outcome: { outcome: `error ${message.error?.message}` } },
    );
    waiting.delete(id);
    return;
  }
  if (method === 'session/cancel') {
    session.isCancelled = true;
    session.wake();
    return;
  }
  if (id === undefined) {
    return;
  }
  try {
    const handler = handlers[method];
    if (handler === undefined) {
      throw new Refusal(-32601, `${method} is not known`);
    }
    write({ id, result: await handler(params) });
  } catch (error) {
    const { code = -32603, message: words, data } = error;
    write({ id, error: { code, message: words, ...(data === undefined ? {} : { data }) } });
  }
}

let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (piece) => {
  text += piece;
  const lines = text.split('\n');
  text = lines.pop() ?? '';
  for (const line of lines.filter((each) => each !== '')) {
    void take(JSON.parse(line));
  }
});
process.stdin.on('end', () => process.exit(0));
