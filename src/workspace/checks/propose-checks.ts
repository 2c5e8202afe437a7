import type { CheckProposal } from '../../core/ports/checks';
import type { CheckKind } from '../../run/check-facts';
import { nodeProposals } from './proposals/node-project';
import { compiledProposals, makeProposals, pythonProposals } from './proposals/other-projects';
import { filesOf } from './proposals/project-files';

/** What is quick and says most comes first. */
const order: readonly CheckKind[] = ['types', 'lint', 'format', 'build', 'test', 'other'];

/**
 * Commands of a project that look like checks, found in its settings by well-known names. Checks run in the first folder,
 * so only that one is looked at. Nothing is run, and what cannot be read is as if it were not there.
 */
export async function proposeChecks(
  folders: readonly { readonly path: string }[],
  signal: AbortSignal,
): Promise<readonly CheckProposal[]> {
  const [folder] = folders;
  if (folder === undefined) {
    return [];
  }
  const files = filesOf(folder.path);
  const found: CheckProposal[] = [];
  for (const look of [nodeProposals, pythonProposals, makeProposals, compiledProposals]) {
    signal.throwIfAborted();
    found.push(...(await look(files)));
  }
  signal.throwIfAborted();
  return found.toSorted((a, b) => order.indexOf(a.spec.kind) - order.indexOf(b.spec.kind));
}
