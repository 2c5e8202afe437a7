import type { StartRunRequest } from '../app/app-contract';

type CommandPolicy = StartRunRequest['commandPolicy'];

/**
 * Nobody can be asked here, so every command is decided at once: what is confined runs; of what is not, all, those of a
 * list, or none. A list names no agent programs.
 */
export function commandPolicy(allowed: 'all' | readonly string[]): CommandPolicy {
  return {
    decide: ({ command, isConfined, isProgram }) => ({
      isAllowed:
        isConfined || allowed === 'all' || (isProgram !== true && allowed.includes(command)),
      by: 'policy',
    }),
    // Decisions beyond the run are made in the editor only.
    remember: () => Promise.resolve(),
  };
}
