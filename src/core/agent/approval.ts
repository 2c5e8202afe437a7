import { onAbort, raceAbort } from '../../base/abort';
import { canonicalJson } from '../../base/canonical-json';
import { sha256Hex } from '../../base/sha256';
import type { Slot } from '../../base/ids';
import type { ApprovalResolved } from '../../run/call-events';
import type { ObservedEvent, RecordedEvent } from '../../run/events';
import type { ApprovalDecision, CommandPolicy, CommandToApprove } from '../ports/approvals';
import type { Logger } from '../ports/logger';

/** A command that an agent wants to run now. */
export interface ApprovalRequest {
  readonly slot: Slot;
  readonly turnNo: number;
  /** Exactly what would run. */
  readonly command: string;
  readonly cwd: string;
  /** `cwd` without what differs between agents and runs. */
  readonly neutralCwd: string;
  readonly isConfined: boolean;
  /** It is no command but reaches out of this machine, to what `command` names; absent: a command. */
  readonly isRequest?: true;
  /** It is no command but a tool with its input; absent: a command. */
  readonly isTool?: true;
  /** It is a tool that is not as it was when somebody last let it work, so that no earlier word holds for it; absent: it is. */
  readonly isChanged?: true;
  /** It is no command but an agent program that nothing confines; absent: a command. */
  readonly isProgram?: true;
}

export type Observe = (event: ObservedEvent) => void;

type Resolution = Pick<ApprovalResolved, 'decision' | 'by'>;

interface Pending {
  readonly command: CommandToApprove;
  readonly settle: (resolution: Resolution) => void;
}

/**
 * Where commands of one run wait for a person. Nothing runs without a decision: denied unless somebody allowed exactly
 * this command, and a stop answers `deny`. Every request and every decision becomes an event, also when an earlier
 * decision answers at once. What is decided of a program that nothing confines holds for the whole run, a refusal until
 * somebody lets an agent try again, and one question about it is open at a time: its agents start it again and again.
 */
export class ApprovalDesk {
  readonly #policy: CommandPolicy;
  readonly #logger: Logger;
  readonly #isolated: ReadonlySet<Slot>;
  readonly #pending = new Map<string, Pending>();
  readonly #allowedInRun = new Set<string>();
  readonly #deniedInRun = new Set<string>();
  /** Questions about programs that are open, by what decisions go by. */
  readonly #openPrograms = new Map<string, Promise<unknown>>();
  #count = 0;

  /** `isolated`: agents whose team file asks for isolation, so that where nothing confines a person is asked each time. */
  constructor(policy: CommandPolicy, logger: Logger, isolated: ReadonlySet<Slot> = new Set()) {
    this.#policy = policy;
    this.#logger = logger;
    this.#isolated = isolated;
  }

  /**
   * Takes over what an earlier process has asked and been told; `neutralize` removes what differs between agents from
   * a path.
   */
  recall(
    recorded: readonly RecordedEvent[],
    neutralize: (slot: Slot, path: string) => string,
  ): void {
    const asked = new Map<string, CommandToApprove>();
    for (const { event } of recorded) {
      if (event.type === 'approval-requested') {
        const { slot, cwd } = event;
        asked.set(event.approvalId, toCommand({ ...event, neutralCwd: neutralize(slot, cwd) }));
      } else if (event.type === 'approval-resolved' && event.by === 'user') {
        const command = asked.get(event.approvalId);
        if (command !== undefined) {
          this.#holdForRun(command, event.decision);
        }
      } else if (event.type === 'agent-revived') {
        this.reconsider();
      }
    }
    this.#count += asked.size;
  }

  /** Programs that were denied are asked about anew: somebody has let an agent try again. */
  reconsider(): void {
    this.#deniedInRun.clear();
  }

  /** Resolves to whether the command may run; rejects with `cancelled/*` when the turn ends first. */
  async ask(request: ApprovalRequest, observe: Observe, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const command = this.#commandOf(request);
    if (command.isProgram !== true) {
      return this.#ask(request, command, observe, signal);
    }
    const { rememberedAs } = command;
    for (;;) {
      const open = this.#openPrograms.get(rememberedAs);
      if (open === undefined) {
        break;
      }
      await raceAbort(open, signal);
    }
    const asking = this.#ask(request, command, observe, signal);
    const settled = asking.then(
      () => undefined,
      () => undefined,
    );
    this.#openPrograms.set(rememberedAs, settled);
    try {
      return await asking;
    } finally {
      this.#openPrograms.delete(rememberedAs);
    }
  }

  #commandOf(request: ApprovalRequest): CommandToApprove {
    const { slot, isConfined, isRequest } = request;
    const mustAsk = this.#isolated.has(slot) && !isConfined && isRequest !== true;
    return { ...toCommand(request), ...(mustAsk ? { mustAsk } : {}) };
  }

  async #ask(
    request: ApprovalRequest,
    command: CommandToApprove,
    observe: Observe,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { slot, turnNo } = request;
    this.#count += 1;
    const approvalId = `approval-${this.#count}`;
    const { command: text, cwd, isConfined, hash } = command;
    observe({
      type: 'approval-requested',
      ...{ slot, turnNo, approvalId, command: text, cwd, isConfined, hash },
      ...(request.isRequest === undefined ? {} : { isRequest: request.isRequest }),
      ...(request.isTool === undefined ? {} : { isTool: request.isTool }),
      ...(request.isChanged === undefined ? {} : { isChanged: request.isChanged }),
      ...(request.isProgram === undefined ? {} : { isProgram: request.isProgram }),
    });
    const resolution =
      this.#decidedBefore(command) ?? (await this.#wait(approvalId, command, signal));
    observe({ type: 'approval-resolved', slot, turnNo, approvalId, ...resolution });
    signal.throwIfAborted();
    await this.#keep(command, resolution);
    return resolution.decision !== 'deny';
  }

  /** Ignored (answers `false`) when the approval is not open or the hash is not that of what was asked. */
  resolve(approvalId: string, hash: string, decision: ApprovalDecision): boolean {
    const pending = this.#pending.get(approvalId);
    if (pending?.command.hash !== hash) {
      return false;
    }
    pending.settle({ decision, by: 'user' });
    this.#holdForRun(pending.command, decision);
    if (this.#allowedInRun.has(pending.command.rememberedAs)) {
      this.#settleEqual(pending.command);
    }
    return true;
  }

  #holdForRun({ rememberedAs, isProgram }: CommandToApprove, decision: ApprovalDecision): void {
    const isForRun = decision === 'allow-run' || decision === 'allow-workspace';
    if (isForRun || (isProgram === true && decision === 'allow-once')) {
      this.#allowedInRun.add(rememberedAs);
    } else if (isProgram === true && decision === 'deny') {
      this.#deniedInRun.add(rememberedAs);
    }
  }

  #decidedBefore(command: CommandToApprove): Resolution | undefined {
    const mustAsk = command.mustAsk === true && command.isProgram !== true;
    const isOpen = command.isChanged !== true && !mustAsk;
    if (isOpen && this.#allowedInRun.has(command.rememberedAs)) {
      return { decision: 'allow-run', by: 'earlier-decision' };
    }
    if (this.#deniedInRun.has(command.rememberedAs)) {
      return { decision: 'deny', by: 'earlier-decision' };
    }
    const decided = this.#policy.decide(command);
    return decided === undefined || (decided.isAllowed && command.mustAsk === true)
      ? undefined
      : { decision: decided.isAllowed ? 'allow-once' : 'deny', by: decided.by };
  }

  async #wait(
    approvalId: string,
    command: CommandToApprove,
    signal: AbortSignal,
  ): Promise<Resolution> {
    return new Promise((resolve) => {
      const settle = (resolution: Resolution): void => {
        if (this.#pending.delete(approvalId)) {
          stopped.dispose();
          resolve(resolution);
        }
      };
      this.#pending.set(approvalId, { command, settle });
      const stopped = onAbort(signal, () => settle({ decision: 'deny', by: 'stop' }));
    });
  }

  /** Others who wait with the same command need not be asked again. */
  #settleEqual(command: CommandToApprove): void {
    for (const pending of [...this.#pending.values()]) {
      const isOther = pending.command.isChanged !== command.isChanged;
      if (!isOther && pending.command.rememberedAs === command.rememberedAs) {
        pending.settle({ decision: 'allow-run', by: 'earlier-decision' });
      }
    }
  }

  async #keep(command: CommandToApprove, { decision, by }: Resolution): Promise<void> {
    if (decision !== 'allow-workspace' || by !== 'user') {
      return;
    }
    try {
      await this.#policy.remember(command);
    } catch (error) {
      // The decision holds for this run all the same; the person is asked again next time.
      this.#logger.warn('tool', `an allowed command could not be remembered: ${String(error)}`);
    }
  }
}

/** As decisions know it: one about a command says nothing about a request, a tool or a program of the same words, nor about less confinement. */
export function toCommand(request: Omit<ApprovalRequest, 'slot' | 'turnNo'>): CommandToApprove {
  const { command, cwd, neutralCwd, isConfined, isRequest = false, isTool, isProgram } = request;
  const program = isProgram === undefined ? {} : { isProgram };
  const kind = { isConfined, isRequest, ...(isTool === undefined ? {} : { isTool }), ...program };
  return {
    ...{ command, cwd, isConfined, ...program },
    hash: sha256Hex(canonicalJson({ command, cwd })),
    ...(request.isChanged === undefined ? {} : { isChanged: request.isChanged }),
    rememberedAs: sha256Hex(canonicalJson({ command, cwd: neutralCwd, ...kind })),
  };
}
