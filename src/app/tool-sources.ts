import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentConfig } from '../config/run-config';
import type { OpenAddresses } from '../core/ports/open-web';
import type { SignIns } from '../core/ports/sign-ins';
import type { ToolSource } from '../core/ports/tool';
import type { AgentWorkspace } from '../core/ports/workspace';
import { createCustomTools } from '../tools/custom/custom-source';
import { SignIn } from '../tools/mcp/sign-in/sign-in';
import { createMcpSource } from '../tools/mcp/source';
import { fileToolMemory } from '../tools/mcp/tool-memory';
import type { McpSourceOptions } from '../tools/mcp/source-parts';
import { placeFetch } from '../tools/mcp/web-fetch';
import { joinSources } from './joined-source';
import type { Services, ToolSourceParts } from './services';

export interface ToolSourcesParts extends Pick<
  Services,
  'storageDir' | 'secrets' | 'redactor' | 'clock' | 'logger'
> {
  readonly version: string;
  readonly openAddresses: OpenAddresses;
  /** Absent: nobody can sign in to a server here. */
  readonly signIns?: SignIns;
}

/** How the tools that one agent alone has are made. Starts nothing. */
export function toolSources(parts: ToolSourcesParts): Services['openToolSource'] {
  const { storageDir, secrets, redactor, clock, logger, version, openAddresses } = parts;
  const memory = fileToolMemory(join(storageDir, 'tool-servers.json'));
  const userHome = homedir();
  const signInTo = signInsBy(parts);
  const servers = (
    of: AgentConfig,
    workspace: AgentWorkspace,
    onChange: ToolSourceParts['onChange'],
  ): ToolSource =>
    createMcpSource({
      ...{ servers: of.tools?.servers ?? [], workspace, secrets, openAddresses, memory, version },
      ...{ clock, logger, onChange, userHome },
      ...(signInTo === undefined ? {} : { signInTo }),
      cacheDir: join(userHome, '.cache', 'massgen', 'servers'),
      redact: (text) => redactor.redact(text),
    });
  return (agent, workspace, { projectFolder, onChange }) => {
    const { custom = [], servers: listed = [] } = agent.tools ?? {};
    const folder = projectFolder ?? workspace.roots[0]?.shownPath ?? userHome;
    return joinSources([
      listed.length === 0 ? undefined : servers(agent, workspace, onChange),
      createCustomTools(custom, {
        ...{ workspace, projectFolder: folder, secrets, userHome, onChange },
        redact: (text) => redactor.redact(text),
      }),
    ]);
  };
}

/** One for each address, whichever agents and runs use it. */
function signInsBy({
  signIns,
  openAddresses,
  clock,
  redactor,
}: ToolSourcesParts): McpSourceOptions['signInTo'] {
  if (signIns === undefined) {
    return undefined;
  }
  const all = new Map<string, SignIn>();
  return ({ server, url, isLocalAllowed }) => {
    const key = `${String(isLocalAllowed)} ${url.href}`;
    const known = all.get(key);
    if (known !== undefined) {
      return known;
    }
    const made = new SignIn({
      ...{ server, url, isLocalAllowed, signIns, clock },
      fetch: placeFetch({ isLocalAllowed, openAddresses }),
      conceal: (secret) => redactor.add(secret),
    });
    all.set(key, made);
    return made;
  };
}
