import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../src/base/emitter';

describe('Emitter', () => {
  it('calls listeners in order and leaves out the one removed during the call', () => {
    const heard: string[] = [];
    const emitter = new Emitter<number>();
    emitter.on((n) => {
      heard.push(`a${String(n)}`);
      second.dispose();
    });
    const second = emitter.on((n) => heard.push(`b${String(n)}`));
    emitter.on((n) => heard.push(`c${String(n)}`));

    emitter.fire(1);

    expect(heard).toEqual(['a1', 'c1']);
  });

  it('calls everybody although one listener throws, then throws that error', () => {
    const heard: number[] = [];
    const emitter = new Emitter<number>();
    emitter.on(() => {
      throw new Error('broken listener');
    });
    emitter.on((n) => heard.push(n));

    expect(() => {
      emitter.fire(5);
    }).toThrow('broken listener');
    expect(heard).toEqual([5]);
  });
});
