// Programs that send what no honest one would.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BoundedParts } from '../../../../src/backends/agents/bounded-parts';
import { Bridge } from '../../../../src/backends/agents/bridge/bridge';
import { ClaudeSession } from '../../../../src/backends/agents/claude-code/session';
import { LineProgram } from '../../../../src/backends/agents/line-program';
import { SessionCosts } from '../../../../src/backends/agents/session-costs';
import type { Program } from '../../../../src/core/ports/workspace';
import { never } from '../../workspace/temp-project';
import { workflowTools } from './acp-bench';

/** JSON that can be read, and is too deep to be written again. */
const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

interface BareSocket {
  readonly bridge: Bridge;
  readonly socket: Socket;
  readonly token: string;
}

async function bareSocket(): Promise<BareSocket> {
  const bridge = await Bridge.start();
  onTestFinished(async () => bridge.close());
  bridge.offer(workflowTools);
  const socket = connect(bridge.socketPath);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return { bridge, socket, token: readFileSync(bridge.tokenPath, 'utf8') };
}

interface BridgeSocket {
  readonly bridge: Bridge;
  readonly ask: (line: string) => Promise<string>;
}

async function bridgeSocket(): Promise<BridgeSocket> {
  const { bridge, socket, token } = await bareSocket();
  socket.write(token);
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += String(bytes)));
  return {
    bridge,
    ask: async (line) => {
      const before = text.length;
      socket.write(`${line}\n`);
      await expect.poll(() => text.slice(before)).toContain('\n');
      return text.slice(before);
    },
  };
}

type Listener = (bytes: Uint8Array) => void | Promise<void>;

/** A program that says what the test lets it say. */
class Puppet implements Program {
  heard = '';
  isStopped = false;
  readonly ended: Promise<number | null>;
  readonly input = {
    write: async (bytes: Uint8Array): Promise<void> => {
      this.heard += Buffer.from(bytes).toString('utf8');
    },
    end: (): void => undefined,
  };
  readonly #listeners: Listener[] = [];
  #end: (code: number | null) => void = () => undefined;

  constructor() {
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  onOutput(stream: 'stdout' | 'stderr', listener: Listener): void {
    if (stream === 'stdout') {
      this.#listeners.push(listener);
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.#end(null);
  }

  async say(text: string): Promise<void> {
    for (const listener of this.#listeners) {
      await listener(Buffer.from(text));
    }
  }
}

describe('a hostile program', () => {
  test('gets an error for arguments that are nested without end, and is served on', async () => {
    const { bridge, ask } = await bridgeSocket();
    const call = (input: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vote","arguments":${input}}}`;
    expect(await ask(call(deep))).toContain('"isError":true');
    expect(await ask(call(JSON.stringify({ content: 'x'.repeat(5_000_000) })))).toContain('true');
    expect(await ask(call('{"content":"agent1.1"}'))).toContain('"isError":false');
    expect(bridge.desk.close()).toHaveLength(1);
  });

  test('that reads its answers late gets every one of them', async () => {
    const { socket, token } = await bareSocket();
    socket.pause();
    socket.write(token);
    const list = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`;
    socket.write(list.repeat(20_000));
    let lines = 0;
    socket.on('data', (bytes: Buffer) => (lines += bytes.filter((byte) => byte === 10).length));
    socket.resume();
    await expect.poll(() => lines).toBe(20_000);
  });

  test('is refused what cannot even be shown in a question', async () => {
    const puppet = new Puppet();
    const session = new ClaudeSession({
      facts: { title: 'Claude Code', installHint: '', signInHint: '' },
      ...{ cwd: '/', isConfined: true, servers: [], isResumed: false, refused: [] },
      costs: new SessionCosts(),
    });
    session.runsIn(new LineProgram(puppet, (message) => session.receive(message)));
    const prompt = { text: 'Go.', media: [], approve: async () => true };
    const work = session.prompt(prompt, () => undefined, never);
    const request = `{"subtype":"can_use_tool","tool_name":"WebFetch","input":${deep}}`;
    await puppet.say(`{"type":"control_request","request_id":"r1","request":${request}}\n`);
    await expect.poll(() => puppet.heard).toContain('"request_id":"r1"');
    expect(puppet.heard).toContain('"behavior":"deny"');
    await puppet.say('{"type":"result","subtype":"success","is_error":false}\n');
    expect(await work).toBe('stop');
  });

  test('that writes a line without end is stopped, and nothing of the line is kept', async () => {
    const puppet = new Puppet();
    const lines: unknown[] = [];
    const program = new LineProgram(puppet, (message) => lines.push(message));
    await puppet.say('{"a":1}\n');
    for (let i = 0; i < 40; i++) {
      await puppet.say('x'.repeat(1024 * 1024));
    }
    expect(puppet.isStopped).toBe(true);
    await puppet.say('\n{"a":2}\n');
    await program.ended;
    expect(lines).toEqual([{ a: 1 }]);
    expect(program.lastWords).toBe('It wrote a line without end.');
  });

  test('shows only so much of what it does in one turn', () => {
    const bounds = new BoundedParts('Agent');
    const use = { tool: 'x'.repeat(1000), subject: '', status: 'done' } as const;
    const shown = Array.from({ length: 6_000 }, (_unused, i) =>
      bounds.take({ type: 'hosted-tool', id: String(i), ...use }),
    ).flat();
    expect(shown).toHaveLength(5_001);
    expect(shown.at(-1)).toMatchObject({ type: 'notice', code: 'program-tools' });
    expect(JSON.stringify(shown[0]).length).toBeLessThan(400);
    const piece = { type: 'text-delta', text: 'x'.repeat(1024 * 1024) } as const;
    const flood = (): unknown => Array.from({ length: 17 }, () => bounds.take(piece));
    expect(flood).toThrow('Agent writes without end');
  });
});
