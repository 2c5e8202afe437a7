// Runs as a process of its own, as another user: the same random work as the test of it, and says in JSON what came of it.
import { writeSync } from 'node:fs';
import { fingerprint } from '../temp-project';
import { confinedRun } from './confined-run';
import { compareRandomWork, randomProject } from './random-operations';

const [seed, operations] = process.argv.slice(2).map(Number);

const project = randomProject();
const before = JSON.stringify(fingerprint(project));
const started = confinedRun(project);
const { workspaces } = started;
const agent = await started.agent();
const mismatch = await compareRandomWork({
  ...{ seed: seed ?? 0, operations: operations ?? 0, project, agent },
  readManifest: (id) => workspaces.store.readManifest(id),
});
const said = {
  uid: process.getuid?.(),
  unconfinedReason: agent.unconfinedReason,
  isAtPlace: agent.roots[0]?.shownPath === project,
  difference: mismatch === undefined ? null : mismatch.after,
  isFolderAsBefore: JSON.stringify(fingerprint(project)) === before,
};
await workspaces.close();
workspaces.store.close();
writeSync(1, `${JSON.stringify(said)}\n`);
