// One scripted program that really runs, without confinement: for what is said to it.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClaudeCodeKind } from '../../../../src/backends/agents/claude-code/index';
import { createCodexKind } from '../../../../src/backends/agents/codex/index';
import type {
  OptionValue,
  ProgramKind,
  ToolServerConfig,
} from '../../../../src/core/ports/backend-kind';
import type {
  ApprovalQuestion,
  ModelBackend,
  ModelRequest,
} from '../../../../src/core/ports/model-backend';
import type { AgentWorkspace, Program, ProgramRequest } from '../../../../src/core/ports/workspace';
import { requestOf, servicesWith } from '../../../contract/backend-kit';
import { SpawningWorkspace } from '../../../support/spawning-workspace';
import { never, tempFolder } from '../../workspace/temp-project';
import { type Step, workflowTools } from './acp-bench';

export interface Opening {
  readonly kind: (home: string) => ProgramKind;
  /** Of the scripted program. */
  readonly file: string;
  readonly prompts: readonly (readonly Step[])[];
  readonly options?: Readonly<Record<string, OptionValue>>;
  /** Absent: the program has to be signed in. */
  readonly key?: string;
  readonly home?: string;
  readonly keys?: Readonly<Record<string, string>>;
  readonly toolServers?: readonly ToolServerConfig[];
  readonly conceal?: (secret: string) => void;
  readonly workspace?: (home: string) => AgentWorkspace;
}

/** Closed after the test. */
export async function openProgram(opening: Opening): Promise<ModelBackend> {
  const { kind, file, prompts, options, key, keys, toolServers = [], conceal } = opening;
  const home = opening.home ?? tempFolder();
  const path = join(import.meta.dirname, '../../../support/scripted-programs', file);
  const backend = await kind(home).createIn(
    opening.workspace?.(home) ?? new SpawningWorkspace(home),
    {
      ...{ type: 'x', model: '', apiKeyName: key === undefined ? undefined : 'KEY' },
      options: { command: [process.execPath, path, JSON.stringify(prompts)], ...options },
    },
    {
      ...servicesWith({ ...keys, ...(key === undefined ? {} : { KEY: key }) }),
      ...{ toolServers, ...(conceal === undefined ? {} : { conceal }) },
    },
    never,
  );
  onTestFinished(async () => backend.close());
  return backend;
}

export const claude = { kind: createClaudeCodeKind, file: 'claude.mjs', key: 'k' };
export const codex = { kind: createCodexKind, file: 'codex.mjs', key: 'secret-key-7' };

export type Approve = (question: ApprovalQuestion) => Promise<boolean>;
const allow: Approve = async () => true;

/** The request of this call of a turn; each has one message more than the one before. */
export function requestAt(call: number, approve = allow, turnNo = 1): ModelRequest {
  const more = Array.from({ length: call - 1 }, () => ({ role: 'user' as const, text: 'Go on.' }));
  const base = requestOf({ tools: workflowTools, approve });
  return {
    ...{ ...base, step: { ...base.step, turnNo, call } },
    messages: [...base.messages, ...more],
  };
}

/** Keeps the lines with which programs are started. */
export class NotingWorkspace extends SpawningWorkspace {
  readonly lines: string[] = [];

  override async startProgram(request: ProgramRequest, signal: AbortSignal): Promise<Program> {
    this.lines.push(request.argv.join(' '));
    return super.startProgram(request, signal);
  }
}
