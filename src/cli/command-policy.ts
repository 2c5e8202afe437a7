import type { StartRunRequest } from '../app/app-contract';

type CommandPolicy = StartRunRequest['commandPolicy'];

/**
 * Nobody can be asked here, so every command is decided at once: what is confined runs, unless it is a tool that has
 * changed; of the rest, all, those of a list, or none. A list names no agent programs, and nothing that a team file wants
 * isolated runs unconfined.
 */
export function commandPolicy(allowed: 'all' | readonly string[]): CommandPolicy {
  return {
    decide: ({ command, isConfined, isProgram, isChanged, mustAsk }) => ({
      isAllowed:
        (isConfined && isChanged !== true) ||
        (mustAsk !== true &&
          (allowed === 'all' || (isProgram !== true && allowed.includes(command)))),
      by: 'policy',
    }),
    // Decisions beyond the run are made in the editor only.
    remember: () => Promise.resolve(),
  };
}
