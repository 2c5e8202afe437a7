// The one file of `massgen viewer`: what it may load, and that nothing in it can leave its place.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { viewerHtml } from '../../../src/cli/viewer-html';

const parts = {
  script: 'const tag = "</script>"; const comment = /<!--/;\n//# sourceMappingURL=data:abc',
  style: '.a::after { content: "</style>"; }\n/*# sourceMappingURL=data:abc */',
  hostScript: 'start();\r\n',
  hostStyle: 'body {}',
};

const hostile = '</script><script>taken()</script><!-- & \u2028 \ud800';

function page(text = 'Fine.'): string {
  return viewerHtml({ title: text, messages: [{ type: 'host', text }] }, parts);
}

/** What stands between the tags, in their order. */
function contents(html: string, tag: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(
    ([, content = '']) => content,
  );
}

function sha256(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

describe('the policy of the page', () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page())?.[1] ?? '';

  it('lists what is in the page, and nothing else may run or be loaded', () => {
    const html = page();
    const scripts = contents(html, 'script').map(sha256).join(' ');
    const styles = contents(html, 'style').map(sha256).join(' ');
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${scripts}`,
      `style-src ${styles}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(contents(html, 'script')).toHaveLength(2);
    expect(policy).not.toMatch(/unsafe|http|\*/);
  });

  it('stands ahead of everything that it is about', () => {
    const html = page();
    const place = html.indexOf('Content-Security-Policy');
    expect(place).toBeGreaterThan(0);
    expect(place).toBeLessThan(html.search(/<style|<script|<title/));
  });

  it('is needed for nothing that comes from elsewhere', () => {
    expect(page()).not.toMatch(/https?:|\bsrc=|\bhref=|url\(|@import/);
  });
});

describe('the content of the page', () => {
  it('keeps what a model wrote inside of its data', () => {
    const html = page(hostile);
    expect(html.match(/<script/g)).toHaveLength(3);
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    expect(html).not.toContain('<!--');
    expect(html).not.toContain('<script>taken');
  });

  it('hands the messages over as they were', () => {
    const data = /id="record">([^]*?)<\/script>/.exec(page(hostile))?.[1] ?? '';
    expect(JSON.parse(data)).toEqual([{ type: 'host', text: hostile }]);
  });

  it('has scripts and styles that end where they are meant to, and mean what they meant', () => {
    const [host = '', panel = ''] = contents(page(), 'script');
    expect(host).toBe('start();\n');
    expect(panel).toContain(String.raw`"\x3c/script>"`);
    expect(panel).toContain(String.raw`/\x3c!--/`);
    expect(contents(page(), 'style')[1]).toContain(String.raw`"\3c /style>"`);
  });

  it('is without the maps of a build for developers', () => {
    expect(page()).not.toContain('sourceMappingURL');
  });
});
