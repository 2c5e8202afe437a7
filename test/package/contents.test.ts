import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zipListing } from './zip-listing';

const files = zipListing(resolve(import.meta.dirname, '../../dist/massgen.vsix'));

/** What the extension cannot do without. */
const REQUIRED = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/dist/THIRD_PARTY_NOTICES.txt',
  'extension/dist/cli.js',
  'extension/dist/extension.js',
  'extension/dist/viewer.css',
  'extension/dist/viewer.js',
  'extension/dist/webview.css',
  'extension/dist/webview.js',
  'extension/media/icon.png',
  'extension/media/massgen.schema.json',
  'extension/media/massgen.svg',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
];

/** What else may ship. */
const ALLOWED = [
  /^extension\/dist\/lazy\/[\w.-]+\.js$/,
  /^extension\/dist\/codicon\.ttf$/,
  /^extension\/media\/[\w-]+\.(svg|png)$/,
  /^extension\/media\/offline\/[\w.-]+\.(json|jsonl)$/,
  /^extension\/media\/sample-project\/([\w-]+\/)*[\w.-]+\.(js|mjs|json|md)$/,
  /^extension\/media\/schemas\/[\w-]+\.schema\.json$/,
  /^extension\/media\/walkthrough\/[\w-]+\.(md|svg|png)$/,
  /^extension\/configs\/([\w-]+\/)*[\w.-]+\.(ya?ml|md)$/,
];

describe('the packaged extension', () => {
  it('contains everything that it needs at run time', () => {
    expect(files).toEqual(expect.arrayContaining(REQUIRED));
  });

  it('contains nothing that is not on the list of what ships', () => {
    const unexpected = files.filter(
      (file) => !REQUIRED.includes(file) && !ALLOWED.some((pattern) => pattern.test(file)),
    );
    expect(unexpected).toEqual([]);
  });
});
