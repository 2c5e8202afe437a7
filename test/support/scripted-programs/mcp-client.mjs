// The part of the scripted agents that starts a server of tools and speaks to it, as strictly as real programs do.
import { spawn } from 'node:child_process';

/** `server`: command, args, env as name and value. Rejects when it does not answer as it must. */
export async function startServer({ name, command, args, env }) {
  const variables = Object.fromEntries(env.map((pair) => [pair.name, pair.value]));
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
  });
  const waiting = new Map();
  let text = '';
  let count = 0;
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (piece) => {
    text += piece;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.jsonrpc !== '2.0') {
        throw new Error(`${name} does not speak JSON-RPC: ${line}`);
      }
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  const gone = new Promise((_resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ${name} ended with ${code}`)));
  });
  gone.catch(() => undefined);
  const write = (message) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const request = async (method, params) => {
    count += 1;
    const id = count;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    write({ id, method, params });
    return Promise.race([answer, gone]);
  };
  const hello = await request('initialize', {
    ...{ protocolVersion: '2025-06-18', capabilities: {} },
    clientInfo: { name: 'scripted', version: '1' },
  });
  if (hello.result?.serverInfo === undefined || hello.result.capabilities.tools === undefined) {
    throw new Error(`the server ${name} has no tools: ${JSON.stringify(hello)}`);
  }
  write({ method: 'notifications/initialized' });
  return { request };
}
