import type { BackendKind } from '../../core/ports/backend-kind';
import { type BackendBlock, backendBlock } from './backend-block';
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { list, mapping } from './collections';
import { shown } from '../secret-text';
import { rangeOf, type ReadContext } from './read-context';
import { originalAgentKeys } from './original-keys';
import { number, text } from './scalars';
import { field, type Spec } from './spec';

export interface AgentBlock {
  readonly id?: string | undefined;
  readonly backend?: BackendBlock | undefined;
  readonly system_message?: string | undefined;
  readonly weight?: number | undefined;
  readonly subtask?: string | undefined;
}

const maxIdLength = 64;

export function agentBlock(kinds: readonly BackendKind[]): Spec<AgentBlock> {
  return mapping({
    id: field(agentId(), 'Unique name of the agent for people; models never see it.', {
      isRequired: true,
    }),
    backend: field(backendBlock(kinds), 'The model that plays this agent.', { isRequired: true }),
    system_message: field(text(), 'Your own text, sent to this agent unchanged.'),
    weight: field(
      number({ minimum: 0, maximum: 1000 }),
      'How much its vote counts; 0 makes it an advisor without a vote.',
      { defaultText: '1' },
    ),
    subtask: field(text(), 'Its part of the task with `coordination_mode: decomposition`.'),
    ...originalAgentKeys,
  });
}

const maxAgents = 10;

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
        const message = 'Names such as agent1 are the anonymous labels of a run; choose another.';
        context.report(node, { code: 'wrong-value', message });
      } else if (id !== undefined && (id.length > maxIdLength || /\p{Cc}/u.test(id))) {
        const message = `An id is one line of at most ${maxIdLength} characters.`;
        context.report(node, { code: 'wrong-value', message });
      }
      return id;
    },
  };
}
