import { serversOfEditor } from '../config/editor-servers';
import type { ConfigProblem, RunConfig } from './app-contract';
import { deepFreeze } from '../config/freeze';

/** Agents of these types use the programs at these paths, unless their file names one itself. */
export function withPrograms(
  config: RunConfig,
  paths: Readonly<Record<string, string>>,
): RunConfig {
  const isMeant = ({ type, options }: RunConfig['agents'][number]['backend']): boolean =>
    Object.hasOwn(paths, type) && options['command'] === undefined;
  if (!config.agents.some(({ backend }) => isMeant(backend))) {
    return config;
  }
  const agents = config.agents.map((agent) => {
    const path = paths[agent.backend.type];
    return path === undefined || !isMeant(agent.backend)
      ? agent
      : {
          ...agent,
          backend: { ...agent.backend, options: { ...agent.backend.options, command: path } },
        };
  });
  return deepFreeze({ ...config, agents });
}

/** The same team, whose agents have no servers of tools. */
export function withoutServers(config: RunConfig): RunConfig {
  if (!config.agents.some(({ tools }) => (tools?.servers.length ?? 0) > 0)) {
    return config;
  }
  const agents = config.agents.map((agent) =>
    agent.tools === undefined ? agent : { ...agent, tools: { ...agent.tools, servers: [] } },
  );
  const notice = 'Servers of tools are switched off in the settings of this machine.';
  return deepFreeze({ ...config, agents, notices: [...config.notices, notice] });
}

/**
 * The same team, whose agents have the servers of the project's `.vscode/mcp.json` as well. A server of the team file
 * counts before one of the same name.
 */
export function withEditorServers(
  config: RunConfig,
  { text, path }: { readonly text: string; readonly path: string },
): { readonly config: RunConfig; readonly problems: readonly ConfigProblem[] } {
  const { servers, problems } = serversOfEditor(text, path);
  if (servers.length === 0) {
    return { config, problems };
  }
  const agents = config.agents.map((agent) => {
    const { servers: own = [], custom = [], uploads = [] } = agent.tools ?? {};
    const further = servers.filter(({ name }) => !own.some((one) => one.name === name));
    return { ...agent, tools: { servers: [...own, ...further], custom, uploads } };
  });
  return { config: deepFreeze({ ...config, agents }), problems };
}
