// The command line in a shell of a pseudo-terminal, with a scripted team.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFailed, onTestFinished } from 'vitest';
import type { InstalledCli } from './built-cli';
import {
  type FakeModelService,
  startFakeModelService,
} from './fake-model-service/fake-model-service';
import { SteppedClock } from './stepped-clock';
import { loadPty, TerminalSession } from './terminal-session';
import { terminalScript, terminalTeam } from './terminal-team';

const pty = await loadPty();

/** Stands behind the name of tests that need a pseudo-terminal: why they are skipped where there is none. */
export const skipReason =
  pty === undefined ? ' (skipped: no pseudo-terminal that is ready for this machine)' : '';

export interface Talk {
  readonly session: TerminalSession;
  readonly home: string;
  /** Has one file, `greeting.txt`, with the line `hello`. */
  readonly project: string;
  readonly clock: SteppedClock;
  readonly service: FakeModelService;
}

export interface TalkParts {
  /** After the team file. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** In a shell, which tells afterwards with which code the command ended and how the terminal was left. */
export async function startTalk(install: InstalledCli, parts: TalkParts = {}): Promise<Talk> {
  if (pty === undefined) {
    throw new Error('There is no pseudo-terminal.');
  }
  const { args = [], environment = {}, columns = 80, rows = 24 } = parts;
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'mg-')));
  const project = join(home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'greeting.txt'), 'hello\n');
  const clock = new SteppedClock();
  const service = await startFakeModelService(terminalScript, clock);
  const team = join(home, 'team.yaml');
  writeFileSync(team, terminalTeam(service.baseUrl));
  const session = new TerminalSession(pty, {
    file: '/bin/sh',
    args: inShell(install.script, '--config', team, ...args),
    cwd: project,
    environment: { HOME: home, TMPDIR: home, ...environment },
    ...{ columns, rows },
  });
  onTestFinished(async () => {
    await session.close();
    await service.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  onTestFailed(() => {
    process.stderr.write(`${session.everything}\n`);
  });
  return { session, home, project, clock, service };
}

/** Arguments of a shell that waits for a script, also when a signal comes, and then tells how it ended. */
function inShell(...call: readonly string[]): readonly string[] {
  const after = `echo "left with $?"; stty -a | tr '; ' '\\n\\n' | grep -xE -- '-?(icanon|echo|isig)'`;
  return ['-c', `trap : INT TERM; "$@"; ${after}`, 'sh', process.execPath, ...call];
}

/** Any script in such a shell. */
export function startScript(script: string): TerminalSession {
  if (pty === undefined) {
    throw new Error('There is no pseudo-terminal.');
  }
  const session = new TerminalSession(pty, {
    file: '/bin/sh',
    args: inShell(script),
    cwd: tmpdir(),
    environment: {},
  });
  onTestFinished(async () => session.close());
  return session;
}

/** As the shell had it: whole lines, what is typed is shown, Ctrl+C is a signal, and nothing of ours is left on. */
export function expectRestored(session: TerminalSession): void {
  const tail = session.everything.split('\n').slice(-3);
  expect(tail.toSorted()).toEqual(['echo', 'icanon', 'isig']);
  expect(session.isOnOwnPage).toBe(false);
  expect(session.isCursorHidden).toBe(false);
  expect(session.modes.bracketedPasteMode).toBe(false);
  expect(session.modes.wraparoundMode).toBe(true);
  expect(session.modes.synchronizedOutputMode).toBe(false);
}
