import type { AgentWorkspace, Program, ProgramRequest } from '../../../../src/core/ports/workspace';
import { never } from '../temp-project';
import { script } from './script';

export interface TestProgram {
  readonly program: Program;
  /** Everything so far, both streams in the order of arrival. */
  readonly said: () => string;
}

export async function begin(
  agent: AgentWorkspace,
  text: string,
  parts: Partial<ProgramRequest> = {},
  signal: AbortSignal = never,
): Promise<TestProgram> {
  const program = await agent.startProgram(script(text, parts), signal);
  let said = '';
  for (const stream of ['stdout', 'stderr'] as const) {
    program.onOutput(stream, (bytes) => {
      said += Buffer.from(bytes).toString('utf8');
    });
  }
  return { program, said: () => said };
}

/** What it printed until it ended. */
export async function outputOf(
  agent: AgentWorkspace,
  text: string,
  parts: Partial<ProgramRequest> = {},
): Promise<string> {
  const { program, said } = await begin(agent, text, parts);
  await program.ended;
  return said();
}
