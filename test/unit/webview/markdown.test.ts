import { describe, expect, test } from 'vitest';
import { isSafeLink, parseMarkdown } from '../../../webview/markdown/parse';

describe('links', () => {
  test.each(['https://a.b/c?d=e#f', 'http://localhost:3000', 'HTTPS://A.B', 'mailto:a@b.c'])(
    '%s may be one',
    (href) => {
      expect(isSafeLink(href)).toBe(true);
    },
  );

  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'command:workbench.action.quit',
    'vscode://file/x',
    'file:///etc/passwd',
    '//evil.test',
    '/relative',
    '#anchor',
    'https:javascript:1',
    'http://a b',
    '',
  ])('%j may not', (href) => {
    expect(isSafeLink(href)).toBe(false);
  });
});

describe('parsing', () => {
  const types = (text: string): readonly string[] =>
    parseMarkdown(text)
      .flatMap((token) => [token, ...(token.children ?? [])])
      .map((token) => token.type);

  test('HTML is text', () => {
    expect(types('<b>x</b>\n\n<script>1</script>').filter((type) => type.includes('html'))).toEqual(
      [],
    );
  });

  test('an address is no link unless it is written as one', () => {
    expect(types('https://a.b')).not.toContain('link_open');
    expect(types('[a](https://a.b)')).toContain('link_open');
    expect(types('[a](javascript:1)')).not.toContain('link_open');
  });
});
