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

const introduction = `A team of agents does one task in parallel, each in its own workspace; they see each
other's answers, revise, and vote. Without a task a terminal asks for one; without
anything a scripted team shows all this on a copy of a sample project, and needs
neither network nor key.`;

const runs = 'RUN is the id of a run, its beginning, `latest`, or the path of its folder or log.';

const codes =
  'Exit codes: 0 done, 1 arguments or configuration, 2 no result, 3 time-out, 4 stopped.';

/** Commands that take no run. */
const withoutRun: readonly Command[] = ['runs', 'logs', 'clean-up', 'models', 'completion'];

const width = 88;
/** Column where explanations begin. */
const left = 21;

export function usage(page: HelpPage): string {
  return `${partsOf(page).join('\n\n')}\n`;
}

function partsOf(page: HelpPage): readonly string[] {
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

const usageLines = 'Usage: massgen [TASK] [options]\n       massgen COMMAND [options]';

function shortParts(): readonly string[] {
  const common = optionsOf('run').filter(({ isCommon }) => isCommon === true);
  return [
    usageLines,
    introduction,
    ['Commands:', ...commands.slice(1).flatMap(commandLines)].join('\n'),
    ['Options:', ...taskLines, ...common.flatMap(optionLines)].join('\n'),
    ['More with massgen help PAGE:', ...topics.flatMap(topicLines)].join('\n'),
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

function sectionsOf(...wanted: readonly Topic[]): readonly string[] {
  return [...wanted, 'general' as const].map((topic) => {
    const own = optionsOf('run').filter((option) => (option.topic ?? 'general') === topic);
    const first = topic === 'run' ? taskLines : [];
    return [titles[topic], ...first, ...own.flatMap(optionLines)].join('\n');
  });
}

function pageOf(topic: Topic & HelpTopic): readonly string[] {
  const about: Partial<Record<Topic, string>> = {
    run: atPaths,
    config: places,
    automation: automationLines,
    setup: keys,
  };
  return [...sectionsOf(topic).slice(0, 1), ...[about[topic] ?? []].flat()];
}

const atPaths = `@path in the task lets the agents read that file or folder, @path:w lets them propose
to change it; \\@path and addresses such as ann@example.org stay words.`;

const places = `A team file is looked for here:
  --config FILE      the path; ~/.config/massgen/agents/FILE, also with .yaml;
                     @examples/NAME: one that ships (--list-examples)
  otherwise          .massgen/config.yaml of the project,
                     then ~/.config/massgen/config.yaml
A file inside the project needs --trust-config before it reaches out of the project.`;

const automationLines = `With --automation standard output has these lines alone, in this order: LOG_DIR, STATUS,
QUESTION, one RESTART for each new attempt, WINNER, ANSWER_FILE, DURATION, the
timeline where it was asked for, ANSWER_PREVIEW, COMPLETED. STATUS names status.json,
which is written all along and holds the end. Nobody is asked: what would need a word
is refused.`;

const keys = `Keys of services are looked for under the name of their variable, e.g. OPENAI_API_KEY:
in the environment, then in .env of the current folder, ~/.massgen/.env, and
~/.config/massgen/.env. massgen --setup writes them, massgen models lists the types.`;

const examples = `massgen "Fix the failing test" --project .
massgen --model gpt-6.2-sol --model claude-sonnet-5-5 "Which is faster, @a.ts or @b.ts?"
massgen --config @examples/basic/multi/three_agents_default "Mend the links in @docs:w"
massgen --continue "Now document it"
massgen --automation --timeline --config team.yaml "Fix it" >run.txt
massgen --validate team.yaml --strict --json
massgen redecide latest --rule unanimity`;

const exitCodesText = `0  done
1  arguments or configuration; no model was asked
2  no result: no answer, no consensus, or a result that could not be written
3  the deadline was reached, also when an answer could be saved (0 with
   timeout_with_answer_ok: true in the team file)
4  stopped, e.g. with Ctrl+C`;

function commandParts(command: Exclude<Command, 'run'>): readonly string[] {
  return [
    `Usage: massgen ${synopsis(command)} [options]`,
    `${sentence(commands.find(({ name }) => name === command)?.summary ?? '')}.`,
    optionsOf(command).flatMap(optionLines).join('\n'),
    ...(withoutRun.includes(command) ? [] : [runs]),
    codes,
  ];
}

const taskLines = row('TASK', 'what to do, in quotes');

function synopsis(command: Command): string {
  const operand = commands.find(({ name }) => name === command)?.operand ?? '';
  return operand === '' ? command : `${command} ${operand}`;
}

function commandLines({ name, summary }: CommandInfo): readonly string[] {
  return row(synopsis(name), summary);
}

function topicLines({ name, summary }: (typeof topics)[number]): readonly string[] {
  return row(name, summary);
}

function optionLines(option: OptionInfo): readonly string[] {
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

function row(term: string, text: string): readonly string[] {
  const [first = '', ...rest] = wrap(text, width - left);
  const head = `  ${term}`;
  const lines = rest.map((line) => `${' '.repeat(left)}${line}`);
  return head.length < left
    ? [`${head.padEnd(left)}${first}`, ...lines]
    : [head, `${' '.repeat(left)}${first}`, ...lines];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
