import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../../scripts/generated-files';

const root = resolve(import.meta.dirname, '../../..');

describe('generated files', () => {
  it.each(generatedFiles())('$path is what `npm run generate` writes', ({ path, text }) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });
});
