// First steps in a real terminal, with the command as it ships.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { installCli, type InstalledCli } from '../../../support/built-cli';
import { keys } from '../../../support/person';
import { loadPty, TerminalSession } from '../../../support/terminal-session';
import { expectRestored, skipReason } from '../../../support/terminal-talk';
import { cleanTeam } from './wizard-app';

const pty = await loadPty();

let install: InstalledCli;

beforeAll(async () => {
  install = await installCli();
});

interface Desk {
  readonly session: TerminalSession;
  readonly home: string;
  readonly project: string;
}

/** In a shell, which tells afterwards with which code the command ended and how the terminal was left. */
function start(...args: readonly string[]): Desk {
  if (pty === undefined) {
    throw new Error('There is no pseudo-terminal.');
  }
  const home = mkdtempSync(join(tmpdir(), 'mg-'));
  const project = join(home, 'project');
  mkdirSync(project);
  const after = `echo "left with $?"; stty -a | tr '; ' '\\n\\n' | grep -xE -- '-?(icanon|echo|isig)'`;
  const session = new TerminalSession(pty, {
    file: '/bin/sh',
    args: [
      '-c',
      `trap : INT TERM; "$@"; ${after}`,
      'sh',
      process.execPath,
      install.script,
      ...args,
    ],
    cwd: project,
    // Without PATH to agent programs, so that what is found is the same everywhere.
    environment: { HOME: home, TMPDIR: home, PATH: '/usr/bin:/bin' },
  });
  onTestFinished(async () => {
    await session.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return { session, home, project };
}

async function answer(session: TerminalSession, words: string, typed: string): Promise<void> {
  await session.shows(words);
  session.type(typed);
}

describe.skipIf(skipReason !== '')(`first steps in a terminal${skipReason}`, () => {
  it('lead from nothing to a key and a team', async () => {
    const { session, home, project } = start();
    await answer(session, 'How do you want to begin?', `${keys.down}\r`);
    await answer(session, 'Which services do you have a key for?', ' \r');
    await answer(session, 'value of OPENAI_API_KEY', 'sk-in-a-terminal\r');
    await answer(session, 'Test the keys?', 'n');
    await answer(session, 'Where are the keys kept?', '\r');
    await answer(session, 'How many agents?', '\r');
    await answer(session, 'Take this team?', '\r');
    await answer(session, 'Which folder may the agents read?', '\r');
    await answer(session, 'What may they do there?', '\r');
    await answer(session, 'Save it?', '\r');
    await answer(session, 'Run the team now?', keys.down);
    await answer(session, '● Yes, and talk to it', keys.down);
    await answer(session, '● Later', '\r');
    await session.shows('left with 0');
    await session.ended;
    expectRestored(session);
    expect(session.output).not.toContain('sk-in-a-terminal');
    const env = join(home, '.massgen', '.env');
    expect(readFileSync(env, 'utf8')).toContain('OPENAI_API_KEY=sk-in-a-terminal\n');
    expect(statSync(env).mode & 0o777).toBe(0o600);
    const team = cleanTeam(readFileSync(join(project, '.massgen', 'config.yaml'), 'utf8'));
    expect(team.agents.length).toBeGreaterThanOrEqual(3);
  });

  it('may be left at a hidden question, and the terminal is as it was', async () => {
    const { session, home, project } = start('--setup');
    await answer(session, 'Which services do you have a key for?', ' \r');
    await answer(session, 'value of OPENAI_API_KEY', `sk-half${keys.interrupt}`);
    await session.shows('left with 4');
    await session.ended;
    expectRestored(session);
    expect(session.everything).toContain('Left. Nothing further was saved.');
    expect(session.output).not.toContain('sk-half');
    expect([existsSync(join(home, '.massgen', '.env')), existsSync(join(project, '.env'))]).toEqual(
      [false, false],
    );
  });

  it('end with the command when it is stopped from outside', async () => {
    const { session } = start('--init');
    await session.shows('What is the team for?');
    process.kill(-session.pid, 'SIGTERM');
    await session.shows('left with 4');
    await session.ended;
    expectRestored(session);
  });
});
