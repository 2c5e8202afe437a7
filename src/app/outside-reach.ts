// Which parts of a team would give the task or code to another machine.
import type { App, RunConfig } from './app-contract';

export interface OutsideReach {
  readonly agentIds: readonly string[];
  /** A host, or what may reach any host, for people. */
  readonly place: string;
}

/** Empty when everything of the team stays on this machine. What only a person can allow is not counted. */
export function reachOutside(
  config: RunConfig,
  app: Pick<App, 'describeEgress' | 'backendKinds'>,
): readonly OutsideReach[] {
  const hosts = app.describeEgress(config).hosts.filter(({ host }) => !isThisMachine(host));
  const named = new Set(hosts.flatMap(({ agentIds }) => agentIds));
  const programs = config.agents.flatMap(({ id, backend }) => {
    const kind = app.backendKinds.find(({ type }) => type === backend.type);
    const isAnywhere = kind?.isProgram === true && !named.has(id);
    // Its makers decide where it sends what it reads.
    return isAnywhere ? [{ agentIds: [id], place: kind.title }] : [];
  });
  return joined([
    ...hosts.map(({ host, agentIds }) => ({ agentIds, place: host })),
    ...programs,
    ...config.agents.flatMap(serversOf),
  ]);
}

/** Each place once, with everybody who reaches it. */
function joined(all: readonly OutsideReach[]): readonly OutsideReach[] {
  const places = new Map<string, readonly string[]>();
  for (const { place, agentIds } of all) {
    places.set(place, [...new Set([...(places.get(place) ?? []), ...agentIds])]);
  }
  return [...places].map(([place, agentIds]) => ({ agentIds, place }));
}

/** A program that is not held to certain hosts can reach any. */
function serversOf({ id, tools }: RunConfig['agents'][number]): readonly OutsideReach[] {
  return (tools?.servers ?? []).flatMap(({ name, transport, hosts }) => {
    const places =
      transport.type === 'stdio'
        ? (hosts ?? [`server of tools "${name}"`])
        : [new URL(transport.url).host];
    return places
      .filter((place) => !isThisMachine(place))
      .map((place) => ({ agentIds: [id], place }));
  });
}

/** Whether a host, with or without a port, is this machine by its name; another one of a private network is not. */
function isThisMachine(host: string): boolean {
  const { hostname } = URL.canParse(`http://${host}`)
    ? new URL(`http://${host}`)
    : { hostname: host };
  return (
    /^(localhost|.+\.localhost|\[::1\])$/.test(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
