import type { BackendSettings } from '../../../core/ports/backend-kind';
import { bridgeName } from '../bridge/mcp-answers';
import { numberOption, textOption, textsOption } from '../options';
import type { ReadyServer } from '../tool-servers';

export const permissionModes = ['default', 'acceptEdits', 'bypassPermissions', 'plan'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** Tools that wait for a person, or for another time or place than that of this turn. */
const never = [
  ...['AskUserQuestion', 'EnterPlanMode', 'EnterWorktree', 'ExitWorktree'],
  ...['CronCreate', 'CronDelete', 'CronList', 'ScheduleWakeup', 'SendMessage'],
];

/** Commands that do harm where they are wrong; kept from the program unless its block says otherwise. */
const usuallyRefused = ['rm', 'sudo', 'su', 'chmod', 'chown'].map((name) => `Bash(${name}:*)`);

/** Tools and rules that the block of the agent refuses, or the usual ones. */
export function refusedRules({ options }: BackendSettings): readonly string[] {
  return options['disallowed_tools'] === undefined
    ? usuallyRefused
    : textsOption(options, 'disallowed_tools');
}

export function permissionModeOf({ options }: BackendSettings): PermissionMode {
  const named = textOption(options, 'permission_mode');
  return permissionModes.find((mode) => mode === named) ?? 'acceptEdits';
}

/** `configFile`: path of the list of servers. */
export function claudeArguments(
  settings: BackendSettings,
  configFile: string,
  about: {
    readonly mode: PermissionMode;
    readonly resume: string | undefined;
    readonly servers: readonly ReadyServer[];
  },
): readonly string[] {
  const { model, options } = settings;
  const allowed = textsOption(options, 'allowed_tools');
  const excluded = about.servers.flatMap(({ name, excludedTools }) =>
    excludedTools.map((tool) => `mcp__${name}__${tool}`),
  );
  const disallowed = [...never, ...refusedRules(settings), ...excluded];
  const turns = numberOption(options, 'max_turns');
  return [
    ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    // What it is told comes back when its work at that begins.
    ...['--include-partial-messages', '--replay-user-messages'],
    ...['--permission-prompt-tool', 'stdio'],
    ...['--strict-mcp-config', '--mcp-config', configFile],
    // Settings of a repository could name commands and take permissions.
    ...['--setting-sources', '', `--allowedTools=mcp__${bridgeName}`],
    ...['--permission-mode', about.mode],
    ...(about.mode === 'bypassPermissions' ? ['--allow-dangerously-skip-permissions'] : []),
    // Rules such as `Bash(npm *)` would be permissions; here the list only says which tools there are.
    ...(allowed.length === 0 ? [] : [`--tools=${toolNames(allowed).join(',')}`]),
    `--disallowedTools=${disallowed.join(',')}`,
    ...(model === '' ? [] : ['--model', model]),
    ...(turns === undefined ? [] : ['--max-turns', String(turns)]),
    ...(about.resume === undefined ? [] : ['--resume', about.resume]),
  ];
}

function toolNames(rules: readonly string[]): readonly string[] {
  const names = rules.map((rule) => rule.replace(/\(.*$/, '').trim());
  return [...new Set(names.filter((name) => name !== '' && !name.startsWith('mcp__')))];
}

/** Text of the list of servers. */
export function serverConfig(
  bridge: {
    readonly command: string;
    readonly args: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  },
  servers: readonly ReadyServer[],
): string {
  const own = {
    ...{ type: 'stdio', command: bridge.command, args: bridge.args, env: bridge.environment },
    // It is needed in every turn, so it must not be left to be searched for.
    alwaysLoad: true,
  };
  const entries = servers.map((server): readonly [string, unknown] => [
    server.name,
    server.type === 'stdio'
      ? {
          ...{ type: 'stdio', command: server.command, args: server.args },
          env: server.environment,
        }
      : { type: server.type, url: server.url, headers: server.headers },
  ]);
  return JSON.stringify({ mcpServers: { ...Object.fromEntries(entries), [bridgeName]: own } });
}
