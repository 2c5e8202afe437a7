import type { BackendSettings } from '../../../core/ports/backend-kind';
import type { BridgeCommand } from '../bridge/bridge';
import { bridgeName } from '../bridge/mcp-answers';
import { textOption } from '../options';
import type { ReadyServer } from '../tool-servers';

/** Where the program looks for its settings, in its own folder. */
export const settingsName = 'config.toml';

type Setting = readonly [name: string, toml: string];

/** Name of the service of `base_url` among those that the program knows. */
const provider = 'massgen_service';

/** Text of the program's settings. Holds secrets of servers: for a file that nobody else can read. */
export function settingsText(
  { options }: BackendSettings,
  bridge: BridgeCommand,
  servers: readonly ReadyServer[],
): string {
  const baseUrl = textOption(options, 'base_url');
  const effort = textOption(options, 'reasoning_effort');
  const settings: readonly Setting[] = [
    ['approval_policy', text('never')],
    ['check_for_update_on_startup', 'false'],
    ...(effort === undefined ? [] : [['model_reasoning_effort', text(effort)] as const]),
    ...(baseUrl === undefined ? [] : serviceSettings(baseUrl)),
    ...bridgeSettings(bridge),
    ...servers.flatMap(serverSettings),
  ];
  return settings.map(([name, value]) => `${name} = ${value}\n`).join('');
}

function serviceSettings(baseUrl: string): readonly Setting[] {
  const at = `model_providers.${provider}`;
  return [
    ['model_provider', text(provider)],
    [`${at}.name`, text(provider)],
    [`${at}.base_url`, text(baseUrl)],
    [`${at}.env_key`, text('CODEX_API_KEY')],
    [`${at}.wire_api`, text('responses')],
  ];
}

function bridgeSettings({ command, args, environment }: BridgeCommand): readonly Setting[] {
  const at = `mcp_servers.${bridgeName}`;
  return [
    [`${at}.command`, text(command)],
    [`${at}.args`, list(args)],
    [`${at}.env`, table(environment)],
  ];
}

function serverSettings(server: ReadyServer): readonly Setting[] {
  const { name, allowedTools, excludedTools } = server;
  const at = `mcp_servers.${name}`;
  const tools: readonly Setting[] = [
    ...(allowedTools === undefined ? [] : [[`${at}.enabled_tools`, list(allowedTools)] as const]),
    ...(excludedTools.length === 0 ? [] : [[`${at}.disabled_tools`, list(excludedTools)] as const]),
  ];
  return server.type === 'stdio'
    ? [
        [`${at}.command`, text(server.command)],
        [`${at}.args`, list(server.args)],
        [`${at}.env`, table(server.environment)],
        ...tools,
      ]
    : [[`${at}.url`, text(server.url)], [`${at}.http_headers`, table(server.headers)], ...tools];
}

/** A text as TOML has it, which takes all of JSON's but its bare DEL. */
function text(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

function list(values: readonly string[]): string {
  return `[${values.map(text).join(', ')}]`;
}

function table(members: Readonly<Record<string, string>>): string {
  return `{${Object.entries(members)
    .map(([name, value]) => `${text(name)} = ${text(value)}`)
    .join(', ')}}`;
}
