import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Bridge } from '../../../../src/backends/agents/bridge/bridge';
import { removeLeftBridges } from '../../../../src/backends/agents/bridge/left-bridges';
import { fill, tempFolder } from '../../workspace/temp-project';
import { workflowTools } from './acp-bench';

async function started(): Promise<Bridge> {
  const bridge = await Bridge.start();
  onTestFinished(async () => bridge.close());
  return bridge;
}

/** What comes back on the socket until it is closed or one whole line has come. */
async function answerTo(bridge: Bridge, lines: readonly string[]): Promise<string> {
  const socket = connect(bridge.socketPath);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(lines.map((line) => `${line}\n`).join(''));
  let text = '';
  for await (const bytes of socket) {
    text += String(bytes);
    if (text.includes('\n')) {
      break;
    }
  }
  socket.destroy();
  return text;
}

const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

describe('the way of a program to the workflow tools', () => {
  test('is open to this user alone, and to whoever knows the token', async () => {
    const bridge = await started();
    bridge.offer(workflowTools);
    const token = readFileSync(bridge.tokenPath, 'utf8').trim();
    expect(statSync(dirname(bridge.socketPath)).mode & 0o077).toBe(0);
    expect(statSync(bridge.tokenPath).mode & 0o077).toBe(0);
    for (const wrong of ['', `${token}0`, token.slice(1), '{}']) {
      expect(await answerTo(bridge, [wrong === '' ? list : wrong, list])).toBe('');
    }
    expect(await answerTo(bridge, [token, list])).toContain('"new_answer"');
  });

  test('runs through a program that knows nothing but the two paths', async () => {
    const bridge = await started();
    bridge.offer(workflowTools);
    const { command, args, environment } = bridge.command;
    expect([command, ...args].join(' ')).not.toContain('$');
    const child = spawn(command, args, { env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.write(`not json\n${list}\n{"jsonrpc":"2.0","id":2,"method":"no/such"}\n`);
    let text = '';
    child.stdout.on('data', (bytes: Buffer) => (text += String(bytes)));
    await expect.poll(() => text.split('\n').length).toBe(3);
    const [tools, unknown] = text.trim().split('\n');
    expect(tools).toContain('"vote"');
    expect(unknown).toContain('-32601');
    bridge.offer(workflowTools.slice(1));
    await expect.poll(() => text).toContain('notifications/tools/list_changed');
    const ended = once(child, 'exit');
    await bridge.close();
    expect(await ended).toEqual([0, null]);
    expect(existsSync(bridge.socketPath)).toBe(false);
  });

  test('of a process that was killed is removed with the next one, and no other is', async () => {
    const place = tempFolder();
    const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    fill(place, {
      'massgen-bridge-left/servers.json': '{"key":1}',
      'massgen-bridge-new/token': 'being made',
      'other-left/token': 'not ours',
    });
    for (const name of ['massgen-bridge-left', 'other-left']) {
      spawnSync(process.execPath, ['-e', script, join(place, name, 'socket')]);
    }
    const live = createServer();
    onTestFinished(() => void live.close());
    fill(place, { 'massgen-bridge-live/token': 't' });
    await once(live.listen(join(place, 'massgen-bridge-live/socket')), 'listening');
    await removeLeftBridges(place);
    expect(readdirSync(place).sort()).toEqual([
      ...['massgen-bridge-live', 'massgen-bridge-new', 'other-left'],
    ]);
  });

  test('takes calls only while a prompt goes on, and not without end', async () => {
    const { desk } = await started();
    expect(desk.call('vote', '{}').isError).toBe(true);
    desk.open(workflowTools);
    const answers = Array.from({ length: 20 }, () => desk.call('vote', '{}').isError);
    expect(answers.filter((isError) => !isError)).toHaveLength(16);
    expect(desk.close()).toHaveLength(16);
    expect(desk.close()).toEqual([]);
    expect(desk.call('vote', '{}').text).toContain('No turn of yours');
  });
});
