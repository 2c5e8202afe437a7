import type { RunConfig } from './app-contract';
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
