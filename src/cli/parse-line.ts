import { Command as Parser, CommanderError, Option } from 'commander';
import { nearest } from '../base/text';
import { UsageError } from './failure';
import { insteadOfOption } from './options-elsewhere';
import { type Command, type OptionInfo, options, optionsOf } from './options';

/** What was written after the options, by their names. */
export interface Values {
  one(name: string): string | undefined;
  all(name: string): readonly string[];
  isSet(name: string): boolean;
}

export interface ParsedLine {
  readonly values: Values;
  readonly positionals: readonly string[];
}

/** Takes a line apart by the table of options. Throws `UsageError` for what does not stand there. */
export function parseLine(args: readonly string[], command: Command): ParsedLine {
  const parser = new Parser().exitOverride().helpOption(false).argument('[words...]');
  parser.configureOutput({ writeErr: () => undefined });
  parser.showSuggestionAfterError(false);
  const written = new Map<string, readonly string[]>();
  for (const info of optionsOf(command)) {
    parser.addOption(toOption(info));
    parser.on(`option:${info.name}`, (value?: string | null) => {
      written.set(info.name, [...(written.get(info.name) ?? []), ...[value ?? []].flat()]);
    });
  }
  refuseOptionsAsValues(args, command);
  try {
    parser.parse([...args], { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? asUsage(error, command) : error;
  }
  refuseTwoValues(written, command);
  return {
    values: {
      one: (name) => written.get(name)?.at(-1),
      all: (name) => written.get(name) ?? [],
      isSet: (name) => written.has(name),
    },
    positionals: parser.args,
  };
}

/** The library takes any word as a value, so that a forgotten value would take the next option out of the line. */
function refuseOptionsAsValues(args: readonly string[], command: Command): void {
  const end = args.indexOf('--');
  const takers = new Map(
    optionsOf(command).flatMap((info) =>
      info.value === undefined || info.isValueOptional === true
        ? []
        : writtenNames(info).map((name) => [name, info] as const),
    ),
  );
  for (let i = 0; i < (end === -1 ? args.length : end); i++) {
    const info = takers.get(args[i] ?? '');
    const next = args[i + 1];
    if (info !== undefined && next !== undefined) {
      if (isOptionName(next)) {
        throw new UsageError(
          `--${info.name} needs a value.`,
          `${next} is an option of its own; if it is meant as the value, write --${info.name}=${next}.`,
        );
      }
      i++;
    }
  }
}

function isOptionName(word: string): boolean {
  const name = word.replace(/=[^]*/, '');
  return word === '--' || options.some((info) => writtenNames(info).includes(name));
}

/** Which of two is meant nobody can know, and the other one would be as if it had not been written. */
function refuseTwoValues(written: ReadonlyMap<string, readonly string[]>, command: Command): void {
  for (const { name, isRepeatable } of optionsOf(command)) {
    const values = [...new Set(written.get(name))];
    if (isRepeatable !== true && values.length > 1) {
      throw new UsageError(`--${name} is given more than once: ${values.join(', ')}.`);
    }
  }
}

/** With their dashes, the main one last. */
function writtenNames({ short, alias, name }: OptionInfo): readonly string[] {
  const others = [short === undefined ? [] : `-${short}`, alias ?? []].flat();
  return [...others.map((each) => (each.startsWith('-') ? each : `--${each}`)), `--${name}`];
}

function toOption(info: OptionInfo): Option {
  const option = new Option(`${writtenNames(info).join(', ')}${valueOf(info)}`);
  return info.choices === undefined ? option : option.choices(info.choices);
}

function valueOf({ value, isValueOptional }: OptionInfo): string {
  return value === undefined ? '' : isValueOptional === true ? ` [${value}]` : ` <${value}>`;
}

/** In our words, because the library does not know what other commands take and what is done otherwise here. */
function asUsage({ code, message }: CommanderError, command: Command): UsageError {
  const name = /'(?:-\w, )?(?:--[\w-]+, )?--?([\w-]+)/.exec(message)?.[1] ?? '';
  const page = command === 'run' ? 'massgen --help all' : `massgen ${command} --help`;
  switch (code) {
    case 'commander.unknownOption':
      return unknownOption(/'([^]*)'/.exec(message)?.[1] ?? '', command, page);
    case 'commander.optionMissingArgument':
      return new UsageError(`--${name} needs a value.`, `${page} says which.`);
    case 'commander.invalidArgument':
      return invalidValue(name, message);
    default:
      return new UsageError(
        sentence(message.replace(/^error: /, '')),
        `${page} lists the options.`,
      );
  }
}

function invalidValue(name: string, message: string): UsageError {
  const given = /argument '(.*)' is invalid/s.exec(message)?.[1] ?? '';
  const choices = options.find((option) => option.name === name)?.choices ?? [];
  const near = nearest(given, choices);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return new UsageError(`--${name} takes one of ${choices.join(', ')}, not ${given}.${hint}`);
}

/** `word`: as it stands in the line, with its dashes. */
function unknownOption(word: string, command: Command, page: string): UsageError {
  const name = word.replace(/^--?/, '').replace(/=[^]*/, '');
  const own = optionsOf(command).find((info) => writtenNames(info).includes(`--${name}`));
  if (own !== undefined && word.startsWith('--')) {
    return new UsageError(`--${name} takes no value.`, `${page} says what it does.`);
  }
  const other = options.find((each) => each.name === name || each.alias === name)?.commands;
  if (other !== undefined) {
    const places = other.map((each) => (each === 'run' ? 'a new run' : `massgen ${each}`));
    return new UsageError(`--${name} is an option of ${places.join(' and ')} only.`);
  }
  const instead = insteadOfOption(name);
  if (instead !== undefined) {
    return new UsageError(`--${name} is not available here.`, instead);
  }
  const known = optionsOf(command).map((each) => each.name);
  const suggestion = nearest(name, known);
  const hint = suggestion === undefined ? '' : ` Did you mean --${suggestion}?`;
  const written = word.replace(/(?<=[^-])=[^]*/, '');
  return new UsageError(`${written} is not an option.${hint}`, `${page} lists them.`);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
