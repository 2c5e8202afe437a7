// What a person types in a real terminal, and how the terminal is left.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  finished,
  installCli,
  type InstalledCli,
  projectRoot,
  startCli,
} from '../../../support/built-cli';
import type { FakeModelService } from '../../../support/fake-model-service/fake-model-service';
import {
  expectRestored,
  skipReason,
  startScript,
  startTalk,
  type Talk,
  type TalkParts,
} from '../../../support/terminal-talk';

let install: InstalledCli;

beforeAll(async () => {
  install = await installCli();
});

/** What the team was asked, from what reached the models. */
function asked({ journal }: FakeModelService): string {
  return JSON.stringify(journal.map(({ body }) => body));
}

/** Up to the first prompt, with the folder kept from the agents. */
async function begun(parts: TalkParts = {}): Promise<Talk> {
  const talk = await startTalk(install, parts);
  await talk.session.shows('[r/w/p/c/n');
  talk.session.type('n\r');
  await talk.session.shows('[1] >');
  return talk;
}

const pastedOn = '\u001B[200~';
const pastedOff = '\u001B[201~';

describe.skipIf(skipReason !== '')(
  `the prompt in a terminal${skipReason}`,
  { timeout: 40_000 },
  () => {
    it('keeps a pasted text of several lines together, and sends it on Enter', async () => {
      const { session, service } = await begun();
      session.type(`${pastedOn}Wait for ever\rand a second line${pastedOff}`);
      await session.shows('… and a second line');
      expect(service.journal).toHaveLength(0);
      session.type('\r');
      await service.arrived(2);
      expect(asked(service)).toContain('Wait for ever\\nand a second line');
    });

    it('takes lines between three quotes, and lines with Ctrl+J, as one question', async () => {
      const { session, service } = await begun();
      session.type('"""Wait for ever\r');
      await session.shows(/\n…$/);
      session.type('in three\rlines"""\r');
      await service.arrived(2);
      expect(asked(service)).toContain('Wait for ever\\nin three\\nlines');
      session.type('\u0003');
      await session.shows(/Stopped by you[^]*\[1\] >/);
      session.type('Wait for ever\nwith Ctrl+J\r');
      await service.arrived(4);
      expect(asked(service)).toContain('Wait for ever\\nwith Ctrl+J');
    });

    it('has what was asked before under the arrow key', async () => {
      const { session } = await begun();
      session.type('/status\r');
      await session.shows(/Cost[^]*\[1\] >$/);
      session.type('\u001B[A');
      await session.shows(/\[1\] > \/status$/);
    });

    it('completes the names of commands', async () => {
      const { session } = await begun();
      session.type('/sta\t');
      await session.shows(/> \/status$/);
    });

    it('asks the team when a word is no command, says so when a command is none, and reminds of an empty line', async () => {
      const { session, service } = await begun();
      session.type('\r');
      await session.shows('Write a question, or /help.');
      session.type('/statsu\r');
      await session.shows('There is no command /statsu. Did you mean /status?');
      session.type('exit the loop, Wait for ever\r');
      await service.arrived(2);
      expect(asked(service)).toContain('exit the loop');
    });

    it('tells what went wrong in a turn, and comes back', async () => {
      const { session, home } = await begun();
      writeFileSync(join(home, 'team.yaml'), 'agents: [{id: a, backend: {type: nonsense}}]\n');
      session.type('Do it\r');
      await session.shows(/nonsense[^]*\[1\] >$/);
    });

    it('opens the team file in the editor of the user, and says where it is without one', async () => {
      const { session, home } = await begun();
      session.type('/config\r');
      await session.shows(/team\.yaml\nWith VISUAL or EDITOR set/);
      session.type('/quit\r');
      await session.ended;
      const editor = join(home, 'edit');
      writeFileSync(editor, '#!/bin/sh\necho "# edited $1" >> "$2"\n');
      chmodSync(editor, 0o755);
      const second = await begun({ environment: { EDITOR: `${editor} --wait` } });
      second.session.type('/config\r');
      await second.session.shows('What is in the file now counts');
      expect(readFileSync(join(second.home, 'team.yaml'), 'utf8')).toContain('# edited --wait');
    });

    it('lets agents see a folder only by the word of the user, and change nothing in it by default', async () => {
      const { session, home, project } = await startTalk(install);
      await session.shows('[r/w/p/c/n');
      session.type('\r');
      await session.shows('to read: ');
      session.type('/context\r');
      await session.shows(/\/project \(read\)/);
      session.type(`/context add ${home}/none\r`);
      await session.shows('There is nothing at');
      session.type(`/context add ${project} write\r`);
      await session.shows('to read and to propose changes: ');
      session.type(`/context remove ${project}\r`);
      await session.shows('do not see');
      session.type('/context\r');
      await session.shows('none; agents have only their private workspaces');
    });
  },
);

describe.skipIf(skipReason !== '')(`leaving a terminal${skipReason}`, { timeout: 40_000 }, () => {
  it.each([
    ['Ctrl+D', '\u0004'],
    ['/exit', '/exit\r'],
    ['/q', '/q\r'],
  ])('with %s gives it back', async (_name, keys) => {
    const { session } = await begun();
    session.type(keys);
    await session.ended;
    expect(session.everything).toContain('left with 0');
    expectRestored(session);
  });

  it('with Ctrl+C needs two of them at an empty prompt, and drops a line that was begun', async () => {
    const { session } = await begun();
    session.type('half a quest');
    await session.shows('half a quest');
    session.type('\u0003');
    await session.shows(/half a quest\n[^]*\[1\] >$/);
    session.type('\u0003');
    await session.shows(/Press Ctrl\+C again[^]*\[1\] >$/);
    session.type('\u0003');
    await session.ended;
    expect(session.everything).toContain('left with 0');
    expectRestored(session);
  });

  it('by a signal at the prompt ends with 4', async () => {
    const { session } = await begun();
    process.kill(-session.pid, 'SIGTERM');
    await session.ended;
    expect(session.everything).toContain('left with 4');
    expectRestored(session);
  });

  it('by a signal in the live view stops the run and gives the screen back', async () => {
    const { session } = await begun();
    session.type('Wait for ever\r');
    await session.shows(/2 of 60[^]*Waiting\.[^]*Waiting\./);
    expect(session.isOnOwnPage).toBe(true);
    process.kill(-session.pid, 'SIGTERM');
    await session.ended;
    expect(session.everything).toContain('left with 4');
    expectRestored(session);
  });

  it('with Ctrl+C in the live view of one task stops the run and ends with 4', async () => {
    const { session } = await startTalk(install, { args: ['Wait for ever'] });
    await session.shows(/2 of 60[^]*Waiting\.[^]*Waiting\./);
    session.type('\u0003');
    await session.ended;
    expect(session.everything).toContain('Stopped by you');
    expect(session.everything).toContain('left with 4');
    expectRestored(session);
  });

  it('by an error that nobody catches is given back before the error is printed', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mg-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const outfile = join(dir, 'main.js');
    const entryPoints = [join(projectRoot, 'test/support/throwing-view/main.ts')];
    await build({ entryPoints, bundle: true, platform: 'node', format: 'cjs', outfile });
    const session = startScript(outfile);
    await session.shows('a page of its own');
    session.type('x');
    await session.ended;
    expect(session.everything).toContain('broken by a key');
    expectRestored(session);
  });

  it('by q asks first, and goes on with plain lines when that is wanted', async () => {
    const { session } = await startTalk(install, { args: ['Wait for ever'] });
    await session.shows(/2 of 60[^]*Waiting\.[^]*Waiting\./);
    session.type('q');
    await session.shows('l go on with plain lines');
    session.type('l');
    await session.until(() => !session.isOnOwnPage);
    await session.shows('Run started, 2 agents');
    session.type('\u0003');
    await session.ended;
    expect(session.everything).toContain('Stopped by you');
    expectRestored(session);
  });
});

describe.skipIf(skipReason !== '')(
  `the live view in a terminal${skipReason}`,
  { timeout: 40_000 },
  () => {
    it.each([
      ['in lines', ['--display', 'simple']],
      ['in the view', []],
    ])('asks %s for what an agent wants, and Enter denies it', async (_name, args) => {
      const { session, service } = await startTalk(install, { args: ['Look outside', ...args] });
      await session.shows('wants to reach out of this machine');
      await session.shows('fetch pages of https://example.invalid');
      await session.shows('n or Enter deny');
      // A key that comes too early is no answer: it is pressed until the question is gone.
      const asking = setInterval(() => session.type('\r'), 100);
      onTestFinished(() => clearInterval(asking));
      await service.arrived(3);
      clearInterval(asking);
      expect(asked(service)).toMatch(/denied|refused|not allowed/i);
      session.type('\u0003');
      await session.ended;
      expectRestored(session);
    });

    it('asks nobody with --automation, which denies what nothing confines', async () => {
      const args = ['--automation', 'Look outside'];
      const { session, service } = await startTalk(install, { args });
      await service.arrived(3);
      expect(asked(service)).toMatch(/denied|refused|not allowed/i);
      session.type('\u0003');
      await session.ended;
      expect(session.everything).toContain('LOG_DIR: ');
      expect(session.everything).not.toContain('Enter deny');
      expectRestored(session);
    });

    it('fits itself to the window when that changes', async () => {
      const { session } = await startTalk(install, {
        args: ['Wait for ever'],
        columns: 100,
        rows: 30,
      });
      await session.shows(/2 of 60[^]*Waiting\.[^]*Waiting\./);
      session.resize(60, 16);
      await session.until(() => session.screen.split('\n').length === 16);
      await session.shows(/^MassGen {2}Two of us {2,}Drafts 0\/2 {2}Votes {2}Result\n[^]*q leave$/);
      expect(session.screen.split('\n')).toHaveLength(16);
      session.resize(120, 40);
      await session.until(() => session.screen.split('\n').length === 40);
      expect(session.screen).toMatch(/^MassGen {2}Two of us {60,}Drafts 0\/2 {2}Votes {2}Result\n/);
    });

    it.each([
      ['NO_COLOR', { environment: { NO_COLOR: '1' } }],
      ['TERM=dumb', { environment: { TERM: 'dumb' } }],
      ['--display simple', { args: ['--display', 'simple'] }],
      ['--no-display', { args: ['--no-display'] }],
    ])('is left out with %s: lines are printed instead', async (_name, parts: TalkParts) => {
      const args = ['Wait for ever', ...(parts.args ?? [])];
      const { session } = await startTalk(install, { ...parts, args });
      await session.shows('Run started, 2 agents');
      session.type('\u0003');
      await session.ended;
      expect(session.output).not.toContain('\u001B[?1049h');
      expect(session.everything).toContain('left with 4');
    });
  },
);

describe('without a terminal', () => {
  it('a missing task is an error, and nobody is asked', async () => {
    const child = startCli(install, ['--config', 'none.yaml'], {
      cwd: install.script.replace(/dist.*/, ''),
      environment: {},
    });
    const { code, output, notes } = await finished(child);
    expect(code).toBe(1);
    expect(output).toBe('');
    expect(notes).not.toBe('');
  });
});
