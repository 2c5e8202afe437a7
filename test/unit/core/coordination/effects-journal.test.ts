import { describe, expect, it } from 'vitest';
import { effectVerdict } from '../../../../src/core/coordination/effects-journal';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import type { EffectRecord } from '../../../../src/run/facts';
import type { RunState } from '../../../../src/run/state';
import { Engine } from '../../../support/engine';

const mail: EffectRecord = {
  hash: 'mail-to-anna',
  tool: 'send_mail',
  argumentsJson: '{"to":"anna"}',
  attempt: 1,
  result: { sha256: 'abc', bytes: 4 },
  isError: false,
  isRepeat: false,
};

function state(
  attempt: number,
  repeatedEffects: RunState['settings']['repeatedEffects'] = 'ask',
  effects: readonly EffectRecord[] = [mail],
): RunState {
  const settings = compatSettings({ repeatedEffects });
  return { ...new Engine({ settings }).state, attempt, effects };
}

describe('a call with an effect outside of the workspaces', () => {
  it('is made the first time', () => {
    expect(effectVerdict(state(1, 'ask', []), mail.hash, mail.tool)).toBe('run');
  });

  it('P8: is answered from the record when it was made before', () => {
    expect(effectVerdict(state(2), mail.hash, mail.tool)).toBe('replay');
    expect(effectVerdict(state(1), mail.hash, mail.tool)).toBe('replay');
  });

  it.each([
    ['ask', 'ask'],
    ['deny', 'deny'],
    ['mark', 'run-and-mark'],
  ] as const)('with other arguments in a later attempt, set to %s, is %s', (setting, verdict) => {
    expect(effectVerdict(state(2, setting), 'mail-to-bert', mail.tool)).toBe(verdict);
  });

  it('is no repetition within one attempt, or of another tool', () => {
    expect(effectVerdict(state(1), 'mail-to-bert', mail.tool)).toBe('run');
    expect(effectVerdict(state(2), 'push', 'git_push')).toBe('run');
  });

  it('is made again when it had failed', () => {
    const failed = [{ ...mail, isError: true }];
    expect(effectVerdict(state(2, 'deny', failed), mail.hash, mail.tool)).toBe('run');
  });
});
