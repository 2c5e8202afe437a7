import type { AgentWorkspace } from '../../ports/workspace';
import type { TurnInput } from '../../ports/agent-runtime';
import type { Tool } from '../../ports/tool';
import { filesSection } from './files-section';
import { coordinationSection } from './instructions';
import { presentationSection } from './presentation';

/** The parts of an agent that its system message speaks of. */
export interface Identity {
  /** The user's own text for this agent, sent unchanged. */
  readonly systemMessage: string | undefined;
  readonly workspace: AgentWorkspace;
  /** Those that are offered in this turn. */
  readonly tools: readonly Tool[];
}

const behaviour = [
  '# Behaviour',
  'Act; nobody answers questions while you work. When something is unclear, take the most plausible reading and say so in your answer.',
  'Call tools that do not depend on each other in one response.',
].join('\n');

export function systemMessage(turn: TurnInput, identity: Identity): string {
  const canRunCommands = identity.tools.some((tool) => tool.access === 'execute');
  return [
    ...(identity.systemMessage === undefined ? [] : [identity.systemMessage]),
    turn.purpose === 'present'
      ? presentationSection()
      : coordinationSection(turn.state, turn.toolset),
    behaviour,
    filesSection(identity.workspace, canRunCommands),
    `Date and time: ${new Date(turn.state.lastEventAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ].join('\n\n');
}
