// `command_line_*` of a backend block: how commands of its agent are kept apart, and which may run.
import type { CommandRules } from '../../core/ports/command-rules';
import { list, mapping, record } from './collections';
import { commandPatterns } from './command-patterns';
import { boolean, number, oneOf, text } from './scalars';
import { field, type Fields } from './spec';
import { demand, each, unless, withoutEffect } from './without-effect';

/** Keys with an effect. */
export const commandFields = {
  command_line_execution_mode: field(
    oneOf('local', 'docker', 'srt'),
    'Commands are confined by this machine whatever stands here. With `docker` or `srt` they never run unconfined without a person who allows each.',
    { defaultText: 'local' },
  ),
  command_line_allowed_commands: field(
    commandPatterns(),
    'Regular expressions; each command of a line must begin with one of them.',
  ),
  command_line_blocked_commands: field(
    commandPatterns(),
    'Regular expressions; no command of a line may begin with one of them.',
  ),
} satisfies Fields;

export interface CommandValues {
  readonly enable_mcp_command_line?: boolean | undefined;
  readonly command_line_execution_mode?: 'local' | 'docker' | 'srt' | undefined;
  readonly command_line_allowed_commands?: readonly string[] | undefined;
  readonly command_line_blocked_commands?: readonly string[] | undefined;
}

/** `undefined` when the file says nothing that differs from what always holds. */
export function commandRulesOf(values: CommandValues): CommandRules | undefined {
  const { command_line_execution_mode: mode = 'local' } = values;
  const allowed = values.command_line_allowed_commands ?? [];
  const blocked = values.command_line_blocked_commands ?? [];
  const isForbidden = values.enable_mcp_command_line === false;
  return mode === 'local' && allowed.length === 0 && blocked.length === 0 && !isForbidden
    ? undefined
    : {
        ...{ mustBeConfined: mode !== 'local', allowed, blocked },
        ...(isForbidden ? { isForbidden } : {}),
      };
}

const names = list(text());
const noContainer = 'no container is used';
const neverGiven = 'commands get no sign-ins, variables or folders beyond their view';

const credentials = mapping(
  {
    mount: field(
      list(oneOf('ssh_keys', 'git_config', 'gh_config', 'npm_config', 'pypi_config')),
      'Files of the home that the container sees.',
    ),
    additional_mounts: field(
      record(
        mapping(
          {
            bind: field(text(), 'Path in the container.'),
            mode: field(oneOf('ro', 'rw'), 'Whether it may be written.'),
          },
          'warning',
        ),
      ),
      'Further paths that the container sees.',
    ),
    env_file: field(text(), 'File with variables.'),
    env_vars_from_file: field(names, 'Those of them that are given.'),
    env_vars: field(names, 'Variables that are given.'),
    pass_all_env: field(boolean(), 'Whether all variables are given.'),
  },
  'warning',
);

const packages = mapping(
  {
    preinstall: field(
      mapping(
        {
          python: field(names, 'Packages of Python.'),
          npm: field(names, 'Packages of Node.js.'),
          system: field(names, 'Packages of the system.'),
        },
        'warning',
      ),
      'What is installed beforehand.',
    ),
  },
  'warning',
);

/** Of containers: more than what agents have here is not given, a limit that is not kept is refused. */
const containerKeys = {
  command_line_docker_image: withoutEffect('container', text(), noContainer),
  command_line_docker_memory_limit: limit(text(), 'memory'),
  command_line_docker_cpu_limit: limit(number({ above: 0 }), 'processor'),
  command_line_docker_network_mode: withoutEffect(
    'container',
    oneOf('none', 'bridge', 'host'),
    'confined commands have no network',
  ),
  command_line_docker_enable_sudo: withoutEffect(
    'container',
    boolean(),
    'commands never get more rights',
  ),
  command_line_docker_credentials: withoutEffect('container', credentials, neverGiven),
  command_line_docker_packages: withoutEffect(
    'container',
    packages,
    'nothing is installed beforehand',
  ),
  ...each(
    'container',
    [
      ...(['ssh_keys', 'git_config', 'gh_config', 'npm_config', 'pypi_config'] as const).map(
        (name) => `command_line_docker_mount_${name}` as const,
      ),
      'command_line_docker_additional_mounts',
      'command_line_docker_env_file',
      'command_line_docker_pass_env_vars',
      'command_line_docker_pass_all_env',
    ],
    undefined,
    neverGiven,
  ),
  ...each(
    'container',
    ['command_line_docker_auto_install_deps', 'command_line_docker_preinstall_packages'],
    undefined,
    'nothing is installed beforehand',
  ),
};

function limit(spec: ReturnType<typeof text> | ReturnType<typeof number>, what: string) {
  return demand<string | number>('container', spec, {
    reason: '',
    refused: 'always',
    refusalOf: () =>
      `Commands have no ${what} limit here, so this cannot be kept. Take it out if the team may run without it.`,
  });
}

/** Of the other sandbox. */
const sandboxKeys = {
  command_line_srt_read_mode: demand('commands', oneOf('confined', 'strict', 'open'), {
    reason: 'commands read the system, and of your files their view alone',
    refused: 'strict',
    refusalOf: (mode) =>
      mode === 'strict'
        ? 'Confined commands can read files of the system here, so strict cannot be kept; write confined if that will do.'
        : undefined,
  }),
  command_line_srt_deny_read: demand('commands', names, {
    reason: '',
    refused: 'any path',
    isIdle: (paths) => paths.length === 0,
    refusalOf: () =>
      'Single paths cannot be hidden from commands by this key; name them in .massgenignore, and take it out.',
  }),
  ...each(
    'commands',
    [
      'command_line_srt_allow_read',
      'command_line_srt_network_allowed_domains',
      'command_line_srt_allow_unix_sockets',
    ],
    names,
    'confined commands see their view alone and have no network',
  ),
};

export const commandKeysWithoutEffect = {
  ...containerKeys,
  ...sandboxKeys,
  enforce_read_before_delete: unless(
    true,
    'commands',
    boolean(),
    'a file is read before it is deleted, always',
  ),
};
