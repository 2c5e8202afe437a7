// One file that shows a run with the panel itself. It loads nothing and may send nothing: its policy lists what is in it.
import { createHash } from 'node:crypto';

/** What ships in `dist`. */
export interface ViewerParts {
  /** Of the panel. */
  readonly script: string;
  readonly style: string;
  /** Of what stands in for the editor. */
  readonly hostScript: string;
  readonly hostStyle: string;
}

export interface ViewerPage {
  readonly title: string;
  /** Handed to the panel in this order; JSON. */
  readonly messages: readonly unknown[];
}

export function viewerHtml({ title, messages }: ViewerPage, parts: ViewerParts): string {
  const styles = [parts.hostStyle, parts.style].map(inStyle);
  const scripts = [parts.hostScript, parts.script].map(inScript);
  const policy = [
    `default-src 'none'`,
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `style-src ${styles.map(hashOf).join(' ')}`,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escaped(title)}</title>`,
    ...styles.map((text) => `<style>${text}</style>`),
    '</head><body>',
    '<noscript>This page shows a run with a script of its own, which is switched off here.</noscript>',
    `<script type="application/json" id="record">${inJson(messages)}</script>`,
    ...scripts.map((text) => `<script>${text}</script>`),
    '</body></html>',
    '',
  ].join('\n');
}

/** Whatever a model wrote stays inside: no tag can begin in it. */
function inJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026');
}

/** In strings and patterns, where alone these words can stand, the escapes mean the same. */
function inScript(code: string): string {
  return withoutMap(code)
    .replace(/<(?=\/script)/gi, '\\x3c')
    .replaceAll('<!--', '\\x3c!--');
}

function inStyle(text: string): string {
  return withoutMap(text).replace(/<(?=\/style)/gi, '\\3c ');
}

/** Maps of a build for developers are as large again; and line ends are as a browser counts them for the hash. */
function withoutMap(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '')
    .replace(/^\/\*# sourceMappingURL=[^*]*\*\/$/gm, '');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
