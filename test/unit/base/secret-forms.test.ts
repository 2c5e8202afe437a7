import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretForms } from '../../../src/base/secret-forms';

describe('forms of a secret', () => {
  const secret = fc.stringMatching(/^[!-~]{12,60}$/);

  it('begin with the secret and hold each form once', () => {
    const forms = secretForms('key "quoted" & more');
    expect(forms[0]).toBe('key "quoted" & more');
    expect(forms).toContain('key%20%22quoted%22%20%26%20more');
    expect(forms).toContain('key \\"quoted\\" & more');
    expect(new Set(forms).size).toBe(forms.length);
  });

  it.each(['base64', 'base64url', 'hex'] as const)('are found in %s data', (encoding) => {
    fc.assert(
      fc.property(secret, fc.string({ maxLength: 5 }), fc.string(), (key, before, after) => {
        const data = Buffer.from(before + key + after, 'utf8').toString(encoding);
        expect(secretForms(key).some((form) => data.includes(form))).toBe(true);
      }),
      { seed: 11 },
    );
  });
});
