import { expect, test } from 'vitest';
import { withSection } from '../../../scripts/results-file.mjs';

test('figures of one command leave those of the others as they are', () => {
  const first = withSection('', 'Bench', 'one\n');
  const both = withSection(first, 'Soak', 'two');
  const again = withSection(both, 'Bench', 'three');

  expect([first, both, again]).toEqual([
    '# Last figures\n\n## Bench\n\none\n',
    '# Last figures\n\n## Bench\n\none\n\n## Soak\n\ntwo\n',
    '# Last figures\n\n## Bench\n\nthree\n\n## Soak\n\ntwo\n',
  ]);
});
