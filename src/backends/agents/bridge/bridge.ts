// The way of a program to the workflow tools: a socket in a private folder, which asks for a token.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolSpec } from '../../../core/ports/model-backend';
import { LineSplitter } from '../line-splitter';
import { bridgeSource } from './bridge-source';
import { folderPrefix, removeLeftBridges } from './left-bridges';
import { answerTo, toolsChanged } from './mcp-answers';
import { ToolDesk } from './tool-desk';

/** How a program starts the server of the workflow tools. */
export interface BridgeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** An agent and the programs that it starts itself connect a few times at most. */
const mostConnections = 16;

export class Bridge {
  readonly desk = new ToolDesk();
  readonly #folder: string;
  readonly #server: Server;
  readonly #token: string;
  readonly #open = new Set<Socket>();

  private constructor(folder: string, server: Server, token: string) {
    this.#folder = folder;
    this.#server = server;
    this.#token = token;
    server.maxConnections = mostConnections;
    server.on('connection', (socket) => this.#serve(socket));
  }

  static async start(): Promise<Bridge> {
    await removeLeftBridges(tmpdir());
    const folder = await mkdtemp(join(tmpdir(), folderPrefix));
    const server = createServer();
    const token = randomBytes(32).toString('hex');
    try {
      await writeFile(join(folder, 'token'), `${token}\n`, { mode: 0o600 });
      const listening = once(server, 'listening');
      // Under its name only once somebody listens: one that is bound and does not listen yet looks like one that was left.
      server.listen(join(folder, 'new'));
      await listening;
      await rename(join(folder, 'new'), join(folder, 'socket'));
      return new Bridge(folder, server, token);
    } catch (error) {
      server.close();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get socketPath(): string {
    return join(this.#folder, 'socket');
  }

  /** For `readable` of a program. */
  get tokenPath(): string {
    return join(this.#folder, 'token');
  }

  get command(): BridgeCommand {
    return {
      command: process.execPath,
      args: ['-e', bridgeSource, '--', this.socketPath, this.tokenPath],
      // Inside of an editor the program that runs this is the editor, which is Node when it is told so.
      environment: { ELECTRON_RUN_AS_NODE: '1' },
    };
  }

  /** Keeps a file for the program beside the socket, readable by this user alone; answers its path. */
  async keep(name: string, text: string): Promise<string> {
    const path = join(this.#folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  }

  /** A prompt begins: these tools can be called. */
  offer(tools: readonly ToolSpec[]): void {
    const isNew = JSON.stringify(tools) !== JSON.stringify(this.desk.offered);
    this.desk.open(tools);
    if (isNew) {
      this.#open.forEach((socket) => socket.write(`${JSON.stringify(toolsChanged)}\n`));
    }
  }

  /** Ends all connections and removes the folder. Idempotent. */
  async close(): Promise<void> {
    this.#server.close();
    this.#open.forEach((socket) => socket.destroy());
    await rm(this.#folder, { recursive: true, force: true });
  }

  #serve(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    let isKnown = false;
    const lines = new LineSplitter((line) => {
      if (isKnown) {
        this.#answer(socket, line);
      } else if (isSame(line, this.#token)) {
        isKnown = true;
        this.#open.add(socket);
        socket.once('close', () => this.#open.delete(socket));
      } else {
        socket.destroy();
      }
    });
    socket.on('data', (bytes: Buffer) => {
      if (!lines.take(bytes)) {
        socket.destroy();
      }
    });
  }

  #answer(socket: Socket, line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    const answer = answerTo(message, this.desk);
    if (answer === undefined || socket.destroyed) {
      return;
    }
    const isTaken = socket.write(`${JSON.stringify(answer)}\n`);
    if (!isTaken && !socket.isPaused()) {
      // Whoever asks and does not read the answers is heard again when it has.
      socket.pause();
      socket.once('drain', () => socket.resume());
    }
  }
}

/** Takes the same time wherever the two differ. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
