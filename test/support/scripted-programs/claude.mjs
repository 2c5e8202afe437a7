// Speaks like Claude Code over its streams, and does what its script says. As strict as the real one about how it is started
// and spoken to. First argument: the script, JSON: a list of prompts, each a list of steps.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startServer } from './mcp-client.mjs';

const [text = '[]', ...args] = process.argv.slice(2);
if (args.includes('--version') || text === '--version') {
  process.stdout.write('2.1.0 (Claude Code)\n');
  process.exit(0);
}
const prompts = JSON.parse(text);
const options = read(args);
const kept = join(process.env.CLAUDE_CONFIG_DIR ?? '/nowhere', 'sessions');
const waiting = new Map();
let count = 0;
let wake = () => undefined;
let hooks = [];
let isInterrupted = false;

function read(list) {
  const flags = ['-p', '--verbose', '--include-partial-messages', '--replay-user-messages'];
  const withValue = [
    ...['--input-format', '--output-format', '--permission-prompt-tool', '--mcp-config'],
    ...['--setting-sources', '--allowedTools', '--disallowedTools', '--tools', '--model'],
    ...['--permission-mode', '--max-turns', '--resume'],
  ];
  flags.push('--strict-mcp-config', '--allow-dangerously-skip-permissions');
  const found = new Map();
  for (let i = 0; i < list.length; i++) {
    const [, name = list[i], value] = /^(--[A-Za-z-]+)=(.*)$/s.exec(list[i]) ?? [];
    if (withValue.includes(name)) {
      found.set(name, value ?? list[++i]);
    } else if (flags.includes(name)) {
      found.set(name, '');
    } else {
      stop(`error: unknown option '${name}'`);
    }
  }
  for (const name of ['-p', '--verbose', '--strict-mcp-config', '--mcp-config']) {
    if (!found.has(name)) {
      stop(`error: ${name} is missing`);
    }
  }
  return found;
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function write(message) {
  process.stdout.write(`${JSON.stringify({ session_id: session.id, ...message })}\n`);
}

async function control(request) {
  count += 1;
  const id = `own-${count}`;
  write({ type: 'control_request', request_id: id, request });
  return new Promise((resolve) => waiting.set(id, resolve));
}

async function openSession() {
  const { mcpServers } = JSON.parse(readFileSync(options.get('--mcp-config'), 'utf8'));
  const servers = new Map();
  const local = Object.entries(mcpServers).filter(([, { type }]) => type === 'stdio');
  for (const [name, { command, args: list, env }] of local) {
    const pairs = Object.entries(env).map(([key, value]) => ({ name: key, value }));
    servers.set(name, await startServer({ name, command, args: list, env: pairs }));
  }
  mkdirSync(kept, { recursive: true });
  const id = options.get('--resume') ?? `session-${process.pid}`;
  const file = join(kept, id);
  if (options.has('--resume') && !existsSync(file)) {
    stop(`No conversation found with session ID: ${id}`);
  }
  const played = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return { id, servers, file, played, costUsd: 0 };
}

const session = await openSession();

function assistant(content, more = {}) {
  count += 1;
  const message = { id: `msg_${count}`, type: 'message', role: 'assistant', model: 'm', content };
  write({ type: 'assistant', message: { ...message, ...more }, parent_tool_use_id: null });
}

/** As pieces, and then once more as a whole. */
function stream(kind, words) {
  const id = `msg_${count + 1}`;
  const event = (data) => write({ type: 'stream_event', event: data, parent_tool_use_id: null });
  event({ type: 'message_start', message: { id } });
  for (const piece of words.match(/.{1,7}/gsu) ?? []) {
    const delta = { type: `${kind}_delta`, [kind]: piece };
    event({ type: 'content_block_delta', index: 0, delta });
  }
  assistant([{ type: kind, [kind]: words }]);
}

function result(message) {
  const usage = { input_tokens: 30, output_tokens: 9 };
  write({ type: 'result', subtype: 'success', is_error: false, usage, ...message });
}

const steps = {
  say: (words) => stream('text', words),
  sayWhole: (words) => assistant([{ type: 'text', text: words }]),
  think: (words) => stream('thinking', words),
  echo: () =>
    stream('text', session.prompt.map(({ text: words = '[picture]' }) => words).join('\n')),
  where: () => stream('text', JSON.stringify({ args, cwd: process.cwd(), env: process.env })),
  message: write,
  /** Runs nothing; what matters is who is asked. */
  async bash(command) {
    const id = `toolu_${count}`;
    assistant([{ type: 'tool_use', id, name: 'Bash', input: { command } }]);
    const input = { tool_name: 'Bash', tool_input: { command } };
    const [callback] = hooks.filter(({ matcher }) => matcher === 'Bash');
    const request = { subtype: 'hook_callback', callback_id: callback.hookCallbackIds[0], input };
    const { hookSpecificOutput: said } = await control(request);
    toolResult(id, said.permissionDecision, said.permissionDecision !== 'allow');
  },
  async tool([name, input]) {
    const id = `toolu_${count}`;
    assistant([{ type: 'tool_use', id, name, input }]);
    const { behavior, message } = await control({
      subtype: 'can_use_tool',
      tool_name: name,
      input,
    });
    toolResult(id, message ?? behavior, behavior !== 'allow');
  },
  async call([name, input]) {
    const id = `toolu_${count}`;
    assistant([{ type: 'tool_use', id, name: `mcp__massgen__${name}`, input }]);
    const answer = await session.servers.get('massgen').request('tools/call', {
      ...{ name, arguments: input },
    });
    toolResult(id, answer.result.content[0].text, answer.result.isError);
  },
  async slowly(words) {
    const message = { id: 'msg_slow', role: 'assistant', content: [{ type: 'text', text: words }] };
    const line = JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null });
    for (const byte of Buffer.from(`${line}\n`)) {
      await new Promise((resolve) => process.stdout.write(Buffer.of(byte), resolve));
    }
  },
  /** After this prompt it goes on by itself; `isLate`: it says nothing before the next message is there. */
  goOn({ words, isLate = false }) {
    ownWords = { words, isLate };
  },
  async hang() {
    await new Promise((resolve) => {
      wake = resolve;
    });
  },
  raw: (words) => process.stdout.write(words),
  stderr: (words) => process.stderr.write(words),
  async die(code) {
    await new Promise((resolve) => process.stdout.write('', resolve));
    process.exit(code);
  },
};

function toolResult(id, content, isError) {
  const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
  write({ type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null });
}

/** Messages are taken one after the other. */
let busy = Promise.resolve();
let arrive = () => undefined;
let ownWords;

function take(message) {
  arrive();
  busy = busy.then(async () => {
    await play(message);
    if (ownWords !== undefined) {
      await ownTurn();
    }
  });
}

/** A turn that nobody asked for, which lasts until the next message is there. */
async function ownTurn() {
  const { words, isLate } = ownWords;
  ownWords = undefined;
  write({ type: 'system', subtype: 'init', tools: [] });
  const next = new Promise((resolve) => {
    arrive = resolve;
  });
  if (!isLate) {
    stream('text', words);
  }
  await next;
  stream('text', words);
  result({ origin: { kind: 'task-notification' }, total_cost_usd: 0.25 });
}

async function play({ uuid, message: { content } }) {
  const isRight = ({ type, text: words, source }) =>
    type === 'text' ? typeof words === 'string' && words !== '' : source?.type === 'base64';
  if (!Array.isArray(content) || !content.every(isRight)) {
    stop(`this is no message: ${JSON.stringify(content)}`);
  }
  session.prompt = content;
  isInterrupted = false;
  session.played += 1;
  writeFileSync(session.file, String(session.played));
  write({ type: 'system', subtype: 'init', tools: [] });
  if (options.has('--replay-user-messages')) {
    write({ type: 'user', isReplay: true, uuid, message: { role: 'user', content } });
  }
  let end = {};
  for (const step of prompts[session.played - 1] ?? []) {
    const [[name, value]] = Object.entries(step);
    if (name === 'end') {
      end = value;
    } else {
      await steps[name](value);
    }
    if (isInterrupted) {
      result({ subtype: 'error_during_execution', is_error: true });
      return;
    }
  }
  result(end);
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line);
    switch (message.type) {
      case 'user':
        take(message);
        return;
      case 'control_response':
        waiting.get(message.response.request_id)?.(message.response.response);
        return;
      case 'control_request': {
        hooks = message.request.hooks?.PreToolUse ?? hooks;
        if (message.request.subtype === 'interrupt') {
          isInterrupted = true;
          wake();
        }
        const response = { subtype: 'success', request_id: message.request_id, response: {} };
        write({ type: 'control_response', response });
        return;
      }
      default:
        stop(`a message of no known type: ${line}`);
    }
  })
  .on('close', () => process.exit(0));
