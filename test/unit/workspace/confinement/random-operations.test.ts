import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { fingerprint, tempFolder } from '../temp-project';
import { confinedRun, copiedRun, isLayered, named } from './confined-run';
import { compareRandomWork, randomProject } from './random-operations';

const operations = Number(process.env['SOAK_RUNS'] ?? 0) > 0 ? 1500 : 150;
const seed = Number(process.env['SOAK_SEED'] ?? 7);

describe.skipIf(!isLayered)(named('random shell operations, file tools and restores'), () => {
  test.each([
    ['merged layers', confinedRun],
    ['a copy', copiedRun],
  ])(
    'come to the same in %s as in a plain copy, and leave the real folder alone',
    async (_name, start) => {
      const project = randomProject();
      const before = fingerprint(project);
      const started = start(project);
      const mismatch = await compareRandomWork({
        ...{ seed, operations, project, agent: await started.agent() },
        readManifest: (id) => started.workspaces.store.readManifest(id),
      });
      expect(mismatch).toBeUndefined();
      expect(fingerprint(project)).toEqual(before);
    },
    600_000,
  );

  test.skipIf(process.getuid?.() !== 0)(
    'come to the same for an ordinary user',
    async () => {
      const top = tempFolder();
      chmodSync(top, 0o755);
      const program = join(top, 'host.mjs');
      await build({
        entryPoints: [join(import.meta.dirname, 'random-operations-host.ts')],
        alias: { vitest: join(import.meta.dirname, 'without-tests.ts') },
        ...{ bundle: true, platform: 'node', format: 'esm', outfile: program },
      });
      chownSync(top, 65534, 65534);
      const said = execFileSync(
        'setpriv',
        [
          ...['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, program],
          ...[String(seed), String(operations)],
        ],
        {
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], HOME: '/nonexistent', TMPDIR: top },
          cwd: '/',
        },
      );
      expect(JSON.parse(said)).toEqual({
        ...{ uid: 65534, unconfinedReason: null, isAtPlace: true },
        ...{ difference: null, isFolderAsBefore: true },
      });
    },
    600_000,
  );
});
