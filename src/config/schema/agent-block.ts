import type { BackendKind } from '../../core/ports/backend-kind';
import { type BackendBlock, backendBlock } from './backend-block';
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { moveIntoBackend } from './beside-backend';
import { list, mapping } from './collections';
import { shown } from '../secret-text';
import { anyMapping } from './open-values';
import { rangeOf, type ReadContext } from './read-context';
import { originalAgentKeys } from './original-top-keys';
import { boolean, number, text } from './scalars';
import { sensitivity, type WrittenSensitivity } from './sensitivity';
import type { KeyInfo, Shape } from './shape';
import { field, type Spec } from './spec';
import { noted, withoutEffect } from './without-effect';

export interface AgentBlock {
  readonly id?: string | undefined;
  readonly backend?: BackendBlock | undefined;
  readonly system_message?: string | undefined;
  readonly weight?: number | undefined;
  readonly subtask?: string | undefined;
  readonly voting_sensitivity?: WrittenSensitivity;
  readonly main_agent?: boolean | undefined;
  /** Keys that stand beside `backend` in the file and were read as if they stood in it; absent: none. */
  readonly keysBeside?: readonly string[];
}

const maxIdLength = 64;

const subagents = list(
  mapping(
    {
      id: field(text(), 'Name of the agent.', { isRequired: true }),
      backend: field(anyMapping(), 'Its model.', { isRequired: true }),
    },
    'warning',
  ),
);

export function agentBlock(kinds: readonly BackendKind[]): Spec<AgentBlock> {
  const backend = backendBlock(kinds);
  const inside = agentMapping(backend);
  const own = new Set(keysIn(inside.shape).map(({ name }) => name));
  let ofBackend: ReadonlySet<string> | undefined;
  // Made for the first key that is not the agent's own; most files have none.
  const isMisplaced = (name: string): boolean => {
    if (own.has(name)) {
      return false;
    }
    ofBackend ??= new Set(keysIn(backend.shape).map((key) => key.name));
    return ofBackend.has(name);
  };
  return {
    shape: inside.shape,
    read: (node, context) => {
      if (!isMap(node)) {
        return inside.read(node, context);
      }
      const { agent, moved } = moveIntoBackend(node, context, isMisplaced);
      const block = inside.read(agent, context);
      return block === undefined || moved.length === 0 ? block : { ...block, keysBeside: moved };
    },
  };
}

function keysIn(shape: Shape): readonly KeyInfo[] {
  switch (shape.kind) {
    case 'mapping':
      return shape.keys;
    case 'by-type':
      return [shape.typeKey, ...shape.types.flatMap(({ keys }) => keys)];
    default:
      return [];
  }
}

function agentMapping(backend: Spec<BackendBlock>): Spec<AgentBlock> {
  return mapping({
    id: field(agentId(), 'Unique name of the agent for people; models never see it.', {
      isRequired: true,
    }),
    backend: field(backend, 'The model that plays this agent.', { isRequired: true }),
    system_message: field(text(), 'Your own text, sent to this agent unchanged.'),
    weight: field(
      number({ minimum: 0, maximum: 1000 }),
      'How much its vote counts; 0 makes it an advisor without a vote.',
      { defaultText: '1' },
    ),
    subtask: field(text(), 'Its part of the task with `coordination_mode: decomposition`.'),
    voting_sensitivity: field(
      sensitivity,
      'How critical this agent is before it votes; as the team when left out.',
    ),
    main_agent: noted('subagents', boolean()),
    subagent_agents: withoutEffect('subagents', subagents),
    ...originalAgentKeys,
  });
}

const maxAgents = 10;

/** More than this is no team with a few agents too many, and nobody wants to hear about each of them. */
const mostRead = 50;

/** The team's list: its members, how many, and that their names differ. */
export function agentList(kinds: readonly BackendKind[]): Spec<readonly AgentBlock[]> {
  const plain = list(agentBlock(kinds));
  return {
    shape: plain.shape,
    read: (node, context) => {
      if (isSeq(node) && node.items.length === 0) {
        context.report(node, { code: 'missing', message: 'A team needs at least one agent.' });
      }
      if (isSeq(node) && node.items.length > maxAgents) {
        const message = `A team has at most ${maxAgents} agents; this one has ${node.items.length}.`;
        context.report(node, { code: 'wrong-value', message });
        if (node.items.length > mostRead) {
          return undefined;
        }
      }
      reportEqualIds(node, context);
      return plain.read(node, context);
    },
  };
}

/** Names that differ only in case would be taken for one another. */
function reportEqualIds(node: Node, context: ReadContext): void {
  const seen = new Set<string>();
  for (const [index, item] of isSeq(node) ? node.items.entries() : []) {
    const id = isMap(item) ? item.get('id', true) : undefined;
    if (!isScalar(id) || typeof id.value !== 'string') continue;
    const name = id.value.toLowerCase();
    if (seen.has(name)) {
      const at = context.item(index, context.around).key('id', rangeOf(id) ?? context.around);
      const message = `The id ${shown(id.value)} is already taken by another agent.`;
      at.report(id, { code: 'duplicate', message });
    }
    seen.add(name);
  }
}

/** The labels that models see look like `agent2`; a real name of that form would mislead them and people. */
function agentId(): Spec<string> {
  const plain = text();
  return {
    shape: plain.shape,
    read: (node, context) => {
      const id = plain.read(node, context);
      if (id !== undefined && /^\s*agent[\s_-]?\d+/i.test(id)) {
        const message =
          'Names such as agent1 are also the anonymous labels of a run, in another order; choose another to tell them apart.';
        context.report(node, { code: 'wrong-value', severity: 'warning', message });
      } else if (id !== undefined && (id.length > maxIdLength || /\p{Cc}/u.test(id))) {
        const message = `An id is one line of at most ${maxIdLength} characters.`;
        context.report(node, { code: 'wrong-value', message });
      }
      return id;
    },
  };
}
