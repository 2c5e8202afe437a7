import type { BackendSettings } from '../../../core/ports/backend-kind';
import type { BridgeCommand } from '../bridge/bridge';
import { bridgeName } from '../bridge/mcp-answers';
import { textOption } from '../options';
import type { ReadyServer } from '../tool-servers';

/** How one prompt is run. Secrets stand in `environment` alone: everybody on a machine can read a line of arguments. */
export interface CodexLaunch {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface CodexRun {
  /** Absolute. */
  readonly cwd: string;
  readonly bridge: BridgeCommand;
  readonly servers: readonly ReadyServer[];
  /** Session to go on with. */
  readonly resume: string | undefined;
}

type Setting = readonly [name: string, toml: string];

/** Name of the service of `base_url` among those that the program knows. */
const provider = 'massgen_service';

/** The prompt comes over the program's input. */
export function codexLaunch({ model, options }: BackendSettings, run: CodexRun): CodexLaunch {
  const baseUrl = textOption(options, 'base_url');
  const effort = textOption(options, 'reasoning_effort');
  const settings: readonly Setting[] = [
    ['approval_policy', text('never')],
    ['check_for_update_on_startup', 'false'],
    ...(effort === undefined ? [] : [['model_reasoning_effort', text(effort)] as const]),
    ...(baseUrl === undefined ? [] : serviceSettings(baseUrl)),
    ...bridgeSettings(run.bridge),
    ...run.servers.flatMap(serverSettings),
  ];
  return {
    args: [
      ...['exec', '--json', '--skip-git-repo-check', '--cd', run.cwd],
      // It is confined from outside; its own sandbox could not be set up inside of that.
      ...['--sandbox', 'danger-full-access'],
      ...(model === '' ? [] : ['--model', model]),
      ...settings.flatMap(([name, value]) => ['--config', `${name}=${value}`]),
      ...(run.resume === undefined ? ['-'] : ['resume', run.resume, '-']),
    ],
    environment: Object.fromEntries(run.servers.flatMap(variablesOf)),
  };
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
  if (server.type === 'stdio') {
    return [
      [`${at}.command`, text(server.command)],
      [`${at}.args`, list(server.args)],
      [`${at}.env_vars`, list(Object.keys(server.environment))],
      ...tools,
    ];
  }
  const headers = Object.keys(server.headers).map((header): readonly [string, string] => [
    header,
    headerName(name, header),
  ]);
  return [
    [`${at}.url`, text(server.url)],
    [`${at}.env_http_headers`, table(Object.fromEntries(headers))],
    ...tools,
  ];
}

function variablesOf(server: ReadyServer): readonly (readonly [string, string])[] {
  return server.type === 'stdio'
    ? Object.entries(server.environment)
    : Object.entries(server.headers).map(([header, value]) => [
        headerName(server.name, header),
        value,
      ]);
}

function headerName(server: string, header: string): string {
  return `MASSGEN_HEADER_${server}_${header}`.toUpperCase().replace(/[^A-Z0-9]/g, '_');
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
