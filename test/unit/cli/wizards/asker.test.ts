import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Asker, Cancelled } from '../../../../src/cli/wizards/asker';
import { atDesk, type Desk, keys } from '../../../support/person';

let desk: Desk;

beforeEach(() => {
  desk = atDesk();
});
afterEach(() => {
  desk.remove();
});

describe('a person who is asked', () => {
  it('reads long sentences wrapped between words, beside the guide', () => {
    const ask = new Asker({ ...desk.world, output: { ...desk.person.output, width: 30 } });
    ask.say('Models on this machine need no key at all.');
    ask.end('Run massgen --quickstart when one is there.');
    expect(desk.person.screen).toBe(
      [
        ...['│', '│  Models on this machine', '│  need no key at all.'],
        ...['│', '└  Run massgen --quickstart', '   when one is there.', '', ''],
      ].join('\n'),
    );
  });

  it('sees no color where there is none, and can answer all the same', async () => {
    const ask = new Asker(desk.world);
    const answer = ask.confirm('Sure?', false);
    await desk.person.answer('Sure?', 'y');
    expect(await answer).toBe(true);
    expect(desk.person.sent).not.toMatch(/\u001B\[\d+m/);
  });

  it('sees the question anew when the terminal changes its size', async () => {
    const screen = Object.assign(new EventEmitter(), { columns: 60, rows: 20 });
    const ask = new Asker({
      ...desk.world,
      // Size and event are all that is used of a terminal.
      output: { ...desk.person.output, screen: screen as unknown as NodeJS.WriteStream },
    });
    const answer = ask.choose('Which one?', [{ value: 1, label: 'a long label of four words' }]);
    await desk.person.reads('four words');
    screen.columns = 16;
    const before = desk.person.screen.length;
    screen.emit('resize');
    expect(desk.person.screen.slice(before)).toContain('│  ● a long \n│  label of four');
    await desk.person.answer('Which one?', keys.enter);
    expect(await answer).toBe(1);
    expect(screen.listenerCount('resize')).toBe(0);
  });

  it('is not asked any more once the input has ended', async () => {
    const ask = new Asker(desk.world);
    const first = ask.text('First?');
    await desk.person.reads('First?');
    desk.person.hangUp();
    await expect(first).rejects.toThrow(Cancelled);
    await expect(ask.text('Second?')).rejects.toThrow(Cancelled);
  });

  it('leaves nothing behind at the input', async () => {
    const { stream } = desk.world.input;
    const before = ['keypress', 'end', 'close'].map((name) => stream.listenerCount(name));
    const ask = new Asker(desk.world);
    for (const question of ['One?', 'Two?', 'Three?']) {
      const answer = ask.text(question);
      await desk.person.answer(question, 'x', keys.enter);
      expect(await answer).toBe('x');
    }
    const after = ['keypress', 'end', 'close'].map((name) => stream.listenerCount(name));
    expect(after).toEqual(before);
  });
});
