import type { ContextRootInfo } from '../facts';

/**
 * Whether a file of a change set lies in the agent's own folder instead of one of the user's. It has no place yet: it is
 * saved to one, not accepted. The folder's name does not tell, a folder of the user's may have the same.
 */
export function isDeliverable(
  { contextRoots }: { readonly contextRoots: readonly ContextRootInfo[] },
  root: string,
): boolean {
  return contextRoots.every(({ name }) => name !== root);
}
