import { describe, expect, test } from 'vitest';
import { fingerprint } from '../temp-project';
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
});
