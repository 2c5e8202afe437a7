// Long-lived programs of other makers that work in the view of one agent.
import { basename, join } from 'node:path';
import { onAbort, raceAbort } from '../../base/abort';
import { MassGenError, isCancelled } from '../../core/errors';
import type { Logger } from '../../core/ports/logger';
import type { Program, ProgramRequest } from '../../core/ports/workspace';
import type { CommandSettings } from '../command/command-root';
import type { AgentCommands } from '../command/agent-commands';
import { layersFolder } from '../command/command-places';
import type { StartedProcess } from '../command/started-process';
import { startConfined } from '../confinement/confined-process';
import type { LinuxSandbox, Sandbox } from '../confinement/sandbox';
import { resolveBySystem } from '../network/dial';
import { HostList } from '../network/host-list';
import type { Proxy } from '../network/proxy';
import { startProxy } from '../network/proxy';
import type { Serial } from '../serial';
import type { Warn } from '../warnings';
import { begunPath, failedPath } from './launcher-source';
import { whilePaused } from './paused';
import { programLaunch } from './program-launch';
import { RunningProgram } from './running-program';

export interface AgentProgramsOptions {
  /** The agent's private folder. */
  readonly folder: string;
  readonly peersFolder: string;
  /** Real paths of the user's folders that agents work in. */
  readonly userFolders: readonly string[];
  readonly commands: AgentCommands;
  readonly settings: CommandSettings;
  readonly turns: Serial;
  /** Aborts when the workspace is closed, and ends them all. */
  readonly closing: AbortSignal;
  readonly logger: Logger;
  readonly warn: Warn;
}

/** Each holds processes, a proxy and its share of the machine. */
const countLimit = 8;

/** So many different refusals of one program are told one by one. */
const refusalsLimit = 20;

const checkEveryMs = 5000;

/** What came to the program's end of the proxy: it has begun, or why it could not. */
interface Report {
  readonly failure: string | undefined;
}

export class AgentPrograms {
  readonly #options: AgentProgramsOptions;
  readonly #running = new Set<RunningProgram>();
  #count = 0;

  constructor(options: AgentProgramsOptions) {
    this.#options = options;
  }

  get isAnyRunning(): boolean {
    return this.#running.size > 0;
  }

  /** `cwd` is absolute. */
  async start(request: ProgramRequest, cwd: string, signal: AbortSignal): Promise<Program> {
    const { commands, turns, closing, peersFolder, settings } = this.#options;
    const sandbox = linuxOnly(settings.sandbox);
    const hosts = new HostList(request.hosts);
    return turns.run(async () => {
      closing.throwIfAborted();
      if (this.#running.size >= countLimit) {
        throw new MassGenError('tool/failed', `${countLimit} programs run already.`);
      }
      // What one agent shows of others may be looked at whenever the program likes.
      const use = { command: peersFolder, cwd: undefined, timeoutMs: 0 };
      try {
        await commands.prepare(use, cwd, signal);
        return await this.#begin({ request, cwd, sandbox, hosts }, signal);
      } catch (error) {
        await commands.leave(closing).catch(() => undefined);
        throw error;
      }
    }, signal);
  }

  /** Runs `work` while all programs stand still; answers whether they did. */
  async paused(work: () => Promise<void>): Promise<boolean> {
    const tops = [...this.#running].map(({ pid }) => pid).filter((pid) => pid !== undefined);
    if (tops.length === 0) {
      await work();
      return true;
    }
    return whilePaused(tops, async (isStill) => {
      await work();
      return isStill;
    });
  }

  /** Resolves when nothing of any of them runs any more. */
  async allEnded(): Promise<void> {
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  async #begin(
    { request, cwd, sandbox, hosts }: Beginning,
    signal: AbortSignal,
  ): Promise<RunningProgram> {
    const { folder, settings, commands, userFolders } = this.#options;
    this.#count += 1;
    const proxyFolder = join(folder, layersFolder, `network${this.#count}`);
    const name = basename(request.argv[0]);
    const reports = new Reports();
    const proxy = await startProxy({
      ...{ folder: proxyFolder, hosts, resolve: resolveBySystem },
      onRefusal: this.#refusalsOf(name),
      onReport: (path) => reports.take(path),
    });
    let started: StartedProcess | undefined;
    try {
      const launch = await programLaunch(request, await commands.confinedAt(cwd), {
        ...{ sandbox, proxyFolder, searchPath: settings.searchPath, homes: settings.homes },
        apart: [...userFolders, settings.runStore],
      });
      signal.throwIfAborted();
      started = startConfined(launch);
      const program = this.#follow(started, proxy, name);
      await hasBegun(program, reports, signal);
      this.#running.add(program);
      this.#endWith(program, name, signal);
      return program;
    } catch (error) {
      await started?.kill();
      await proxy.close();
      throw error;
    }
  }

  #follow(started: StartedProcess, proxy: Proxy, name: string): RunningProgram {
    const { logger } = this.#options;
    const program: RunningProgram = new RunningProgram(started, {
      leave: async () => {
        await proxy.close();
        if (this.#running.has(program)) {
          await this.#leave(name);
          this.#running.delete(program);
        }
      },
      onListenerFailure: (error) =>
        logger.warn('workspace', `output of ${name} was not taken: ${String(error)}`),
    });
    return program;
  }

  /** The workspace, the caller and the disk can end it. */
  #endWith(program: RunningProgram, name: string, signal: AbortSignal): void {
    const { closing, commands, warn } = this.#options;
    const ties = [signal, closing].map((each) => onAbort(each, () => void program.stop()));
    const checks = setInterval(() => {
      // A check that fails says nothing about the program.
      commands.reasonToEnd().then(
        (reason) => {
          if (reason !== undefined && program.isRunning) {
            warn('program-ended', `${name} was ended: ${reason}.`);
            void program.stop();
          }
        },
        () => undefined,
      );
    }, checkEveryMs);
    void program.exited().then(() => {
      clearInterval(checks);
      ties.forEach((tie) => tie.dispose());
    });
  }

  async #leave(name: string): Promise<void> {
    const { turns, commands, closing, warn } = this.#options;
    try {
      // Whatever else is at work in the layers comes first; nothing may keep this from its turn.
      await turns.run(() => commands.leave(closing), new AbortController().signal);
    } catch (error) {
      if (!isCancelled(error)) {
        const words = `What ${name} changed last was not taken over: ${String(error)}`;
        warn('program-changes-lost', words);
      }
    }
  }

  #refusalsOf(name: string): (words: string) => void {
    const told = new Set<string>();
    return (words) => {
      if (told.has(words) || told.size > refusalsLimit) {
        return;
      }
      told.add(words);
      const isLast = told.size > refusalsLimit;
      const sentence = isLast ? 'wanted to reach still more places, which are not told' : words;
      this.#options.warn('network-refused', `${name} ${sentence}.`);
    };
  }
}

interface Beginning {
  readonly request: ProgramRequest;
  readonly cwd: string;
  readonly sandbox: LinuxSandbox;
  readonly hosts: HostList;
}

/** The first report of a launcher; whatever comes later may be from anybody in the sandbox. */
class Reports {
  #resolve: (report: Report) => void = () => undefined;
  readonly first = new Promise<Report>((resolve) => {
    this.#resolve = resolve;
  });

  take(path: string): void {
    if (path === begunPath) {
      this.#resolve({ failure: undefined });
    } else if (path.startsWith(failedPath)) {
      this.#resolve({ failure: path.slice(failedPath.length) });
    }
  }
}

/** Resolves when the program itself runs. */
async function hasBegun(
  program: RunningProgram,
  reports: Reports,
  signal: AbortSignal,
): Promise<void> {
  const ended = program.exited().then(() => undefined);
  const report = await raceAbort(Promise.race([reports.first, ended]), signal);
  if (report === undefined) {
    const said = await lastWords(program);
    throw new MassGenError('tool/failed', `The program could not be confined: ${said}`);
  }
  if (report.failure !== undefined) {
    const words = decodeURIComponent(report.failure);
    throw new MassGenError('tool/failed', `The program did not start: ${words}.`);
  }
}

async function lastWords(program: RunningProgram): Promise<string> {
  let said = '';
  program.onOutput('stderr', (bytes) => {
    said += Buffer.from(bytes).toString('utf8');
  });
  await program.ended;
  return said.trim().slice(0, 2000) || 'no reason given';
}

function linuxOnly(sandbox: Sandbox): LinuxSandbox {
  if (sandbox.kind === 'linux') {
    return sandbox;
  }
  const reason =
    sandbox.kind === 'none'
      ? sandbox.reason
      : 'On macOS programs of other makers cannot be kept to a list of hosts.';
  throw new MassGenError('tool/unconfined', `No program runs without confinement. ${reason}`);
}
