// Everything that can be written after `massgen`, once: what is parsed and what --help says are made from it.

export type Command =
  'run' | 'replay' | 'redecide' | 'resume' | 'runs' | 'patch' | 'clean-up' | 'models';

export interface CommandInfo {
  readonly name: Command;
  /** What stands between the name and the options. */
  readonly operand: string;
  readonly summary: string;
}

export const commands: readonly CommandInfo[] = [
  { name: 'run', operand: '[TASK]', summary: 'let a team do a task (the name is left out)' },
  { name: 'replay', operand: 'RUN', summary: 'play a stored run again, without any network' },
  { name: 'redecide', operand: 'RUN', summary: 'what another rule would have decided' },
  { name: 'resume', operand: 'RUN', summary: 'go on with a run that was cut off' },
  { name: 'runs', operand: '', summary: 'list the stored runs and their sessions' },
  { name: 'patch', operand: 'RUN', summary: 'what a run proposes, as a patch that git can apply' },
  { name: 'clean-up', operand: '', summary: 'remove old runs and what was left behind' },
  { name: 'models', operand: '[TYPE]', summary: 'list known models, their prices and their end' },
];

export interface OptionInfo {
  readonly name: string;
  readonly short?: string;
  /** Stands for the value in the help; absent: the option has none. */
  readonly value?: string;
  readonly isRepeatable?: boolean;
  readonly help: string;
  /** Absent: of every command. */
  readonly commands?: readonly Command[];
}

const playing: readonly Command[] = ['run', 'resume'];
const redeciding: readonly Command[] = ['redecide'];

export const options: readonly OptionInfo[] = [
  {
    name: 'config',
    value: 'FILE',
    help: 'team file; else .massgen/config.yaml of the project, then ~/.config/massgen/config.yaml',
    commands: playing,
  },
  {
    name: 'project',
    value: 'DIR',
    help: 'folder that the agents see and may propose to change; relative paths of the team file start here (default: the current folder, of which agents see what the team file lists)',
    commands: ['run'],
  },
  {
    name: 'continue',
    help: "go on from the newest answer about this folder: the task is its session's next turn",
    commands: ['run'],
  },
  {
    name: 'session',
    value: 'ID',
    help: 'go on from the newest run of this session, by its id or that of its first run',
    commands: ['run'],
  },
  {
    name: 'apply',
    help: 'write the result into the project; conflicts are never overwritten',
    commands: playing,
  },
  {
    name: 'allow-commands',
    help: 'let commands and agent programs run that cannot be confined here; they are refused otherwise',
    commands: playing,
  },
  {
    name: 'check',
    value: 'NAME',
    isRepeatable: true,
    help: 'run this check in every answer before the vote: one of the team file, one found in the project, or a command',
    commands: ['run'],
  },
  { name: 'no-checks', help: 'run no checks, also not those of the team file', commands: ['run'] },
  {
    name: 'trust-config',
    help: 'use a team file that lies inside the project',
    commands: playing,
  },
  {
    name: 'log-in-project',
    help: 'keep the readable files of the run in .massgen of the project',
    commands: ['run'],
  },
  { name: 'automation', help: 'plain KEY: value lines for scripts', commands: ['run'] },
  {
    name: 'rule',
    value: 'NAME',
    help: 'plurality, majority, supermajority, unanimity, min_agreement or weighted',
    commands: redeciding,
  },
  {
    name: 'threshold',
    value: 'SHARE',
    help: 'for supermajority and weighted, e.g. 0.6 or 2/3',
    commands: redeciding,
  },
  {
    name: 'min-agreement',
    value: 'N',
    help: 'votes needed by min_agreement',
    commands: redeciding,
  },
  {
    name: 'quorum',
    value: 'SHARE',
    help: 'share of the voters whose votes are needed',
    commands: redeciding,
  },
  {
    name: 'margin',
    value: 'N',
    help: 'lead over the next answer that is asked for, in votes',
    commands: redeciding,
  },
  {
    name: 'self-vote',
    value: 'WAY',
    help: 'allow, forbid, ignore or by_panel_size',
    commands: redeciding,
  },
  { name: 'electorate', value: 'WHO', help: 'all or answered', commands: redeciding },
  {
    name: 'families',
    value: 'WAY',
    help: 'label, or weight: models of one family share one vote',
    commands: redeciding,
  },
  {
    name: 'weights',
    value: 'ID=N',
    isRepeatable: true,
    help: 'weight of a vote by agent id; several with commas',
    commands: redeciding,
  },
  {
    name: 'tie-break',
    value: 'LIST',
    help: 'what narrows a tie, in this order, with commas',
    commands: redeciding,
  },
  { name: 'stop', value: 'WAY', help: 'full, exact or posterior', commands: redeciding },
  {
    name: 'on-split',
    value: 'WAY',
    help: 'tie_break, runoff, another_round, judge, human or fail',
    commands: redeciding,
  },
  { name: 'all', help: 'all runs, not only the newest ten sessions', commands: ['runs'] },
  { name: 'output', value: 'FILE', help: 'where the patch is written', commands: ['patch'] },
  {
    name: 'keep',
    value: 'N',
    help: 'remove the oldest runs beyond this number',
    commands: ['clean-up'],
  },
  {
    name: 'older-than',
    value: 'DAYS',
    help: 'remove runs that are older',
    commands: ['clean-up'],
  },
  {
    name: 'max-size',
    value: 'GB',
    help: 'remove the oldest runs beyond this size of all together',
    commands: ['clean-up'],
  },
  { name: 'dry-run', help: 'only show what is kept and why', commands: ['clean-up'] },
  {
    name: 'refresh',
    help: 'ask the service of this type which models it has now',
    commands: ['models'],
  },
  {
    name: 'base-url',
    value: 'URL',
    help: 'address that is asked, for types without one of their own',
    commands: ['models'],
  },
  { name: 'json', help: 'one JSON value for scripts', commands: ['redecide', 'runs', 'models'] },
  { name: 'storage', value: 'DIR', help: 'where runs are kept' },
  { name: 'no-color', help: 'no color (also NO_COLOR)' },
  { name: 'debug', help: 'details on standard error' },
  { name: 'version', short: 'v', help: 'which version this is' },
  { name: 'help', short: 'h', help: 'this text; after a command, that of the command' },
];

export function optionsOf(command: Command): readonly OptionInfo[] {
  return options.filter(({ commands: only }) => only?.includes(command) !== false);
}
