import { describe, expect, it } from 'vitest';
import { builtInBackends } from '../../src/backends/registry';
import { backendChecks } from './backend-checks';
import { adapterOf, stages } from './stages';

it('has a stage for every adapter', () => {
  const types = builtInBackends({ recordingsDir: '/nowhere' }).map((kind) => kind.type);
  expect(types.filter((type) => stages[adapterOf(type)] === undefined)).toEqual([]);
});

// The models of the editor go through the same checks, inside of the editor: test/vscode/integration.
describe.each(Object.entries(stages))('a model behind %s', (_type, stage) => {
  for (const { title, reasonAgainst, run } of backendChecks) {
    const reason = reasonAgainst(stage);
    if (reason === undefined) {
      it(title, async () => run(stage));
    } else {
      it.skip(`${title}; not here: ${reason}`, async () => run(stage));
    }
  }
});
