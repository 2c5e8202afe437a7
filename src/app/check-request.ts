import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { MassGenError } from '../core/errors';
import type { BackendKind, ModelKind } from '../core/ports/backend-kind';
import type { AgentConfig } from '../config/run-config';
import type { StartRunRequest } from './app-contract';

/** What can be known to be wrong before anything is made or sent. Throws `config/*`, or the refusal of a backend. */
export async function checkRequest(
  request: StartRunRequest,
  kinds: readonly BackendKind[],
  hintForMissing = 'Choose a folder or file that exists.',
): Promise<void> {
  if (request.task.trim() === '') {
    throw new MassGenError('config/invalid', 'There is no task.', { hint: 'Say what to do.' });
  }
  if (request.config.agents.length === 0) {
    throw new MassGenError('config/invalid', 'The team has no agents.');
  }
  for (const agent of request.config.agents) {
    const refusal = kindOf(agent, kinds).refusalOf(agent.backend, request.task);
    if (refusal !== undefined) {
      throw refusal;
    }
  }
  await checkFolders(request, hintForMissing);
}

export function kindOf(agent: AgentConfig, kinds: readonly BackendKind[]): BackendKind {
  const found = kinds.find((kind) => kind.type === agent.backend.type);
  if (found === undefined) {
    const known = kinds.map((kind) => kind.type).join(', ');
    throw new MassGenError(
      'config/unknown-backend',
      `Agent "${agent.id}" asks for the backend "${agent.backend.type}", which is not known here.`,
      { hint: `Known backends: ${known}.` },
    );
  }
  return found;
}

/** For whoever only answers questions. Throws `config/unknown-backend`, also for an agent program. */
export function modelKindOf(agent: AgentConfig, kinds: readonly BackendKind[]): ModelKind {
  const kind = kindOf(agent, kinds);
  if (kind.isProgram === true) {
    throw new MassGenError(
      'config/unknown-backend',
      `${kind.title} is an agent of its own and cannot be asked as "${agent.id}".`,
      { hint: 'Choose a model instead.' },
    );
  }
  return kind;
}

async function checkFolders({ folders }: StartRunRequest, hintForMissing: string): Promise<void> {
  const names = new Set<string>();
  for (const { name, path } of folders) {
    if (names.has(name)) {
      throw new MassGenError('config/invalid', `Two folders have the name "${name}".`);
    }
    names.add(name);
    if (!isAbsolute(path)) {
      throw new MassGenError('config/invalid', `The path of "${name}" is not absolute: ${path}`);
    }
    await checkExists(path, hintForMissing);
  }
}

async function checkExists(path: string, hint: string): Promise<void> {
  try {
    await stat(path);
  } catch (error) {
    throw new MassGenError('config/invalid', `There is nothing at ${path}.`, {
      cause: error,
      hint,
    });
  }
}
