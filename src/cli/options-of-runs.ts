import type { Command, Conflict, OptionInfo } from './option-info';

const run: readonly Command[] = ['run'];
const playing: readonly Command[] = ['run', 'resume'];

const running: readonly OptionInfo[] = [
  {
    name: 'project',
    value: 'DIR',
    help: 'folder that the agents see and may propose to change; relative paths of the team file start here (default: the current folder, of which agents see what the team file lists)',
    isCommon: true,
    commands: run,
  },
  {
    name: 'cwd-context',
    value: 'WAY',
    choices: ['ro', 'rw', 'read', 'write'],
    help: 'let the agents read (ro) or propose to change (rw) the current folder, beside what the team file lists',
    commands: run,
  },
  {
    name: 'no-parse-at-references',
    help: 'take @path and @path:w in the task as words, not as paths that agents may see',
    commands: run,
  },
  {
    name: 'apply',
    help: 'write the result into the project; conflicts are never overwritten',
    isCommon: true,
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
    commands: run,
  },
  { name: 'no-checks', help: 'run no checks, also not those of the team file', commands: run },
  {
    name: 'single-agent',
    value: 'ID',
    isValueOptional: true,
    help: 'let one agent of the team work alone: the first, or the one with this id',
    commands: run,
  },
  { name: 'quick', help: 'one answer of each agent, then the vote; nobody revises', commands: run },
  {
    name: 'coordination-mode',
    value: 'MODE',
    choices: ['parallel', 'decomposition'],
    help: 'parallel: all do the whole task and vote; decomposition: each does a part of it',
    commands: run,
  },
  {
    name: 'orchestrator-timeout',
    value: 'SECONDS',
    help: 'longest time of the run, instead of that of the team file',
    commands: run,
  },
  {
    name: 'rate-limit',
    help: 'changes nothing: requests to a service that asks for patience always wait in line here',
    commands: run,
  },
  {
    name: 'display',
    value: 'WAY',
    choices: ['simple', 'rich', 'textual'],
    help: 'simple: plain lines; rich or textual: the live view (default in a terminal)',
    isCommon: true,
    commands: run,
  },
  { name: 'no-display', help: 'the same as --display simple', commands: run },
  { name: 'demo', help: 'let the scripted team work on the sample project', commands: run },
];

const configuring: readonly OptionInfo[] = [
  {
    name: 'config',
    value: 'FILE',
    help: 'team file: a path, @examples/NAME, or the name of a file in ~/.config/massgen/agents; else .massgen/config.yaml of the project, then ~/.config/massgen/config.yaml',
    isCommon: true,
    commands: playing,
  },
  { name: 'select', help: 'choose the team file from a menu', commands: run },
  {
    name: 'model',
    value: 'NAME',
    isRepeatable: true,
    help: 'run without a team file: one agent for each --model, e.g. claude-sonnet-5-5 or openrouter/openai/gpt-5',
    isCommon: true,
    commands: run,
  },
  {
    name: 'backend',
    value: 'TYPE',
    help: 'type of the service that has the model, where its name does not tell',
    commands: run,
  },
  {
    name: 'system-message',
    value: 'TEXT',
    help: 'what the agents of --model are told beside the task',
    commands: run,
  },
  {
    name: 'base-url',
    value: 'URL',
    help: 'address that is asked, for services without one of their own',
    commands: ['run', 'models'],
  },
  {
    name: 'trust-config',
    help: 'use a team file that lies inside the project',
    commands: playing,
  },
  { name: 'strict-validation', help: 'warnings about the team file stop the run', commands: run },
  {
    name: 'skip-validation',
    help: 'show no warnings about the team file; errors still stop the run',
    commands: run,
  },
  {
    name: 'validate',
    value: 'FILE',
    help: 'check a team file and leave; exit code 1 when it has errors',
    isAction: true,
    isCommon: true,
    commands: run,
  },
  {
    name: 'strict',
    help: 'warnings count as errors',
    goesWith: ['validate'],
    commands: run,
  },
  {
    name: 'verbose',
    help: 'also what every setting comes to',
    goesWith: ['validate'],
    commands: run,
  },
  { name: 'list-backends', help: 'list the types of backend', isAction: true, commands: run },
  { name: 'list-examples', help: 'list the example teams', isAction: true, commands: run },
  {
    name: 'example',
    value: 'NAME',
    help: 'print an example team',
    isAction: true,
    commands: run,
  },
  {
    name: 'show-schema',
    help: 'print the keys of a team file as JSON Schema',
    isAction: true,
    commands: run,
  },
  {
    name: 'schema-backend',
    value: 'TYPE',
    help: 'only the keys of this type of backend',
    goesWith: ['show-schema'],
    commands: run,
  },
  {
    name: 'with-examples',
    help: 'with a small example of a team file',
    goesWith: ['show-schema'],
    commands: run,
  },
];

const automating: readonly OptionInfo[] = [
  {
    name: 'automation',
    help: 'KEY: value lines for scripts on standard output, everything else on standard error; nothing is asked',
    isCommon: true,
    commands: run,
  },
  {
    name: 'timeline',
    help: 'with the answers and votes, one line each',
    goesWith: ['automation'],
    commands: run,
  },
  {
    name: 'stream-events',
    help: 'the events of the run as JSON, one per line, instead of the lines of --automation',
    commands: run,
  },
  {
    name: 'output-file',
    value: 'FILE',
    help: 'write the final answer there',
    commands: run,
  },
  {
    name: 'inbox-dir',
    value: 'DIR',
    help: 'pass messages in this folder (msg_*.json) to the agents (also MASSGEN_RUNTIME_INBOX_DIR)',
    commands: run,
  },
  { name: 'no-logs', help: 'keep nothing of the run', commands: run },
  {
    name: 'log-in-project',
    help: 'keep the readable files of the run in .massgen of the project',
    commands: run,
  },
];

const continuing: readonly OptionInfo[] = [
  {
    name: 'continue',
    help: "go on from the newest answer about this folder: the task is its session's next turn",
    isCommon: true,
    commands: run,
  },
  {
    name: 'session-id',
    alias: 'session',
    value: 'ID',
    help: 'go on from the newest run of this session, by its id or that of its first run',
    commands: run,
  },
  { name: 'list-sessions', help: 'list the newest sessions', isAction: true, commands: run },
  {
    name: 'no-session-registry',
    help: 'leave ~/.massgen/sessions.json as it is',
    commands: run,
  },
];

const settingUp: readonly OptionInfo[] = [
  { name: 'setup', help: 'enter keys, and see what is found here', isAction: true, commands: run },
  {
    name: 'quickstart',
    help: 'make a team file in a few steps',
    isAction: true,
    commands: run,
  },
  {
    name: 'headless',
    help: 'ask nothing; take what the keys that are found allow',
    goesWith: ['quickstart'],
    commands: run,
  },
  {
    name: 'quickstart-agent',
    value: 'SPEC',
    isRepeatable: true,
    help: 'an agent of the team, e.g. id=ann,backend=claude,model=claude-sonnet-5-5',
    goesWith: ['quickstart'],
    commands: run,
  },
  { name: 'init', help: 'make a team file step by step', isAction: true, commands: run },
  {
    name: 'generate-config',
    value: 'PATH',
    help: 'write a team file without a question',
    isAction: true,
    commands: run,
  },
  ...generated('backend', 'TYPE', 'type of backend of its agents'),
  ...generated('model', 'NAME', 'their model'),
  ...generated('agents', 'N', 'how many there are'),
  ...generated('agent-id', 'ID', 'id of its agent'),
  ...generated('docker', undefined, 'refused: commands are confined without Docker here'),
  ...generated('context-path', 'PATH', 'folder that they may read'),
  {
    name: 'force',
    help: 'overwrite a file that is there',
    goesWith: ['generate-config', 'quickstart'],
    commands: ['run', 'viewer'],
  },
];

function generated(part: string, value: string | undefined, help: string): readonly OptionInfo[] {
  return [
    {
      name: `config-${part}`,
      help,
      goesWith: ['generate-config'],
      commands: run,
      ...(value === undefined ? {} : { value }),
    },
  ];
}

/** In the order of the help. */
export const runOptions: readonly OptionInfo[] = [
  ...running.map((option) => ({ ...option, topic: 'run' as const })),
  ...configuring.map((option) => ({ ...option, topic: 'config' as const })),
  ...automating.map((option) => ({ ...option, topic: 'automation' as const })),
  ...continuing.map((option) => ({ ...option, topic: 'sessions' as const })),
  ...settingUp.map((option) => ({ ...option, topic: 'setup' as const })),
];

const quick = ['model', 'system-message', 'base-url'];

/** Of `run`. */
export const conflicts: readonly Conflict[] = [
  {
    one: ['config', 'select', 'backend'],
    other: ['config', 'select', 'backend'],
    because: 'Each of them chooses the team.',
  },
  {
    one: ['config', 'select'],
    other: quick,
    because: 'A team file says itself which models play.',
  },
  {
    one: ['demo'],
    other: ['select', 'backend', ...quick, 'project', 'log-in-project', 'continue', 'session-id'],
    because: 'The demonstration has its own project and a team with a script.',
  },
  {
    one: ['check'],
    other: ['no-checks'],
    because: 'One asks for checks, the other for none.',
  },
  {
    one: ['continue'],
    other: ['session-id'],
    because: 'They name two places to go on from.',
  },
  {
    one: ['strict-validation'],
    other: ['skip-validation'],
    because: 'One stops at warnings, the other does not look at them.',
  },
  {
    one: ['display'],
    other: ['no-display'],
    because: 'Both say how the run is shown.',
  },
  {
    one: ['no-logs'],
    other: ['log-in-project', 'continue', 'session-id'],
    because: 'A run of which nothing is kept has no files and no session.',
  },
  {
    one: ['stream-events'],
    other: ['timeline'],
    because: 'The events hold every answer and vote already.',
  },
  {
    one: ['select'],
    other: ['automation', 'stream-events'],
    because: 'A menu needs a person.',
  },
  {
    one: ['single-agent'],
    other: ['coordination-mode', 'quick'],
    because: 'One agent alone has nobody to coordinate with.',
  },
];
