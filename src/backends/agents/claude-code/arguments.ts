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

export function permissionModeOf({ options }: BackendSettings): PermissionMode {
  const named = textOption(options, 'permission_mode');
  return permissionModes.find((mode) => mode === named) ?? 'acceptEdits';
}

/** `configFile`: path of the list of servers. */
export function claudeArguments(
  { model, options }: BackendSettings,
  configFile: string,
  about: {
    readonly mode: PermissionMode;
    readonly resume: string | undefined;
    readonly servers: readonly ReadyServer[];
  },
): readonly string[] {
  const allowed = textsOption(options, 'allowed_tools');
  const excluded = about.servers.flatMap(({ name, excludedTools }) =>
    excludedTools.map((tool) => `mcp__${name}__${tool}`),
  );
  const disallowed = [...never, ...textsOption(options, 'disallowed_tools'), ...excluded];
  const turns = numberOption(options, 'max_turns');
  return [
    ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--include-partial-messages', '--permission-prompt-tool', 'stdio'],
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
