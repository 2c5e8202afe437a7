import { describe, expect, it } from 'vitest';
import { watchSilence } from '../../../../src/backends/wire/silence-watch';
import type { Clock } from '../../../../src/core/ports/clock';
import { FakeClock } from '../../../support/fake-clock';

describe('watching for silence', () => {
  it('counts from the last touch', () => {
    const clock = new FakeClock();
    let silences = 0;
    const watch = watchSilence(clock, 100, () => silences++);
    clock.advance(90);
    watch.touch();
    clock.advance(90);
    expect(silences).toBe(0);
    clock.advance(10);
    expect(silences).toBe(1);
    clock.advance(1000);
    expect(silences).toBe(1);
  });

  it.each([-3_600_000, 3_600_000])('does not mind a time of day that jumps by %i ms', (jumpMs) => {
    const clock = new FakeClock();
    let offsetMs = 0;
    let silences = 0;
    const jumping: Clock = {
      now: () => clock.now() + offsetMs,
      after: (delayMs, run) => clock.after(delayMs, run),
    };
    const watch = watchSilence(jumping, 100, () => silences++);
    clock.advance(50);
    offsetMs = jumpMs;
    watch.touch();
    clock.advance(99);
    expect(silences).toBe(0);
    clock.advance(1);
    expect(silences).toBe(1);
  });

  it('stays silent once it has called', () => {
    const clock = new FakeClock();
    let silences = 0;
    const watch = watchSilence(clock, 100, () => silences++);
    clock.advance(100);
    watch.touch();
    expect(clock.pending).toBe(0);
    expect(silences).toBe(1);
  });

  it('leaves no timer when it is over', () => {
    const clock = new FakeClock();
    const watch = watchSilence(clock, 100, () => undefined);
    clock.advance(50);
    watch.touch();
    clock.advance(60);
    watch.dispose();
    expect(clock.pending).toBe(0);
  });
});
