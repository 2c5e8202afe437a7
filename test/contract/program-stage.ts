// How the adapters of agent programs are brought into the situations: with a scripted program in the place of the real one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OptionValue, ProgramKind } from '../../src/core/ports/backend-kind';
import { SpawningWorkspace } from '../support/spawning-workspace';
import { type BackendStage, expected, servicesWith } from './backend-kit';
import type { Situation } from './situations';

/** One step of a script: an object with one member. */
export type Step = Readonly<Record<string, unknown>>;

export const firstWords: Step = { say: expected.firstWords };

/** A call of a workflow tool. */
function callOf({ name, argumentsJson }: { name: string; argumentsJson: string }): Step {
  return { call: [name, JSON.parse(argumentsJson)] };
}

const inWords = 'a program is asked in words alone';

/** What no agent program has, whatever it speaks. */
export const cannotOfPrograms: BackendStage['cannot'] = {
  'thinking-kept': 'a program keeps its own conversation',
  'retry-after': 'a program waits by itself',
  'content-filter': 'a program has no word for it',
  ...{ 'structured-refused': inWords, 'structured-cut': inWords },
  'malformed-arguments': 'the protocol of the tools carries nothing but objects',
};

/** What breaks is the program itself. */
export const codesOfPrograms: NonNullable<BackendStage['codes']> = {
  disconnect: 'backend/bad-response',
  'early-end': 'backend/bad-response',
};

/** What every program can be made to do by the same steps. */
export const commonScripts: Readonly<Partial<Record<Situation, readonly Step[]>>> = {
  text: [{ say: expected.text }],
  thinking: [{ think: expected.thinking }, { say: expected.text }],
  'tool-call': [callOf(expected.call)],
  'parallel-tool-calls': [callOf(expected.call), callOf(expected.secondCall)],
  empty: [],
  unicode: [{ slowly: expected.unicode }],
  'split-arguments': [callOf(expected.unicodeCall)],
  'hang-first': [{ hang: null }],
  'hang-middle': [firstWords, { hang: null }],
  stall: [firstWords, { hang: null }],
  disconnect: [firstWords, { die: 137 }],
  'early-end': [firstWords, { die: 0 }],
  images: [{ say: expected.text }],
  structured: [{ say: expected.structured }],
  'long-tool-name': [callOf({ name: expected.longName, argumentsJson: '{}' })],
};

/** `file`: of the program. `options`: those of its block, given the line that starts it with its script. */
export function openProgram(
  kind: (home: string) => ProgramKind,
  file: string,
  options: (command: readonly string[]) => Readonly<Record<string, OptionValue>>,
): (script: unknown) => BackendStage['open'] {
  return (script) => async (_situation, clock) => {
    const home = await mkdtemp(join(tmpdir(), 'massgen-program-'));
    const path = join(import.meta.dirname, '../support/scripted-programs', file);
    const backend = await kind(home).createIn(
      new SpawningWorkspace(home),
      {
        ...{ type: 'program', model: '', apiKeyName: 'TEST_KEY' },
        options: options([process.execPath, path, JSON.stringify(script)]),
      },
      { ...servicesWith({ TEST_KEY: 'key-1' }, clock), toolServers: [] },
      new AbortController().signal,
    );
    return {
      // A program that asks for nothing is asked for as a whole.
      backend: {
        capabilities: backend.capabilities,
        stream: (request, signal) =>
          backend.stream({ ...request, approve: async () => true }, signal),
        close: async () => backend.close(),
      },
      async close() {
        await backend.close();
        await rm(home, { recursive: true, force: true });
      },
    };
  };
}
