// Scripts that complete commands and options in a shell, made from the tables that are parsed and printed by the help.
import { type Command, commands, type OptionInfo, optionsOf } from './options';
import type { Shell } from './shells';

/** What the shell reads, e.g. with `source <(massgen completion bash)`. */
export function completionScript(shell: Shell): string {
  return { bash, zsh, fish }[shell]();
}

const subcommands = commands.slice(1);

function bash(): string {
  return [
    '# Use it with: source <(massgen completion bash)',
    '_massgen() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words',
    '  COMPREPLY=()',
    '  case "$before" in',
    ...valueCases(),
    '  esac',
    '  case "${COMP_WORDS[1]}" in',
    ...subcommands.map(({ name }) => `    ${name}) words='${optionWords(name)}' ;;`),
    `    *) words='${optionWords('run')}' ;;`,
    '  esac',
    `  if [ "$COMP_CWORD" = 1 ]; then words="$words ${subcommands.map(({ name }) => name).join(' ')}"; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _massgen massgen',
    '',
  ].join('\n');
}

/** The shell of macOS runs functions written for bash after this. */
function zsh(): string {
  const [, ...rest] = bash().split('\n');
  return [
    '# Use it with: source <(massgen completion zsh)',
    'autoload -U +X compinit && compinit',
    'autoload -U +X bashcompinit && bashcompinit',
    ...rest,
  ].join('\n');
}

/** After an option with a value only its values are offered; where there are none, the shell offers files. */
function valueCases(): readonly string[] {
  const all = new Map(
    commands.flatMap(({ name }) => optionsOf(name).map((option) => [option.name, option])),
  );
  const withValue = [...all.values()].filter(
    ({ value, isValueOptional }) => value !== undefined && isValueOptional !== true,
  );
  return withValue.map(({ name, choices = [] }) =>
    choices.length === 0
      ? `    --${name}) return ;;`
      : `    --${name}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`,
  );
}

function optionWords(command: Command): string {
  return optionsOf(command)
    .map(({ name }) => `--${name}`)
    .join(' ');
}

function fish(): string {
  const names = subcommands.map(({ name }) => name).join(' ');
  return [
    '# Use it with: massgen completion fish | source',
    ...subcommands.map(
      ({ name, summary }) =>
        `complete -c massgen -n __fish_use_subcommand -a ${name} -d ${fishText(summary)}`,
    ),
    ...optionsOf('run').map((option) =>
      fishOption(option, `not __fish_seen_subcommand_from ${names}`),
    ),
    ...subcommands.flatMap(({ name }) =>
      optionsOf(name).map((option) => fishOption(option, `__fish_seen_subcommand_from ${name}`)),
    ),
    '',
  ].join('\n');
}

function fishOption(
  { name, short, value, isValueOptional, choices = [], help }: OptionInfo,
  condition: string,
): string {
  const takesValue = value !== undefined && isValueOptional !== true;
  return [
    `complete -c massgen -n ${fishText(condition)} -l ${name}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(takesValue ? ['-r'] : []),
    ...(choices.length === 0 ? [] : [`-f -a ${fishText(choices.join(' '))}`]),
    `-d ${fishText(help)}`,
  ].join(' ');
}

function fishText(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
