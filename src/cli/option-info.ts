// What the tables of options are made of.

export type Command =
  | 'run'
  | 'replay'
  | 'redecide'
  | 'resume'
  | 'runs'
  | 'logs'
  | 'export'
  | 'viewer'
  | 'patch'
  | 'clean-up'
  | 'models'
  | 'completion';

export interface CommandInfo {
  readonly name: Command;
  /** What stands between the name and the options. */
  readonly operand: string;
  readonly summary: string;
}

/** Parts of the help of `run`, which has too many options for one page. */
export type Topic = 'run' | 'config' | 'automation' | 'sessions' | 'setup' | 'general';

export interface OptionInfo {
  readonly name: string;
  readonly short?: string;
  /** The same option under another name. */
  readonly alias?: string;
  /** Stands for the value in the help; absent: the option has none. */
  readonly value?: string;
  /** The option may stand without its value. */
  readonly isValueOptional?: boolean;
  /** All values there are; absent: any. */
  readonly choices?: readonly string[];
  readonly isRepeatable?: boolean;
  readonly help: string;
  /** Absent: `general`. */
  readonly topic?: Topic;
  /** In the short help. */
  readonly isCommon?: boolean;
  /** Does one thing and leaves, instead of a run. */
  readonly isAction?: boolean;
  /** Means something only beside one of these. */
  readonly goesWith?: readonly string[];
  /** Absent: of every command. */
  readonly commands?: readonly Command[];
}

/** Options that cannot stand together. */
export interface Conflict {
  readonly one: readonly string[];
  readonly other: readonly string[];
  /** A whole sentence. */
  readonly because: string;
}
