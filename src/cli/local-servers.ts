import type { App } from '../app/app-contract';
import { revealOnOneLine } from '../run/selectors/visible-text';

type LocalServer = Awaited<ReturnType<App['detectLocalServers']>>[number];

/** What of this machine could do a task that the shipped script does not know; empty when nothing answers. */
export function localServerLines(servers: readonly LocalServer[]): readonly string[] {
  return servers.flatMap(({ name, baseUrl, models }) => {
    const names = revealOnOneLine(models.join(', '));
    return models.length === 0
      ? [`${name} answers at ${baseUrl}; it has no model yet.`]
      : [
          `${name} answers at ${baseUrl} with ${names}.`,
          'configs/local-models.yaml shows how a team names it.',
        ];
  });
}
