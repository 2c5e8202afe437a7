import { describe, expect, it } from 'vitest';
import { DeltaGatherer } from '../../../../src/core/orchestrator/delta-gatherer';
import { createRedactor } from '../../../../src/logging/redactor';
import type { TextDelta } from '../../../../src/run/call-events';
import { FakeClock } from '../../../support/fake-clock';

function stage(holdBack: (text: string) => number = () => 0) {
  const clock = new FakeClock();
  const sent: TextDelta[] = [];
  const gatherer = new DeltaGatherer(clock, holdBack, (delta) => sent.push(delta));
  const add = (text: string, call = 1, isThinking?: boolean): void =>
    gatherer.add({
      type: 'text-delta',
      slot: 1,
      turnNo: 1,
      call,
      text,
      ...(isThinking === undefined ? {} : { isThinking }),
    });
  return { clock, sent, gatherer, add };
}

describe('text on its way into the log', () => {
  it('is joined for 50 ms', () => {
    const { clock, sent, add } = stage();
    add('a');
    clock.advance(49);
    add('b');
    expect(sent).toEqual([]);
    clock.advance(1);
    expect(sent.map(({ text }) => text)).toEqual(['ab']);
    add('c');
    clock.advance(50);
    expect(sent.map(({ text }) => text)).toEqual(['ab', 'c']);
  });

  it('keeps thinking, text and calls apart, in order', () => {
    const { sent, gatherer, add } = stage();
    add('hm', 1, true);
    add('text');
    add('next call', 2);
    gatherer.flush();
    expect(sent.map(({ text, call, isThinking }) => [text, call, isThinking])).toEqual([
      ['hm', 1, true],
      ['text', 1, undefined],
      ['next call', 2, undefined],
    ]);
  });

  it('shows no key, however slowly and in whatever turns with thinking it comes', () => {
    const key = 'my-own-key-9f8e7d6c5b4a';
    const redactor = createRedactor();
    redactor.add(key);
    for (const [size, isMixed] of [
      [1, false],
      [2, false],
      [1, true],
      [7, true],
    ] as const) {
      const { clock, sent, gatherer, add } = stage((text) => redactor.holdBack(text));
      for (const piece of `a ${key}${key} b`.match(new RegExp(`.{1,${size}}`, 'g')) ?? []) {
        add(piece);
        if (isMixed) {
          add(piece, 1, true);
        }
        clock.advance(50);
      }
      gatherer.flush();
      for (const isThinking of isMixed ? [undefined, true] : [undefined]) {
        const texts = sent.filter((one) => one.isThinking === isThinking);
        const shown = texts.map(({ text }) => redactor.redact(text)).join('');
        expect(shown).toBe('a [secret removed][secret removed] b');
      }
    }
  });

  it('waits with what may be the beginning of a secret until it is known', () => {
    const { clock, sent, gatherer, add } = stage((text) => (text.endsWith('sec') ? 3 : 0));
    add('my sec');
    clock.advance(50);
    expect(sent.map(({ text }) => text)).toEqual(['my ']);
    add('ret');
    clock.advance(50);
    expect(sent.map(({ text }) => text)).toEqual(['my ', 'secret']);
    add('a sec');
    gatherer.flush();
    expect(sent.at(-1)?.text).toBe('a sec');
  });

  it('leaves no timer behind when it is disposed', () => {
    const { clock, sent, gatherer, add } = stage();
    add('a');
    gatherer.dispose();
    expect([clock.pending, sent]).toEqual([0, []]);
  });
});
