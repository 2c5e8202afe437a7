import { type Command, type CommandInfo, commands, type OptionInfo, optionsOf } from './options';
import { wrap } from './table';

const introduction = `A team of agents does one task in parallel, each in its own workspace; they see each
other's answers, revise, and vote. Without arguments a scripted team shows this on a
copy of the sample project; it needs neither network nor key.`;

const runs = 'RUN is the id of a run, its beginning, `latest`, or the path of its folder or log.';

const codes =
  'Exit codes: 0 done, 1 arguments or configuration, 2 no result, 3 time-out, 4 stopped.';

/** Commands that take no run. */
const withoutRun: readonly Command[] = ['runs', 'clean-up', 'models'];

const width = 88;
/** Column where explanations begin. */
const left = 21;

/** What `--help` prints: about everything, or about one command. */
export function usage(command: Command = 'run'): string {
  const parts =
    command === 'run'
      ? [
          'Usage: massgen [TASK] [options]\n       massgen COMMAND [options]',
          introduction,
          ['Commands:', ...commands.slice(1).flatMap(commandLines)].join('\n'),
          [...taskLines, ...optionsOf('run').flatMap(optionLines)].join('\n'),
          runs,
          codes,
        ]
      : [
          `Usage: massgen ${synopsis(command)} [options]`,
          `${sentence(commands.find(({ name }) => name === command)?.summary ?? '')}.`,
          optionsOf(command).flatMap(optionLines).join('\n'),
          ...(withoutRun.includes(command) ? [] : [runs]),
          codes,
        ];
  return `${parts.join('\n\n')}\n`;
}

const taskLines = row('TASK', 'what to do, in quotes');

function synopsis(command: Command): string {
  const operand = commands.find(({ name }) => name === command)?.operand ?? '';
  return operand === '' ? command : `${command} ${operand}`;
}

function commandLines({ name, summary }: CommandInfo): readonly string[] {
  return row(synopsis(name), summary);
}

function optionLines({ name, value, short, help }: OptionInfo): readonly string[] {
  const shortName = short === undefined ? '' : `, -${short}`;
  return row(`--${name}${value === undefined ? '' : ` ${value}`}${shortName}`, help);
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
