import { describe, expect, it } from 'vitest';
import { activationClosure } from '../../scripts/activation-closure.mjs';

const { bytes, packages } = activationClosure();

describe('what activation loads', () => {
  it('is at most 200 KB', () => {
    expect(bytes).toBeLessThanOrEqual(200_000);
  });

  it('holds no package that talks to a model service', () => {
    const sdks = packages.filter((name) => /openai|anthropic|genai/.test(name));
    expect(sdks).toEqual([]);
  });
});
