import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version of the installed product; empty when the installation does not tell. */
export function productVersion(installDir: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(installDir, 'package.json'), 'utf8'));
    const isTold = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
    return isTold ? String(manifest.version) : '';
  } catch {
    return '';
  }
}
