import type { CommandPolicy, CommandToApprove } from '../../core/ports/approvals';
import type { Memory } from '../memory';

/** Commands that the user allowed for this workspace: the same text in the same folder of any agent's copy. */
export class WorkspaceCommandPolicy implements CommandPolicy {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  decide(
    command: CommandToApprove,
  ): { readonly isAllowed: boolean; readonly by: 'earlier-decision' | 'policy' } | undefined {
    const isKnown = this.#memory.allowedCommands.some(
      (allowed) =>
        allowed.rememberedAs === command.rememberedAs && allowed.command === command.command,
    );
    return isKnown ? { isAllowed: true, by: 'earlier-decision' } : undefined;
  }

  async remember({ command, rememberedAs }: CommandToApprove): Promise<void> {
    const others = this.#memory.allowedCommands.filter(
      (allowed) => allowed.rememberedAs !== rememberedAs,
    );
    await this.#memory.setAllowedCommands([...others, { command, rememberedAs }]);
  }
}
