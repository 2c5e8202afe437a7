import type { ApprovalResolved } from '../../run/call-events';

export type ApprovalDecision = ApprovalResolved['decision'];

export interface CommandToApprove {
  readonly command: string;
  readonly cwd: string;
  readonly isConfined: boolean;
  /** It is a tool that is not as it was when somebody last let it work, so that no earlier word holds for it; absent: it is. */
  readonly isChanged?: true;
  /** It is no command but an agent program that nothing confines; absent: a command. */
  readonly isProgram?: true;
  /** The team file asks for isolation that does not hold here: only a person who is asked can allow it; absent: no. */
  readonly mustAsk?: true;
  /** sha256 of command and cwd in canonical JSON. */
  readonly hash: string;
  /** sha256 of the command, its folder relative to the agent's own view and what it may reach: equal for the same command of any agent and run, so remembered decisions go by it. */
  readonly rememberedAs: string;
}

/**
 * Decisions made before or outside this run: commands allowed for the workspace, flags of the command line, a shipped
 * recording's own list. `undefined` means that a person must be asked.
 */
export interface CommandPolicy {
  decide(
    command: CommandToApprove,
  ): { readonly isAllowed: boolean; readonly by: 'earlier-decision' | 'policy' } | undefined;
  /** Keeps an `allow-workspace` decision beyond the run. */
  remember(command: CommandToApprove): Promise<void>;
}
