import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInBackends } from '../../../../src/backends/registry';
import { projectRoot } from '../backend-kinds';

export const kinds = builtInBackends({ recordingsDir: join(projectRoot, 'media', 'offline') });

/** Texts of all team files that ship and of all that MassGen has published, in a fixed order. */
export const exampleTexts: readonly string[] = ['configs', 'test/fixtures/example-configs']
  .flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .sort()
      .map((name) => join(projectRoot, folder, name)),
  )
  .map((file) => readFileSync(file, 'utf8'));
