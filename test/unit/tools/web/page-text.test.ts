import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageText } from '../../../../src/tools/web/page-text';

const base = new URL('https://site.test/docs/index.html');
const read = (html: string): string => pageText(html, base);

describe('the text of a page', () => {
  test('has headings, paragraphs, items and code as a reader sees them', () => {
    const html = `<!doctype html><html><head><title>Guide &amp; more</title><style>p{}</style></head>
      <body><h1>Use  it</h1><p>First
      line.<br>Second.</p><ul><li>one</li><li><b>two</b></li></ul>
      <pre>if (a &lt; b) {
  run();

}</pre><table><tr><th>a<th>b</tr><tr><td>1<td>2</tr></table></body></html>`;
    expect(read(html).split('\n')).toEqual([
      'Guide & more',
      '',
      '# Use it',
      '',
      'First line.',
      'Second.',
      '',
      '- one',
      '- two',
      '',
      'if (a < b) {',
      '  run();',
      '',
      '}',
      '',
      'a | b',
      '1 | 2',
    ]);
  });

  test('leaves out what nobody sees, also scripts that hold markup', () => {
    expect(
      read('a<script>if (x < "</p>") {}</script>b<!-- <p>no</p> -->c<svg><text>no</text></svg>d'),
    ).toBe('abcd');
    expect(read('seen<style>never closed { }')).toBe('seen');
  });

  test('names where links lead, in full, and no script addresses', () => {
    expect(read('See <a class=x href="../a?b=1&amp;c=2">the  list</a>.')).toBe(
      'See the list [https://site.test/a?b=1&c=2].',
    );
    expect(read('<a href="#top">up</a> <a href="javascript:x()">x</a> <a>none</a>')).toBe(
      'up x none',
    );
  });

  test('takes a tag to its end past signs in quotes, and a lone sign as text', () => {
    expect(read('<img alt="a > b" src=x>c')).toBe('a > bc');
    expect(read('1 < 2 and 3 <4')).toBe('1 < 2 and 3 <4');
    expect(read('&#x41;&#66;&nope;&#0;&#xd800;')).toBe('AB&nope;');
  });

  test('never fails and never shows a tag of a block, whatever the text is', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<',
      '>',
      '"',
      "'",
      '<pre>',
      '<!--',
      '-->',
      '&',
      'x\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), (parts) => {
        expect(read(parts.join(''))).not.toMatch(/<\/?p>/);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  test('takes time in proportion to the length of what is never closed', () => {
    const html = '<a href="x'.repeat(100_000) + '<script>'.repeat(1000) + '&#'.repeat(100_000);
    expect(read(html)).toBe('');
  });

  test.each(['<b>a', '<a href=x>a</a> ', '<td>a', '<i> </i>', 'a &amp; ', '<img alt=a>'])(
    'takes time in proportion to the length of one endless line of %s',
    (piece) => {
      // With the square of the length this would take many minutes.
      expect(read(piece.repeat(Math.ceil(3_000_000 / piece.length)))).not.toContain('<');
    },
  );
});
