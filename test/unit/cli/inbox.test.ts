import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchInbox } from '../../../src/cli/inbox';
import type { Disposable } from '../../../src/base/disposable';
import { FakeClock } from '../../support/fake-clock';
import { startedState } from '../../support/turn-input';

let home: string;
let inbox: string;
let clock: FakeClock;
let watching: Disposable;
let passed: (readonly [string, readonly number[] | null])[];
let notes: string;
let isOver: boolean;
const state = startedState(3);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'massgen-inbox-'));
  inbox = join(home, 'inbox');
  clock = new FakeClock();
  passed = [];
  notes = '';
  isOver = false;
  const run = {
    state: () => state,
    steer: (text: string, slots: readonly number[] | null) => {
      passed.push([text, slots]);
      return !isOver;
    },
  };
  const terminal = { write: (text: string) => void (notes += text), isScreen: false, width: 80 };
  watching = watchInbox(inbox, run, { clock, notes: { ...terminal, hasColor: false } });
});
afterEach(() => {
  watching.dispose();
  rmSync(home, { recursive: true, force: true });
});

function put(name: string, content: unknown): void {
  mkdirSync(inbox, { recursive: true });
  writeFileSync(join(inbox, name), typeof content === 'string' ? content : JSON.stringify(content));
}

describe('the inbox of a run', () => {
  it('passes each message on once, in the order of names, to whom it names', () => {
    clock.advance(2_000);
    put('msg_2.json', { content: 'Second.', target_agents: ['agent3'], source: 'a script' });
    put('msg_1.json', { content: ' First. ' });
    put('msg_3.json', { content: 'Third.', target_agents: [state.agents[1]?.info.id] });
    put('msg_4.json', { content: 'Fourth.', target_agents: [] });
    put('.msg_5.json', 'half a mess');
    clock.advance(1_999);
    expect(passed).toEqual([]);
    clock.advance(1);
    const all = [
      ['First.', null],
      ['Second.', [3]],
      ['Third.', [2]],
      ['Fourth.', null],
    ];
    expect(passed).toEqual(all);
    clock.advance(10_000);
    expect(passed).toEqual(all);
    expect(readdirSync(inbox).sort()).toEqual([
      '.msg_5.json',
      ...[1, 2, 3, 4].map((n) => `msg_${n}.json.done`),
    ]);
    expect(notes).toBe('');
  });

  it.each([
    ['no JSON', 'half a mess', 'it is no file of JSON'],
    ['no text', { content: '  ' }, 'it is no file of JSON'],
    ['too much', { content: 'x'.repeat(70_000) }, 'it is no file of JSON'],
    ['somebody else', { content: 'Hi.', target_agents: ['agent9'] }, 'there is no agent "agent9"'],
    ['an answer', { content: 'Hi.', target_agents: ['agent1.1'] }, 'there is no agent "agent1.1"'],
  ])('says why it cannot pass on %s', (_what, content, problem) => {
    put('msg_1.json', content);
    clock.advance(2_000);
    expect(passed).toEqual([]);
    expect(notes).toContain(`The message msg_1.json was not passed on: ${problem}`);
    expect(readdirSync(inbox)).toEqual(['msg_1.json.refused']);
  });

  it('follows no link', () => {
    put('elsewhere.json', { content: 'Not meant.' });
    symlinkSync(join(inbox, 'elsewhere.json'), join(inbox, 'msg_1.json'));
    clock.advance(2_000);
    expect(passed).toEqual([]);
  });

  it('passes a message on once, also where it cannot be renamed', () => {
    put('msg_1.json', { content: 'Once.' });
    mkdirSync(join(inbox, 'msg_1.json.done', 'full'), { recursive: true });
    clock.advance(6_000);
    expect(passed).toEqual([['Once.', null]]);
  });

  it('shows no controls of a name', () => {
    put('msg_\u001B[31m.json', 'half');
    clock.advance(2_000);
    expect(notes).toContain('The message msg_⟨U+001B⟩[31m.json was not passed on');
  });

  it('tells when the run is over, and looks no more when it is not watched', () => {
    isOver = true;
    put('msg_1.json', { content: 'Late.' });
    clock.advance(2_000);
    expect(notes).toContain('the run is over');
    watching.dispose();
    expect(clock.pending).toBe(0);
  });
});
