import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentConfig } from '../config/run-config';
import type { OpenAddresses } from '../core/ports/open-web';
import type { ToolSource } from '../core/ports/tool';
import type { AgentWorkspace } from '../core/ports/workspace';
import { createMcpSource } from '../tools/mcp/source';
import { fileToolMemory } from '../tools/mcp/tool-memory';
import type { Services, ToolSourceParts } from './services';

export interface ToolSourcesParts extends Pick<
  Services,
  'storageDir' | 'secrets' | 'redactor' | 'clock' | 'logger'
> {
  readonly version: string;
  readonly openAddresses: OpenAddresses;
}

/** How the tools that one agent alone has are made. Starts nothing. */
export function toolSources(parts: ToolSourcesParts): Services['openToolSource'] {
  const { storageDir, secrets, redactor, clock, logger, version, openAddresses } = parts;
  const memory = fileToolMemory(join(storageDir, 'tool-servers.json'));
  const userHome = homedir();
  return (
    { tools }: AgentConfig,
    workspace: AgentWorkspace,
    { onChange }: ToolSourceParts,
  ): ToolSource | undefined => {
    const servers = tools?.servers ?? [];
    return servers.length === 0
      ? undefined
      : createMcpSource({
          ...{ servers, workspace, secrets, openAddresses, memory, version, clock, logger },
          ...{ onChange, userHome },
          cacheDir: join(userHome, '.cache', 'massgen', 'servers'),
          redact: (text) => redactor.redact(text),
        });
  };
}
