import type { Command, OptionInfo } from './option-info';

const redeciding: readonly Command[] = ['redecide'];
const cleaning: readonly Command[] = ['clean-up'];
const exporting: readonly Command[] = ['export'];

const otherRule: readonly OptionInfo[] = [
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
];

const looking: readonly OptionInfo[] = [
  {
    name: 'log-dir',
    value: 'DIR',
    help: 'folder of a run, instead of the newest one',
    commands: ['logs'],
  },
  { name: 'limit', value: 'N', help: 'how many are listed (10)', commands: ['logs'] },
  {
    name: 'sort',
    value: 'BY',
    choices: ['time', 'calls'],
    help: 'order of the tools: time or calls',
    commands: ['logs'],
  },
  {
    name: 'turns',
    value: 'WHICH',
    help: 'turns of the session: all, N, N-M or latest',
    commands: exporting,
  },
  { name: 'no-workspace', help: 'leave out the files of agents', commands: exporting },
  {
    name: 'workspace-limit',
    value: 'SIZE',
    help: 'leave out larger files of agents, e.g. 500KB',
    commands: exporting,
  },
  { name: 'yes', help: 'do not ask before it is written', commands: exporting },
  { name: 'open', help: 'open it in the browser', commands: ['viewer'] },
];

const cleaningUp: readonly OptionInfo[] = [
  {
    name: 'keep',
    value: 'N',
    help: 'remove the oldest runs beyond this number',
    commands: cleaning,
  },
  {
    name: 'older-than',
    value: 'DAYS',
    help: 'remove runs that are older',
    commands: cleaning,
  },
  {
    name: 'max-size',
    value: 'GB',
    help: 'remove the oldest runs beyond this size of all together',
    commands: cleaning,
  },
];

/** Of stored runs, of models, and of everything. */
export const commandOptions: readonly OptionInfo[] = [
  ...otherRule,
  ...looking,
  {
    name: 'all',
    help: 'all of them, not only the newest ten sessions',
    topic: 'sessions',
    goesWith: ['list-sessions'],
    commands: ['run', 'runs'],
  },
  {
    name: 'output',
    value: 'FILE',
    help: 'where it is written',
    commands: ['patch', 'export', 'viewer'],
  },
  ...cleaningUp,
  {
    name: 'dry-run',
    help: 'only show what would be done',
    commands: ['clean-up', 'export'],
  },
  {
    name: 'refresh',
    help: 'ask the service of this type which models it has now',
    commands: ['models'],
  },
  {
    name: 'json',
    help: 'one JSON value for scripts',
    topic: 'config',
    goesWith: ['validate', 'list-backends', 'list-examples', 'list-sessions'],
    commands: ['run', 'redecide', 'runs', 'logs', 'export', 'models'],
  },
  { name: 'storage', value: 'DIR', help: 'where runs are kept' },
  { name: 'no-color', help: 'no color (also NO_COLOR)' },
  { name: 'debug', help: 'details on standard error' },
  { name: 'version', short: 'v', help: 'which version this is' },
  {
    name: 'help',
    short: 'h',
    value: 'TOPIC',
    isValueOptional: true,
    help: 'the help, or that of a command or topic',
    isCommon: true,
  },
];
