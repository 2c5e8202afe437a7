/** What a team file says about the commands of one agent. */
export interface CommandRules {
  /** Where nothing confines, a person must allow each command; nothing else does. */
  readonly mustBeConfined: boolean;
  /** Regular expressions; each command of a line must begin with one of them. Empty: any may. */
  readonly allowed: readonly string[];
  /** Regular expressions; no command of a line may begin with one of them. */
  readonly blocked: readonly string[];
  /** The agent has no tool for commands at all; absent: it has. */
  readonly isForbidden?: true;
}
