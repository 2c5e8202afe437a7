import type { JsonSchema } from '../../core/ports/model-backend';
import type { Secrets } from '../../core/ports/secrets';
import type { ToolServerChange } from '../../core/ports/tool';
import type { AgentWorkspace } from '../../core/ports/workspace';

export interface CustomModule {
  readonly kind: 'module';
  /** As written; relative ones lie in the project. */
  readonly path: string;
  readonly function: string;
}

/** A tool of the user, as a team file names it. */
export interface CustomTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly run:
    CustomModule | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] };
  /** Set for every call, unseen by the model; `${NAME}` in them is filled in then. */
  readonly presetArguments: Readonly<Record<string, unknown>>;
  readonly inputSchema?: JsonSchema;
}

export interface CustomToolParts {
  readonly workspace: AgentWorkspace;
  /** Absolute; the user's own folder. */
  readonly projectFolder: string;
  /** Values of `${NAME}` in arguments that are set. */
  readonly secrets: Secrets;
  readonly userHome: string;
  /** Takes secrets out of what goes to the model. */
  readonly redact: (text: string) => string;
  /** Told when a tool can be used, or why it cannot. */
  readonly onChange: (change: ToolServerChange) => void;
}
