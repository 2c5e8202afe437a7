// The tools that end a turn, as they are offered to a model.
import { parseLabel } from '../../base/ids';
import type { Toolset } from '../coordination/inputs';
import type { TurnInput } from '../ports/agent-runtime';
import type { ToolSpec } from '../ports/model-backend';

type Purpose = TurnInput['purpose'];

const namesFor: Readonly<Record<Purpose, readonly string[]>> = {
  coordinate: ['new_answer', 'vote', 'stop'],
  present: ['new_answer'],
  evaluate: ['submit', 'restart_orchestration'],
};

/** Whether a call of this name is a matter of the engine in such a turn, offered or not. */
export function isWorkflowTool(name: string, purpose: Purpose): boolean {
  return namesFor[purpose].includes(name);
}

/** What is offered in a turn, by what may be used when it begins. */
export function workflowSpecs(purpose: Purpose, toolset: Toolset): readonly ToolSpec[] {
  switch (purpose) {
    case 'present':
      return [newAnswerSpec];
    case 'evaluate':
      return [submitSpec, restartSpec];
    case 'coordinate':
      return [
        ...(toolset.hasNewAnswer ? [newAnswerSpec] : []),
        ...(toolset.hasVote || toolset.mayVoteLater === true ? [voteSpec] : []),
        ...(toolset.hasStop === true ? [stopSpec] : []),
      ];
  }
}

/** Names of what may be used now. */
export function openTools(purpose: Purpose, toolset: Toolset): readonly string[] {
  return workflowSpecs(purpose, { ...toolset, mayVoteLater: false }).map(({ name }) => name);
}

/** Agents that may be voted for now, as a vote names them. */
export function targetNames({ targets }: Toolset): readonly string[] {
  return [...new Set(targets.map(slotName))].sort(inOrder);
}

function slotName(label: string): string {
  const parsed = parseLabel(label);
  return parsed === undefined ? label : `agent${parsed.slot}`;
}

function inOrder(a: string, b: string): number {
  return (parseLabel(a)?.slot ?? 0) - (parseLabel(b)?.slot ?? 0);
}

const newAnswerSpec: ToolSpec = {
  name: 'new_answer',
  description:
    'Submit your complete answer to the task. It is shown to the other agents together with the present state of your files. Ends your turn.',
  inputSchema: {
    type: 'object',
    properties: {
      content: {
        type: 'string',
        description: 'The whole answer in Markdown; it must stand on its own.',
      },
    },
    required: ['content'],
    additionalProperties: false,
  },
};

const stopSpec: ToolSpec = {
  name: 'stop',
  description: 'Say that your part is done, or that you cannot go on. Ends your work.',
  inputSchema: {
    type: 'object',
    properties: {
      summary: { type: 'string', description: 'What was done, or what stands in the way.' },
      status: { type: 'string', enum: ['complete', 'blocked'] },
    },
    required: ['summary', 'status'],
    additionalProperties: false,
  },
};

const submitSpec: ToolSpec = {
  name: 'submit',
  description: 'Accept the work as it is. Ends your turn.',
  inputSchema: {
    type: 'object',
    properties: { confirmed: { type: 'boolean', description: 'Must be true.' } },
    required: ['confirmed'],
    additionalProperties: false,
  },
};

const restartSpec: ToolSpec = {
  name: 'restart_orchestration',
  description: 'Let all agents begin again, because the task is not done. Ends your turn.',
  inputSchema: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'What is missing or wrong.' },
      instructions: { type: 'string', description: 'What to do differently.' },
    },
    required: ['reason', 'instructions'],
    additionalProperties: false,
  },
};

const anAgent = { type: 'string' };

/** Without a list of agents: who can be voted for changes within a turn, and is said where it changes. */
const voteSpec: ToolSpec = {
  name: 'vote',
  description: 'Vote for the best of the answers you were shown. Ends your turn.',
  inputSchema: {
    type: 'object',
    properties: {
      agent_id: {
        ...anAgent,
        description:
          'The agent whose answer you vote for, by the name it has where the answer was shown to you, such as agent2.',
      },
      reason: { type: 'string', description: 'Why, in one sentence.' },
      approve: {
        type: 'array',
        items: anAgent,
        description: 'Further agents whose answers would do as well, if any.',
      },
      abstain: {
        type: 'boolean',
        description: 'True when you cannot judge; the agent named is then not counted.',
      },
    },
    required: ['agent_id', 'reason'],
    additionalProperties: false,
  },
};
