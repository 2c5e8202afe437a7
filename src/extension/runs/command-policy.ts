import type { CommandPolicy, CommandToApprove } from '../../core/ports/approvals';
import type { Memory } from '../memory';

/** `off`: agents run no commands. `confined`: confined ones run without asking. `ask`: each one asks. */
export type PolicyMode = 'off' | 'confined' | 'ask';

type Decided = NonNullable<ReturnType<CommandPolicy['decide']>>;

/**
 * What runs without asking in this workspace: what is confined, if the user's setting says so, and commands that the
 * user allowed: the same text in the same folder of any agent's copy. A tool that has changed is asked about whatever was
 * said before. The setting is read at each command.
 */
export class WorkspaceCommandPolicy implements CommandPolicy {
  readonly #memory: Memory;
  readonly #mode: () => PolicyMode;

  constructor(memory: Memory, mode: () => PolicyMode) {
    this.#memory = memory;
    this.#mode = mode;
  }

  decide(command: CommandToApprove): Decided | undefined {
    const mode = this.#mode();
    if (mode === 'off') {
      return { isAllowed: false, by: 'policy' };
    }
    if (command.isChanged === true) {
      return undefined;
    }
    const isKnown = this.#memory.allowedCommands.some(
      (allowed) =>
        allowed.rememberedAs === command.rememberedAs && allowed.command === command.command,
    );
    if (isKnown) {
      return { isAllowed: true, by: 'earlier-decision' };
    }
    return mode === 'confined' && command.isConfined
      ? { isAllowed: true, by: 'policy' }
      : undefined;
  }

  async remember({ command, rememberedAs }: CommandToApprove): Promise<void> {
    const others = this.#memory.allowedCommands.filter(
      (allowed) => allowed.rememberedAs !== rememberedAs,
    );
    await this.#memory.setAllowedCommands([...others, { command, rememberedAs }]);
  }
}
