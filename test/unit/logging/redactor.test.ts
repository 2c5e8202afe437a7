import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/logging/redactor';

const key = 'pässwort/with+signs&0042';

function knowing(...secrets: readonly string[]) {
  const redactor = createRedactor();
  secrets.forEach((secret) => redactor.add(secret));
  return redactor;
}

describe('the redactor', () => {
  it.each([
    ['as it is', key],
    ['in a URL', encodeURIComponent(key)],
    ['in JSON', JSON.stringify(`x"${key}`)],
    ['broken over two lines', `${key.slice(0, 7)}\n  ${key.slice(7)}`],
    ['broken with a carriage return', `${key.slice(0, 7)}\r\n${key.slice(7)}`],
  ])('removes a known secret %s', (_name, text) => {
    const redacted = knowing(key).redact(`before ${text} after`);
    expect(redacted).toContain('[secret removed]');
    expect(redacted).not.toContain('0042');
    expect(redacted).toMatch(/^before .*after$/s);
  });

  it('removes a secret from base64 wherever it begins in it', () => {
    for (const before of ['', 'x', 'xy', 'user:']) {
      const encoded = Buffer.from(`${before}${key}!`).toString('base64');
      const redacted = knowing(key).redact(encoded);
      expect(redacted).toContain('[secret removed]');
      expect(
        Buffer.from(redacted.replace('[secret removed]', ''), 'base64').toString(),
      ).not.toContain('with+signs');
    }
  });

  it.each([
    'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789',
    'sk-ant-api03-abcdefghijklmnopqrstuvwxyz',
    'AKIAABCDEFGHIJKLMNOP',
    `ghp_${'a1'.repeat(20)}`,
    `AIza${'b'.repeat(35)}`,
    `glpat-${'a1'.repeat(10)}`,
    `npm_${'a1'.repeat(18)}`,
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
    'Bearer abcdefghijklmnopqrstuvwxyz',
    '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----',
  ])('removes what looks like a key: %s', (text) => {
    expect(createRedactor().redact(`x ${text} y`)).toMatch(/^x (Bearer )?\[secret removed\] y$/);
  });

  it('leaves ordinary text alone', () => {
    const text =
      'The task-list sk-small uses sha256 9f86d081884c7d659a2feaa0c55ad015 and risk-averse-code.';
    expect(knowing('short', key).redact(text)).toBe(text);
  });

  it('does not search for values that are too short to be secrets', () => {
    expect(knowing('test').redact('npm test')).toBe('npm test');
  });

  it('holds back just what may become a secret', () => {
    const redactor = knowing(key);
    expect(redactor.holdBack('nothing here')).toBe(0);
    expect(redactor.holdBack(`text ${key.slice(0, 9)}`)).toBe(9);
    expect(redactor.holdBack(`text ${key.slice(0, 1)}`)).toBe(1);
    expect(redactor.holdBack(`text ${key}`)).toBe(0);
  });

  it('leaves no trace of any secret in any text around it', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40 }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          const redacted = knowing(secret).redact(`${before}${secret}${after}`);
          fc.pre(!'[secret removed]'.includes(secret) && !`${before}${after}`.includes(secret));
          expect(redacted.includes('[secret removed]')).toBe(true);
        },
      ),
      { seed: 11 },
    );
  });
});
