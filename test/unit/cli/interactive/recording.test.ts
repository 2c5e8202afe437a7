// A conversation in a real terminal, as a person would see it. `UPDATE_GOLDEN=1` writes the recording anew; the
// difference is then read like code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { installCli, type InstalledCli, projectRoot } from '../../../support/built-cli';
import { expectRestored, skipReason, startTalk } from '../../../support/terminal-talk';

const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const golden = join(projectRoot, 'test/fixtures/terminal/conversation.txt');

let install: InstalledCli;

beforeAll(async () => {
  install = await installCli();
});

class Recording {
  text = '';
  readonly #home: string;
  constructor(home: string) {
    this.#home = home;
  }
  add(title: string, screen: string): void {
    const masked = screen
      .replaceAll(this.#home, '~')
      .replaceAll(/\b\d+:\d\d\b/g, '·:··')
      .replaceAll(/\b\d{8}-\d{6}-\d{3}-[0-9a-f]{6}\b/g, 'RUN')
      .replaceAll(/MassGen \d+\.\d+\.\d+\S*/g, 'MassGen VERSION')
      .replaceAll(/ +$/gm, '');
    this.text += `=== ${title} ===\n${masked}\n\n`;
  }
}

describe.skipIf(skipReason !== '')(
  `a conversation in a terminal${skipReason}`,
  { timeout: 40_000 },
  () => {
    it('goes from the first question to the last as it is recorded', async () => {
      const { session, home, project, clock, service } = await startTalk(install);
      const greeting = (): string => readFileSync(join(project, 'greeting.txt'), 'utf8');
      const recording = new Recording(home);
      await session.shows('[r/w/p/c/n');
      session.type('w\r');
      recording.add('the team, and a question about the folder', await session.shows('[1] >'));
      session.type('Make the greeting polite.\r');
      await session.shows(/2 of 60[^]*I read the greeting\.[^]*over⟨/);
      expect(session.isOnOwnPage).toBe(true);
      recording.add('who writes what', session.screen);
      await service.arrived(2);
      clock.goOn();
      await session.shows('Agent 1 answered');
      clock.goOn();
      recording.add('votes are to come', await session.shows(/5 of 60 calls[^]*Agent 2 answered/));
      session.type('2');
      recording.add('what an agent has said', await session.shows('Answer agent2.1'));
      session.type('t');
      await service.arrived(5);
      clock.goOn();
      await session.shows(/Votes 1\/2[^]*Agent 1 voted/);
      session.type('r');
      recording.add('the votes that were cast', await session.shows('Agent 1 for agent1.1'));
      clock.goOn();
      recording.add(
        'the answer, and a question before anything is written',
        await session.shows('[y/N/diff]'),
      );
      session.type('diff\r');
      await session.shows(/\+good morning[^]*\[y\/N\/diff\]/);
      expect(greeting()).toBe('hello\n');
      session.type('y\r');
      recording.add('the difference, written on a yes', await session.shows('[2] >'));
      expect(greeting()).toBe('good morning\n');
      session.type('/vots\r');
      await session.shows(/Did you mean \/votes\?\n\n\[2\] >/);
      session.type('/votes\r');
      recording.add('commands', await session.shows(/Agent 2 for agent1\.1[^]*\n\[2\] >$/));
      session.type('Shout it\r');
      recording.add('the next turn goes on from the answer', await session.shows('[3] >'));
      session.type('Wait for ever\r');
      await session.shows(/2 of 60[^]*Waiting\.[^]*Waiting\./);
      session.type('\u0003');
      recording.add(
        'one turn is stopped with Ctrl+C',
        await session.shows(/Stopped by you[^]*\[3\] >/),
      );
      session.type('/quit\r');
      expect(await session.ended).toBe(0);
      expect(session.everything).toContain('left with 0');
      expectRestored(session);
      if (isUpdate) {
        writeFileSync(golden, recording.text);
      }
      expect(recording.text).toBe(readFileSync(golden, 'utf8'));
    });
  },
);
