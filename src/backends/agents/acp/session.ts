import { raceAbort } from '../../../base/abort';
import { MassGenError, isMassGenError } from '../../../core/errors';
import type { ApprovalQuestion } from '../../../core/ports/model-backend';
import { asObject, asText } from '../../wire/json-reading';
import type { AgentPrompt, AgentSession, SessionPart } from '../agent-session';
import { endedEarly, notSignedIn, type ProgramFacts, serviceFault } from '../faults';
import type { LineProgram } from '../line-program';
import type { SessionCosts } from '../session-costs';
import { isBridgeTool, type Offered, outcomeOf, questionOf } from './permission';
import type { AcpWire } from './protocol.lazy';
import { UpdateReader } from './updates';
import type { StatedUsage } from './usage';

type Json = Readonly<Record<string, unknown>>;

/** Code with which an agent says that somebody has to sign in first. */
const signInNeeded = -32000;

interface Running {
  readonly prompt: AgentPrompt;
  readonly emit: (part: SessionPart) => void;
  readonly signal: AbortSignal;
}

export interface AcpSessionParts {
  readonly facts: ProgramFacts;
  readonly program: LineProgram;
  readonly wire: AcpWire;
  /** For questions: the agent's first root. */
  readonly cwd: string;
  readonly isConfined: boolean;
  readonly offered: Offered;
  readonly costs: SessionCosts;
  readonly usage: StatedUsage;
}

/** One session of an agent over its connection. */
export class AcpSession implements AgentSession {
  readonly #parts: AcpSessionParts;
  readonly #updates: UpdateReader;
  #id: string | undefined;
  #isResumed = false;
  #hasPictures = false;
  #running: Running | undefined;

  constructor(parts: AcpSessionParts) {
    this.#parts = parts;
    this.#updates = new UpdateReader(parts.offered);
    parts.program.ended.then(
      () => parts.wire.close(),
      () => parts.wire.close(),
    );
  }

  get id(): string | undefined {
    return this.#id;
  }

  get isResumed(): boolean {
    return this.#isResumed;
  }

  get isOpen(): boolean {
    return this.#parts.program.isRunning;
  }

  /** Told once, before the first prompt. */
  begin(about: {
    readonly id: string;
    readonly isResumed: boolean;
    readonly hasPictures: boolean;
  }): void {
    this.#id = about.id;
    this.#isResumed = about.isResumed;
    this.#hasPictures = about.hasPictures;
  }

  /** Sends one request; throws `backend/*` for what the agent refuses, and when it ends meanwhile. */
  async ask(method: string, params: unknown): Promise<Json> {
    const { program, wire, facts } = this.#parts;
    const ended = program.ended.then(() => {
      throw endedEarly(facts, program.lastWords);
    });
    try {
      return asObject(await Promise.race([wire.request(method, params), ended])) ?? {};
    } catch (error) {
      throw await this.#toError(error);
    }
  }

  async prompt(
    prompt: AgentPrompt,
    emit: (part: SessionPart) => void,
    signal: AbortSignal,
  ): Promise<'stop' | 'length'> {
    this.#updates.begin();
    this.#running = { prompt, emit, signal };
    try {
      const answer = await this.ask('session/prompt', {
        sessionId: this.#id,
        prompt: this.#blocks(prompt, emit),
      });
      emit(this.#usage(answer));
      return this.#endOf(asText(answer['stopReason']), emit);
    } finally {
      this.#running = undefined;
    }
  }

  cancel(): void {
    this.#parts.wire.notify('session/cancel', { sessionId: this.#id }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#parts.program.stop();
  }

  onUpdate(params: unknown): void {
    const part = this.#running === undefined ? undefined : this.#updates.read(params);
    if (part !== undefined) {
      this.#running?.emit(part);
    }
  }

  async onPermission({
    toolCall,
    options,
  }: {
    readonly toolCall: object;
    readonly options: readonly { readonly optionId: string; readonly kind: string }[];
  }): Promise<{ outcome: ReturnType<typeof outcomeOf> }> {
    const running = this.#running;
    if (running === undefined) {
      return { outcome: outcomeOf(false, options) };
    }
    const call: Json = asObject(toolCall) ?? {};
    const { cwd, isConfined } = this.#parts;
    const question: ApprovalQuestion = { command: questionOf(call), cwd, isConfined };
    try {
      const isAllowed =
        isBridgeTool(call, this.#parts.offered) ||
        (await raceAbort(running.prompt.approve(question, running.signal), running.signal));
      return { outcome: outcomeOf(isAllowed, options) };
    } catch {
      // The turn has been cancelled; the protocol wants exactly this answer then.
      return { outcome: { outcome: 'cancelled' } };
    }
  }

  #blocks({ text, media }: AgentPrompt, emit: (part: SessionPart) => void): readonly unknown[] {
    const pictures = this.#hasPictures ? media.filter(({ kind }) => kind === 'image') : [];
    if (pictures.length < media.length) {
      const names = media.filter((each) => !pictures.includes(each)).map(({ name }) => name);
      emit({
        type: 'notice',
        code: 'media-left-out',
        message: `${this.#parts.facts.title} is not shown ${names.join(', ')}.`,
      });
    }
    return [
      { type: 'text', text },
      ...pictures.map(({ mediaType, base64 }) => ({
        ...{ type: 'image', mimeType: mediaType, data: base64 },
      })),
    ];
  }

  #usage(answer: Json): SessionPart {
    const total = this.#updates.totalUsd;
    const costUsd = total === undefined ? undefined : this.#parts.costs.since(total);
    return {
      type: 'usage',
      usage: this.#parts.usage.of(answer),
      ...(costUsd === undefined ? {} : { costUsd }),
    };
  }

  #endOf(reason: string, emit: (part: SessionPart) => void): 'stop' | 'length' {
    const { title } = this.#parts.facts;
    switch (reason) {
      case 'max_tokens':
        return 'length';
      case 'refusal':
        throw new MassGenError('backend/refused', `${title} declined to go on.`);
      case 'max_turn_requests':
        emit({
          type: 'notice',
          code: 'program-limit',
          message: `${title} stopped at its own limit of requests in one turn.`,
        });
        return 'stop';
      default:
        return 'stop';
    }
  }

  async #toError(error: unknown): Promise<MassGenError> {
    const { facts, program } = this.#parts;
    if (isMassGenError(error)) {
      return error;
    }
    if (!program.isRunning) {
      return endedEarly(facts, program.lastWords);
    }
    const { code, message, details } = rpcErrorOf(error);
    const said = details === '' ? message : `${message} (${details})`;
    if (code === undefined) {
      // The connection broke: what the program says about it comes with its end.
      await program.stop();
      return endedEarly(facts, program.lastWords);
    }
    return code === signInNeeded ? notSignedIn(facts, said) : serviceFault(facts, code, said);
  }
}

function rpcErrorOf(error: unknown): {
  readonly code: number | undefined;
  readonly message: string;
  readonly details: string;
} {
  const message = error instanceof Error ? error.message : String(error);
  const members = typeof error === 'object' && error !== null ? error : {};
  const code = 'code' in members && typeof members.code === 'number' ? members.code : undefined;
  const data = 'data' in members ? members.data : undefined;
  const details = asText(asObject(data)?.['details']) || asText(asObject(data)?.['message']);
  return { code, message, details: details || asText(data) };
}
