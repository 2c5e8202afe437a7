// Speaks like Codex over its output, and does what its script says. As strict as the real one about how it is started. First
// argument: the script, JSON: a list of prompts, each a list of steps.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { startServer } from './mcp-client.mjs';

const [text = '[]', ...args] = process.argv.slice(2);
if (args.includes('--version') || text === '--version') {
  process.stdout.write('codex-cli 0.171.0\n');
  process.exit(0);
}
const prompts = JSON.parse(text);
const { options, rest } = read(args);
const home = process.env.CODEX_HOME ?? '/nowhere';
const sessions = join(home, 'sessions');
const config = settings();
let count = 0;

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function read(list) {
  const flags = ['--json', '--skip-git-repo-check'];
  const withValue = ['--cd', '--sandbox', '--model'];
  const found = { options: new Map(), rest: [] };
  for (let i = 0; i < list.length; i++) {
    const name = list[i];
    if (withValue.includes(name)) {
      found.options.set(name, list[++i]);
    } else if (flags.includes(name)) {
      found.options.set(name, '');
    } else if (name !== '-' && name.startsWith('-')) {
      stop(`error: unexpected argument '${name}' found`);
    } else {
      found.rest.push(name);
    }
  }
  return found;
}

/** One setting in each line, as far as this program needs it. Whoever else could read the file would read keys. */
function settings() {
  const path = join(home, 'config.toml');
  if ((lstatSync(path).mode & 0o777) !== 0o600) {
    stop(`${path} can be read by others`);
  }
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => (/^(\S+) = (.*)$/.exec(line) ?? stop(line)).slice(1)));
}

function write(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function item(type, members, isDone = true) {
  const event = isDone ? 'item.completed' : 'item.started';
  write({ type: event, item: { id: `item_${count}`, type, ...members } });
  count += isDone ? 1 : 0;
}

/** A table in one line, of texts alone. */
function tableOf(toml) {
  const pairs = [...toml.matchAll(/("(?:[^"\\]|\\.)*") = ("(?:[^"\\]|\\.)*")/g)];
  return pairs.map(([, name, value]) => ({ name: JSON.parse(name), value: JSON.parse(value) }));
}

async function serverNamed(name) {
  const at = (key) => config.get(`mcp_servers.${name}.${key}`);
  return startServer({
    ...{ name, command: JSON.parse(at('command')), args: JSON.parse(at('args')) },
    env: tableOf(at('env') ?? ''),
  });
}

async function readInput() {
  let words = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    words += piece;
  }
  return words;
}

const steps = {
  say: (words) => item('agent_message', { text: words }),
  think: (words) => item('reasoning', { text: words }),
  echo: (_value, prompt) => item('agent_message', { text: prompt }),
  where: () =>
    item('agent_message', { text: JSON.stringify({ args, key: process.env.CODEX_API_KEY }) }),
  settings: () => item('agent_message', { text: readFileSync(join(home, 'config.toml'), 'utf8') }),
  note: (message) => item('error', { message }),
  item: ([type, members]) => item(type, members),
  command([command, exitCode]) {
    item('command_execution', { command, status: 'in_progress', exit_code: null }, false);
    const status = exitCode === 0 ? 'completed' : 'failed';
    item('command_execution', { command, status, exit_code: exitCode, aggregated_output: 'out' });
  },
  async call([name, input], _prompt, servers) {
    servers.massgen ??= await serverNamed('massgen');
    const members = { server: 'massgen', tool: name, arguments: input };
    item('mcp_tool_call', { ...members, status: 'in_progress' }, false);
    await servers.massgen.request('tools/call', { name, arguments: input });
    item('mcp_tool_call', { ...members, status: 'completed' });
  },
  async list(name) {
    const { result } = await (await serverNamed(name)).request('tools/list', {});
    item('agent_message', { text: result.tools.map((tool) => tool.name).join(' ') });
  },
  async slowly(words) {
    const line = JSON.stringify({
      ...{ type: 'item.completed', item: { id: 'slow', type: 'agent_message', text: words } },
    });
    for (const byte of Buffer.from(`${line}\n`)) {
      await new Promise((resolve) => process.stdout.write(Buffer.of(byte), resolve));
    }
  },
  hang: async () => new Promise(() => setInterval(() => undefined, 1000)),
  /** Puts a link to another file in the place of its settings. */
  link(target) {
    rmSync(join(home, 'config.toml'));
    symlinkSync(target, join(home, 'config.toml'));
  },
  raw: (words) => process.stdout.write(words),
  stderr: (words) => process.stderr.write(words),
  event: write,
  async die(code) {
    await new Promise((resolve) => process.stdout.write('', resolve));
    process.exit(code);
  },
};

async function main() {
  const [command, ...more] = rest;
  const isNew = more.length === 1 && more[0] === '-';
  const resumed =
    more.length === 3 && more[0] === 'resume' && more[2] === '-' ? more[1] : undefined;
  if (command !== 'exec' || (!isNew && resumed === undefined)) {
    stop(`error: unexpected argument '${more.join(' ')}' found`);
  }
  if (options.get('--cd') !== process.cwd()) {
    stop(`${options.get('--cd')} is not where it was started`);
  }
  const prompt = await readInput();
  if (prompt === '') {
    stop('No prompt provided via stdin.');
  }
  mkdirSync(sessions, { recursive: true });
  const id = resumed ?? `thread-${process.pid}`;
  const file = join(sessions, id);
  if (resumed !== undefined && !existsSync(file)) {
    stop(`no rollout found for thread id ${id}`);
  }
  const played = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  writeFileSync(file, String(played + 1));
  write({ type: 'thread.started', thread_id: id });
  write({ type: 'turn.started' });
  const servers = {};
  // Tokens are counted over the whole thread, as the real one does.
  const times = played + 1;
  let usage = { input_tokens: 30 * times, cached_input_tokens: 0, output_tokens: 9 * times };
  for (const step of prompts[played] ?? []) {
    const [[name, value]] = Object.entries(step);
    if (name === 'usage') {
      usage = value;
    } else if (name === 'fail') {
      write({ type: 'turn.failed', error: { message: value } });
      process.exit(1);
    } else {
      await steps[name](value, prompt, servers);
    }
  }
  write({ type: 'turn.completed', usage });
  process.exit(0);
}

await main();
