// One scripted agent in a confined view, and the parts of the test around it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAcpKind } from '../../../../src/backends/agents/acp/index';
import type { ProgramServices, ToolServerConfig } from '../../../../src/core/ports/backend-kind';
import type { BackendPart, ModelBackend, ToolSpec } from '../../../../src/core/ports/model-backend';
import type { AgentWorkspace } from '../../../../src/core/ports/workspace';
import { servicesWith } from '../../../contract/backend-kit';
import { confinedRun } from '../../workspace/confinement/confined-run';
import { fill, never, tempFolder } from '../../workspace/temp-project';

const agentFile = join(import.meta.dirname, '../../../support/scripted-programs/acp-agent.mjs');

/** One step of the script, see `acp-agent.mjs`. */
export type Step = Readonly<Record<string, unknown>>;

export interface AgentScript {
  readonly prompts: readonly (readonly Step[])[];
  readonly canLoad?: boolean;
  readonly protocolVersion?: number;
  readonly mustSignIn?: boolean;
  readonly agentInfo?: { readonly name: string };
  /** It never answers. */
  readonly isMute?: boolean;
  /** Stands in its arguments, for finding its processes. */
  readonly mark?: string;
}

export interface AcpBench {
  readonly backend: ModelBackend;
  readonly workspace: AgentWorkspace;
  readonly project: string;
  readonly home: string;
  /** What the product said to people about its programs. */
  readonly warnings: readonly string[];
}

export interface BenchOptions {
  readonly options?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly model?: string;
  readonly toolServers?: readonly ToolServerConfig[];
  readonly keys?: Readonly<Record<string, string>>;
  /** In the home, beside a folder that the agent may write. */
  readonly files?: Readonly<Record<string, string>>;
  readonly conceal?: (secret: string) => void;
}

export async function acpBench(script: AgentScript, more: BenchOptions = {}): Promise<AcpBench> {
  const home = tempFolder();
  const project = tempFolder();
  fill(home, { '.scripted/mark': '', ...more.files });
  fill(project, { 'a.txt': 'a\n' });
  const run = confinedRun(project, { homes: [home] });
  const workspace = await run.agent();
  const services: ProgramServices = {
    ...servicesWith(more.keys ?? {}),
    toolServers: more.toolServers ?? [],
    ...(more.conceal === undefined ? {} : { conceal: more.conceal }),
  };
  const backend = await createAcpKind(home).createIn(
    workspace,
    {
      ...{ type: 'acp', model: more.model ?? '', apiKeyName: undefined },
      options: {
        ...{ command: [process.execPath, agentFile], args: [JSON.stringify(script)] },
        ...{ credentials: ['~/.scripted'], ...more.options },
      },
    },
    services,
    never,
  );
  onTestFinished(async () => backend.close());
  return { backend, workspace, project, home, warnings: run.warnings };
}

export const workflowTools: readonly ToolSpec[] = ['new_answer', 'vote'].map((name) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: { content: { type: 'string' } } },
}));

/** Command lines of this machine that hold all of these words. */
export function processesWith(...words: readonly string[]): readonly string[] {
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((id) => commandLineOf(id));
  return lines.filter((line) => words.every((word) => line.includes(word)));
}

function commandLineOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

export function hostedTools(parts: readonly BackendPart[]): readonly unknown[] {
  return parts.filter((part) => part.type === 'hosted-tool');
}
