import type { ToolServerConfig } from '../../core/ports/backend-kind';
import type { Clock } from '../../core/ports/clock';
import type { Logger } from '../../core/ports/logger';
import type { OpenAddresses } from '../../core/ports/open-web';
import type { Secrets } from '../../core/ports/secrets';
import type { ToolServerChange } from '../../core/ports/tool';
import type { AgentWorkspace } from '../../core/ports/workspace';
import type { SignIn, SignInParts } from './sign-in/sign-in';
import type { ToolMemory } from './tool-memory';

export interface McpSourceOptions {
  readonly servers: readonly ToolServerConfig[];
  readonly workspace: AgentWorkspace;
  readonly secrets: Secrets;
  readonly openAddresses: OpenAddresses;
  /** What tools were like when servers were last used; absent: nobody remembers. */
  readonly memory?: ToolMemory;
  /** The sign-in to a server, the same for all agents; absent: nobody can be asked for one. */
  readonly signInTo?: (place: Pick<SignInParts, 'server' | 'url' | 'isLocalAllowed'>) => SignIn;
  /** Folder in the user's home for what servers fetch when they start. */
  readonly cacheDir: string;
  readonly userHome: string;
  /** Version of the product, which servers are told. */
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  /** Characters that a program may say unasked in its life before it is stopped; absent: so many as no honest one says. */
  readonly mostUnasked?: number;
  readonly onChange: (change: ToolServerChange) => void;
}
