// What the help says: made from the tables of options and commands.
import type { HelpPage, HelpTopic } from './invocation';
import {
  type Command,
  type CommandInfo,
  commands,
  type OptionInfo,
  optionsOf,
  type Topic,
} from './options';
import { wrap } from './table';
import { topics } from './topics';

const introduction =
  "A team of agents does one task in parallel, each in its own workspace; they see each other's answers, revise, and vote. " +
  'Without a task a terminal becomes a conversation. Where no team is set up yet, it offers to make one, or shows a scripted ' +
  'one on a copy of a sample project, which needs neither network nor key (also --demo).';

const runs = 'RUN is the id of a run, its beginning, `latest`, or the path of its folder or log.';

const codes =
  'Exit codes: 0 done, 1 arguments or configuration, 2 no result, 3 time-out, 4 stopped.';

/** Commands that take no run. */
const withoutRun: readonly Command[] = ['runs', 'logs', 'clean-up', 'models', 'completion'];

/** Longest line where the terminal has room for it. */
const widest = 88;
/** Column where explanations begin. */
const left = 21;

/** A paragraph, or lines of which each goes on, when it is too long, below its column `left` or where it begins. */
type Part = string | readonly Line[];
type Line = string | { readonly term: string; readonly text: string; readonly left?: number };

/** `columns` are those of the terminal; no line is longer, but for words and examples that are. */
export function usage(page: HelpPage, columns = widest): string {
  const width = Math.min(widest, Math.max(columns, left + 20));
  const texts = partsOf(page).map((part) =>
    (typeof part === 'string'
      ? wrap(part, width)
      : part.flatMap((line) => laidOut(line, width))
    ).join('\n'),
  );
  return `${texts.join('\n\n')}\n`;
}

function laidOut(line: Line, width: number): readonly string[] {
  if (typeof line === 'string') {
    return [line];
  }
  const column = line.left ?? left;
  const [first = '', ...rest] = wrap(line.text, width - column);
  const more = rest.map((each) => `${' '.repeat(column)}${each}`);
  return line.term.length < column
    ? [`${line.term.padEnd(column)}${first}`, ...more]
    : [line.term, `${' '.repeat(column)}${first}`, ...more];
}

function partsOf(page: HelpPage): readonly Part[] {
  switch (page) {
    case 'short':
      return shortParts();
    case 'all':
      return [usageLines, ...sectionsOf('run', 'config', 'automation', 'sessions', 'setup'), codes];
    case 'run':
    case 'config':
    case 'automation':
    case 'sessions':
    case 'setup':
      return [usageLines, ...pageOf(page)];
    case 'keys':
      return [keys];
    case 'examples':
      return [examples];
    case 'exit-codes':
      return [exitCodesText];
    default:
      return commandParts(page);
  }
}

const usageLines = ['Usage: massgen [TASK] [options]', '       massgen COMMAND [options]'];

function shortParts(): readonly Part[] {
  const common = optionsOf('run').filter(({ isCommon }) => isCommon === true);
  return [
    usageLines,
    introduction,
    ['Commands:', ...commands.slice(1).map(commandLine)],
    ['Options:', taskLine, ...common.map(optionLine)],
    ['More with massgen help PAGE:', ...topics.map(topicLine)],
    codes,
  ];
}

const titles: Readonly<Record<Topic, string>> = {
  run: 'The task and how it is played:',
  config: 'The team:',
  automation: 'For scripts:',
  sessions: 'Sessions:',
  setup: 'Setting up:',
  general: 'Everywhere:',
};

function sectionsOf(...wanted: readonly Topic[]): readonly Part[] {
  return [...wanted, 'general' as const].map((topic) => {
    const own = optionsOf('run').filter((option) => (option.topic ?? 'general') === topic);
    const first = topic === 'run' ? [taskLine] : [];
    return [titles[topic], ...first, ...own.map(optionLine)];
  });
}

function pageOf(topic: Topic & HelpTopic): readonly Part[] {
  const about: Partial<Record<Topic, readonly Part[]>> = {
    run: [atPaths],
    config: [places, trust],
    automation: [automationLines],
    sessions: [oneList],
    setup: [keys],
  };
  return [...sectionsOf(topic).slice(0, 1), ...(about[topic] ?? [])];
}

const atPaths =
  '@path in the task lets the agents read that file or folder, @path:w lets them propose to change it; \\@path and ' +
  'addresses such as ann@example.org stay words.';

const places: Part = [
  'A team file is looked for here:',
  row(
    '--config FILE',
    'the path; ~/.config/massgen/agents/FILE, also with .yaml; @examples/NAME: one that ships (--list-examples)',
  ),
  row('otherwise', '.massgen/config.yaml of the project, then ~/.config/massgen/config.yaml'),
];

const trust =
  'A file inside the project needs --trust-config before it reaches out of the project.';

const automationLines =
  'With --automation standard output has these lines alone, in this order: LOG_DIR, STATUS, RUNTIME_INBOX, QUESTION, one ' +
  'RESTART for each new attempt, WINNER, ANSWER_FILE, DURATION, the timeline where it was asked for, ANSWER_PREVIEW, COMPLETED. ' +
  'STATUS names status.json, which is written all along and holds the end. Nobody is asked: what would need a word is refused. ' +
  'A cap that was reached is finish_reason: budget, with exit code 0 when there is an answer.';

const oneList =
  'Sessions of the command line, of VS Code and of programs stand in one list, ~/.massgen/sessions.json, and go on from any ' +
  'folder, where they lie. While one process plays a session, others only read it.';

const keys =
  'Keys of services are looked for under the name of their variable, e.g. OPENAI_API_KEY: in the environment, then in .env of ' +
  'the current folder, ~/.massgen/.env, and ~/.config/massgen/.env. massgen --setup writes them, massgen --list-backends names them.';

const examples: Part = [
  'massgen "Fix the failing test" --project .',
  'massgen --model gpt-6.2-sol --model claude-sonnet-5-5 "Which is faster, @a.ts or @b.ts?"',
  'massgen --config @examples/basic/multi/three_agents_default "Mend the links in @docs:w"',
  'massgen --continue "Now document it"',
  'massgen --automation --timeline --config team.yaml "Fix it" >run.txt',
  'massgen --validate team.yaml --strict --json',
  'massgen redecide latest --rule unanimity',
];

const exitCodesText: Part = [
  ['0', 'done'],
  ['1', 'arguments or configuration; no model was asked'],
  ['2', 'no result: no answer, no consensus, or a result that could not be written'],
  [
    '3',
    'the deadline was reached, also when an answer could be saved (0 with timeout_with_answer_ok: true in the team file)',
  ],
  ['4', 'stopped, e.g. with Ctrl+C'],
].map(([term = '', text = '']) => ({ term, text, left: 3 }));

/** What a line of the list cannot say. */
const about: Partial<Record<Command, readonly string[]>> = {
  export: [
    `A folder, or with --output FILE.html all files as text on one page without a script.
How a run went, step by step, is what massgen viewer shows.`,
  ],
  viewer: [
    `The page shows what the panel in the editor shows, in any browser and without network;
nothing can be changed from there. A run that goes on is shown as it stands. The files
that agents made are not in it; massgen export writes those.`,
  ],
};

function commandParts(command: Exclude<Command, 'run'>): readonly Part[] {
  return [
    [`Usage: massgen ${synopsis(command)} [options]`],
    `${sentence(commands.find(({ name }) => name === command)?.summary ?? '')}.`,
    ...(about[command] ?? []),
    optionsOf(command).map(optionLine),
    ...(withoutRun.includes(command) ? [] : [runs]),
    codes,
  ];
}

const taskLine = row('TASK', 'what to do, in quotes');

function synopsis(command: Command): string {
  const operand = commands.find(({ name }) => name === command)?.operand ?? '';
  return operand === '' ? command : `${command} ${operand}`;
}

function commandLine({ name, summary }: CommandInfo): Line {
  return row(synopsis(name), summary);
}

function topicLine({ name, summary }: (typeof topics)[number]): Line {
  return row(name, summary);
}

function optionLine(option: OptionInfo): Line {
  const { name, alias, short, help } = option;
  const others = [
    alias === undefined ? [] : `, --${alias}`,
    short === undefined ? [] : `, -${short}`,
  ];
  return row(`--${name}${others.flat().join('')}${valueOf(option)}`, help);
}

function valueOf({ value, isValueOptional }: OptionInfo): string {
  return value === undefined ? '' : isValueOptional === true ? ` [${value}]` : ` ${value}`;
}

function row(term: string, text: string): Line {
  return { term: `  ${term}`, text };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
