import type {
  BackendFault,
  Finding,
  RawAction,
  TurnReport,
} from '../../../src/core/coordination/inputs';
import type { ScriptAction } from './steps';

/** What the agent's turn reports after the model call of a step. */
export function reportOf(action: ScriptAction, call: number): TurnReport {
  switch (action.kind) {
    case 'tool':
      return { kind: 'tool-round', call, tools: [action.name] };
    case 'transient':
    case 'fatal':
      return { kind: 'fault', call, fault: faultOf(action.kind) };
    case 'findings':
      return { kind: 'evaluated', call, findings: action.findings.map(findingOf) };
    default:
      return { kind: 'response', call, actions: actionsOf(action) };
  }
}

function findingOf(name: 'submit' | 'unsure' | 'restart', index: number): Finding {
  const toolCallId = `call-${index}`;
  return name === 'restart'
    ? { kind: 'restart', toolCallId, reason: 'It is not done.', instructions: 'Do it.' }
    : { kind: 'submit', toolCallId, isConfirmed: name === 'submit' };
}

function faultOf(kind: 'transient' | 'fatal'): BackendFault {
  const code = kind === 'fatal' ? 'backend/auth' : 'backend/network';
  const message = kind === 'fatal' ? 'The key was refused.' : 'The connection was reset.';
  return { kind, error: { code, message, retryable: kind === 'transient' } };
}

function actionsOf(action: ScriptAction): readonly RawAction[] {
  switch (action.kind) {
    case 'answers':
      return action.texts.map((text, index) => newAnswer(text, index));
    case 'votes':
      return action.targets.map((target, index) => vote(`agent${target}`, index));
    case 'both':
      return [newAnswer('Both', 0), vote('agent1', 1)];
    case 'abstain':
      return [{ ...vote('', 0), isAbstention: true }];
    case 'stop':
      return [{ kind: 'stop', toolCallId: 'call-0', summary: 'Done.', status: action.status }];
    case 'unknown':
      return [{ kind: 'unknown_tool', toolCallId: 'call-0', name: 'no_such_tool' }];
    default:
      return [];
  }
}

function newAnswer(content: string, index: number): RawAction {
  return {
    kind: 'new_answer',
    toolCallId: `call-${index}`,
    content,
    snapshotId: null,
    changes: [],
  };
}

function vote(target: string, index: number): Extract<RawAction, { readonly kind: 'vote' }> {
  return {
    kind: 'vote',
    toolCallId: `call-${index}`,
    target,
    reason: 'It is the best.',
    approve: [],
    isAbstention: false,
  };
}
