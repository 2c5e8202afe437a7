import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exampleFile, exampleNames } from '../../../src/config/example-files';

describe('the shipped team files', () => {
  it('are found with paths that lead back to their files', async () => {
    const names = await exampleNames('.');
    expect(names).toContain('offline');
    expect(names.filter((name) => !existsSync(exampleFile('.', name)))).toEqual([]);
  });

  it('are told as missing where the product is not', async () => {
    await expect(exampleNames('/dev/null/nowhere')).rejects.toThrow('ENOTDIR');
  });
});
