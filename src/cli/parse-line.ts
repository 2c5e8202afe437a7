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
  try {
    parser.parse([...args], { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? asUsage(error, command) : error;
  }
  return {
    values: {
      one: (name) => written.get(name)?.at(-1),
      all: (name) => written.get(name) ?? [],
      isSet: (name) => written.has(name),
    },
    positionals: parser.args,
  };
}

function toOption(info: OptionInfo): Option {
  const names = [info.short === undefined ? [] : `-${info.short}`, info.alias ?? []].flat();
  const alias = names.map((name) => (name.startsWith('-') ? name : `--${name}`));
  const option = new Option([...alias, `--${info.name}${valueOf(info)}`].join(', '));
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
      return unknownOption(name, command, page);
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

function unknownOption(name: string, command: Command, page: string): UsageError {
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
  const written = name.length === 1 ? `-${name}` : `--${name}`;
  return new UsageError(`${written} is not an option.${hint}`, `${page} lists them.`);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
