// Lists of tools in backend blocks: both at once, and names that no server of the agent has.
import { isScalar, isSeq } from 'yaml';
import { nearest } from '../base/text';
import type { AgentBlock } from './schema/agent-block';
import type { TeamFile } from './schema/team-file';
import { agentsOf } from './team-members';
import type { TeamReport } from './team-report';
import type { YamlText } from './yaml/parse-yaml';

type Path = readonly (string | number)[];

/** Warnings alone: an agent has at most the tools that its lists leave it. */
export function checkToolLists(team: TeamFile, yaml: YamlText, report: TeamReport): void {
  for (const [index, agent] of agentsOf(team).entries()) {
    const path: Path = [...(team.agents === undefined ? ['agent'] : ['agents', index]), 'backend'];
    const hasBoth = ['allowed_tools', 'exclude_tools'].every((name) => {
      const node: unknown = yaml.document.getIn([...path, name], true);
      return isSeq(node) && node.items.length > 0;
    });
    if (hasBoth) {
      const message =
        'Of the tools in allowed_tools, those that stand here too are left out. One of the two lists is easier to read.';
      report.at([...path, 'exclude_tools'], { code: 'duplicate', severity: 'warning', message });
    }
    // A program may have servers of its own, which no team file names.
    if (agent.backend?.isProgram === false) {
      checkNames(agent, { path, yaml, report });
    }
  }
}

interface Place {
  /** Of the backend block. */
  readonly path: Path;
  readonly yaml: YamlText;
  readonly report: TeamReport;
}

function checkNames({ backend }: AgentBlock, { path, yaml, report }: Place): void {
  const servers = backend?.tools?.servers.map(({ name }) => name) ?? [];
  for (const list of ['allowed_tools', 'exclude_tools']) {
    const node: unknown = yaml.document.getIn([...path, list], true);
    for (const [index, item] of isSeq(node) ? node.items.entries() : []) {
      const written = isScalar(item) ? String(item.value) : '';
      if (!servers.some((server) => written.startsWith(`mcp__${server}__`))) {
        reportStrange(written, servers, (draft) => {
          report.at([...path, list, index], draft);
        });
      }
    }
  }
}

/** Names without a server are those of tools, which are known only once their servers are asked. */
function reportStrange(
  written: string,
  servers: readonly string[],
  report: (draft: Parameters<TeamReport['at']>[1]) => void,
): void {
  const [, server, tool = ''] = /^mcp__(.+?)__(.*)$/.exec(written) ?? [];
  if (server === undefined) {
    return;
  }
  const meant = nearest(server, servers);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  report({
    ...{ code: 'no-effect', severity: 'warning' },
    message: `No server of this agent is called ${server}, so this names no tool of it.${hint}`,
    suggestion: meant === undefined ? undefined : `mcp__${meant}__${tool}`,
  });
}
