import { type Disposable, DisposableStore } from '../base/disposable';
import type { RunHandle, StartRunRequest } from '../app/app-contract';
import { commandPolicy } from '../cli/command-policy';
import type { ApprovalState } from '../run/state';
import type { CommandPolicy, CommandQuestion } from './contract';
import { agentId } from './public-events';

type OwnPolicy = StartRunRequest['commandPolicy'];

/** As on the command line: what is confined runs; the rest as the caller says. */
export function policyOf(policy: CommandPolicy = 'deny'): OwnPolicy {
  if (typeof policy !== 'function') {
    return commandPolicy(policy === 'allow' ? 'all' : policy === 'deny' ? [] : policy);
  }
  const confinedOnly = commandPolicy([]);
  return {
    ...confinedOnly,
    decide: (command) => {
      const decision = confinedOnly.decide(command);
      return decision?.isAllowed === true ? decision : undefined;
    },
  };
}

/** Lets the caller decide about what waits for somebody. A question that fails is a no. */
export function answerQuestions(handle: RunHandle, policy: CommandPolicy | undefined): Disposable {
  const store = new DisposableStore();
  if (typeof policy !== 'function') {
    return store;
  }
  const asked = new Set<string>();
  const ask = async (approval: ApprovalState): Promise<void> => {
    const { approvalId, hash } = approval;
    const isAllowed = await decisionOf(policy, toQuestion(approval, handle));
    handle.resolveApproval(approvalId, hash, isAllowed ? 'allow-once' : 'deny');
  };
  const look = (): void => {
    for (const approval of handle.state().approvals) {
      // What is confined is decided already; see `policyOf`.
      const isDecided = approval.isConfined && approval.isChanged !== true;
      if (!isDecided && !asked.has(approval.approvalId)) {
        asked.add(approval.approvalId);
        void ask(approval);
      }
    }
  };
  store.add(handle.onEvents(look));
  look();
  return store;
}

async function decisionOf(
  policy: (question: CommandQuestion) => boolean | Promise<boolean>,
  question: CommandQuestion,
): Promise<boolean> {
  try {
    const answer: unknown = await policy(question);
    return answer === true;
  } catch {
    return false;
  }
}

function toQuestion(approval: ApprovalState, handle: RunHandle): CommandQuestion {
  const { slot, command, cwd } = approval;
  const agent = agentId(handle.state(), slot);
  return { kind: kindOf(approval), command, cwd, agent };
}

function kindOf({ isProgram, isTool, isRequest }: ApprovalState): CommandQuestion['kind'] {
  if (isProgram === true) {
    return 'program';
  }
  return isTool === true ? 'tool' : isRequest === true ? 'request' : 'command';
}
