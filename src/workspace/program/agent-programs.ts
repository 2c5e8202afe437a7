// Long-lived programs of other makers that work in the view of one agent.
import { randomBytes } from 'node:crypto';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { onAbort } from '../../base/abort';
import { MassGenError, isCancelled } from '../../core/errors';
import type { Logger } from '../../core/ports/logger';
import type { Program, ProgramRequest } from '../../core/ports/workspace';
import type { CommandSettings } from '../command/command-root';
import type { AgentCommands } from '../command/agent-commands';
import { startBare } from '../command/bare-shell';
import { layersFolder } from '../command/command-places';
import type { StartedProcess } from '../command/started-process';
import { startConfined } from '../confinement/confined-process';
import { whilePlacesMove } from '../confinement/moved-places';
import type { LinuxSandbox, Sandbox } from '../confinement/sandbox';
import { resolveBySystem } from '../network/dial';
import { HostList } from '../network/host-list';
import type { Proxy } from '../network/proxy';
import { startProxy } from '../network/proxy';
import type { Serial } from '../serial';
import type { Warn } from '../warnings';
import { checkInstalled } from './installation';
import { LauncherReports, hasBegun } from './launcher-reports';
import { notStarted } from './not-started';
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
    const { sandbox } = settings;
    if (sandbox.kind !== 'linux') {
      await checkUnconfined(request, settings);
    }
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
        return sandbox.kind === 'linux'
          ? await whilePlacesMove(() => this.#begin({ request, cwd, sandbox, hosts }, signal))
          : await this.#beginBare(request, cwd, signal);
      } catch (error) {
        await commands.leave(closing).catch(() => undefined);
        throw error;
      }
    }, signal);
  }

  /** Runs `work` while all programs stand still; answers whether they did. */
  async paused(work: () => Promise<void>): Promise<boolean> {
    const families = [...this.#running].flatMap(({ family }) => family ?? []);
    if (families.length === 0) {
      await work();
      return true;
    }
    return whilePaused(families, async (isStill) => {
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
    const reports = new LauncherReports();
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
      const program = this.#follow(started, name, proxy);
      const why = async (words: string): Promise<MassGenError> =>
        notStarted({
          ...{ program: request.argv[0], words },
          ...{ searchPath: settings.searchPath, homes: settings.homes },
        });
      await hasBegun(program, { reports, why }, signal);
      this.#running.add(program);
      this.#endWith(program, name, signal);
      return program;
    } catch (error) {
      await started?.kill();
      await proxy.close();
      throw error;
    }
  }

  /** In the copy that unconfined commands work in too. It has the user's home, in which its own sign-in is found. */
  async #beginBare(
    request: ProgramRequest,
    cwd: string,
    signal: AbortSignal,
  ): Promise<RunningProgram> {
    const { folder, settings, commands } = this.#options;
    const place = await commands.bareAt(cwd);
    signal.throwIfAborted();
    const started = startBare({
      ...{ argv: request.argv, cwd: place.cwd, folder, input: 'pipe' },
      mark: randomBytes(12).toString('hex'),
      environment: absolutePath({
        ...{ PATH: settings.searchPath, HOME: settings.homes[0] ?? place.temporary },
        ...{ LANG: 'C.UTF-8', TERM: 'dumb', TMPDIR: place.temporary, ...request.environment },
      }),
    });
    const name = basename(request.argv[0]);
    const program = this.#follow(started, name);
    this.#running.add(program);
    this.#endWith(program, name, signal);
    return program;
  }

  #follow(started: StartedProcess, name: string, proxy?: Proxy): RunningProgram {
    const { logger } = this.#options;
    const program: RunningProgram = new RunningProgram(started, {
      leave: async () => {
        await proxy?.close();
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

/** What cannot be started at all is told before anybody is asked about it. */
async function checkUnconfined(
  { argv, environment, mayBeUnconfined }: ProgramRequest,
  { searchPath, sandbox }: CommandSettings,
): Promise<void> {
  if (process.platform === 'win32') {
    throw new MassGenError('tool/failed', 'Programs of other makers cannot run on Windows yet.', {
      hint: 'Open the folder in WSL.',
    });
  }
  await checkInstalled(argv[0], environment['PATH'] ?? searchPath);
  if (mayBeUnconfined !== true) {
    const words = `No program runs without confinement. ${whyUnconfined(sandbox) ?? ''}`;
    throw new MassGenError('tool/unconfined', words.trim());
  }
}

/** A folder that is not a whole path would be one of the project, whose programs are anybody's. */
function absolutePath(
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((each) => isAbsolute(each));
  return { ...environment, PATH: folders.length === 0 ? '/usr/bin:/bin' : folders.join(delimiter) };
}

/** Why programs of other makers cannot be confined, one sentence; `undefined`: they can. */
export function whyUnconfined(sandbox: Sandbox): string | undefined {
  switch (sandbox.kind) {
    case 'linux':
      return undefined;
    case 'seatbelt':
      return 'On macOS programs of other makers cannot be kept to a list of hosts.';
    case 'none':
      return sandbox.reason;
  }
}
