import { randomUUID } from 'node:crypto';
import { raceAbort } from '../../../base/abort';
import { MassGenError } from '../../../core/errors';
import { asCount, asObject, asText } from '../../wire/json-reading';
import type { AgentPrompt, AgentSession, SessionPart } from '../agent-session';
import { endedEarly, notSignedIn, type ProgramFacts, serviceFault, tooOld } from '../faults';
import type { LineProgram } from '../line-program';
import type { SessionCosts } from '../session-costs';
import type { ReadyServer } from '../tool-servers';
import { MessageReader } from './messages';
import { askedOf, isForbidden, refusalOfInput, refusalOfTool } from './permission';

type Json = Readonly<Record<string, unknown>>;

interface Running {
  /** The program names it when it begins with this prompt. */
  readonly id: string;
  hasBegun: boolean;
  /** Parts that came before: its own, unless a turn of the program that nobody asked for ends first. */
  readonly held: SessionPart[];
  readonly prompt: AgentPrompt;
  readonly emit: (part: SessionPart) => void;
  readonly signal: AbortSignal;
  readonly finish: (result: Json) => void;
}

/** A program that says so much and does not begin with its prompt never tells. */
const mostHeld = 1000;

export interface ClaudeSessionParts {
  readonly facts: ProgramFacts;
  /** For questions: the agent's first root. */
  readonly cwd: string;
  readonly isConfined: boolean;
  readonly servers: readonly ReadyServer[];
  readonly isResumed: boolean;
  readonly costs: SessionCosts;
  /** Rules for what the program refuses itself. */
  readonly refused: readonly string[];
}

/** One process of Claude Code that takes one prompt after the other. */
export class ClaudeSession implements AgentSession {
  readonly isResumed: boolean;
  readonly #parts: ClaudeSessionParts;
  readonly #reader: MessageReader;
  #program: LineProgram | undefined;
  #id: string | undefined;
  #running: Running | undefined;
  #count = 0;
  /** It works at something that nobody asked for. */
  #isElsewhere = false;
  /** It says when it begins with what it was told, as all but old ones do. */
  #tellsBegin = false;

  constructor(parts: ClaudeSessionParts) {
    this.#parts = parts;
    this.#reader = new MessageReader(parts.costs);
    this.isResumed = parts.isResumed;
  }

  get id(): string | undefined {
    return this.#id;
  }

  get isOpen(): boolean {
    return this.#program?.isRunning === true;
  }

  /** To be told before the first prompt. From then on every command is asked for, whatever the program would allow itself. */
  runsIn(program: LineProgram): void {
    this.#program = program;
    const hooks = { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['command'] }] };
    this.#ask({ subtype: 'initialize', hooks });
  }

  receive(value: unknown): void {
    const message = asObject(value) ?? {};
    if (message['type'] === 'control_request') {
      void this.#control(asText(message['request_id']), asObject(message['request']) ?? {});
      return;
    }
    this.#id = asText(message['session_id']) || this.#id;
    if (message['type'] === 'user' && message['isReplay'] === true) {
      this.#begins(message['uuid']);
    } else if (message['type'] === 'result') {
      this.#ends(message);
    } else {
      this.#works(message);
    }
  }

  #works(message: Json): void {
    const running = this.#running;
    this.#isElsewhere ||= running === undefined && this.#tellsBegin && isWork(message);
    const parts = this.#reader.read(message);
    if (running === undefined || (this.#isElsewhere && !running.hasBegun)) {
      return;
    }
    running.held.push(...parts);
    if (running.hasBegun || !this.#tellsBegin || running.held.length > mostHeld) {
      release(running);
    }
  }

  #begins(id: unknown): void {
    const running = this.#running;
    if (running !== undefined && running.id === id) {
      running.hasBegun = true;
      this.#tellsBegin = true;
      release(running);
    }
  }

  /** The program may come to an end that is not that of our prompt: tasks of its own wake it. */
  #ends(result: Json): void {
    const running = this.#running;
    const isOurs = running?.hasBegun === true || !(this.#tellsBegin || this.#isElsewhere);
    this.#isElsewhere = false;
    if (running === undefined || !isOurs) {
      running?.held.splice(0);
      this.#reader.skip(result);
      return;
    }
    this.#reader.read(result).forEach((part) => running.emit(part));
    // What it says from here on is no part of this prompt.
    this.#running = undefined;
    running.finish(result);
  }

  async prompt(
    prompt: AgentPrompt,
    emit: (part: SessionPart) => void,
    signal: AbortSignal,
  ): Promise<'stop' | 'length'> {
    const program = this.#program;
    const { facts } = this.#parts;
    if (program === undefined) {
      throw new MassGenError('bug/invariant', `${facts.title} was not started`);
    }
    const id = randomUUID();
    this.#reader.begin();
    const result = new Promise<Json>((finish) => {
      this.#running = { id, hasBegun: false, held: [], prompt, emit, signal, finish };
    });
    const ended = program.ended.then(() => {
      throw this.#endError(program.lastWords);
    });
    ended.catch(() => undefined);
    try {
      await Promise.race([this.#send(program, userMessage(id, prompt)), ended]);
      return this.#endOf(await Promise.race([result, ended]), emit);
    } finally {
      this.#running = undefined;
    }
  }

  cancel(): void {
    this.#ask({ subtype: 'interrupt' });
  }

  async close(): Promise<void> {
    await this.#program?.stop();
  }

  /** The program asks something. What is not known is declined. */
  async #control(requestId: string, request: Json): Promise<void> {
    const response = await this.#responseTo(request);
    this.#answer({
      type: 'control_response',
      response:
        response === undefined
          ? { subtype: 'error', request_id: requestId, error: 'This is not known here.' }
          : { subtype: 'success', request_id: requestId, response },
    });
  }

  async #responseTo(request: Json): Promise<Json | undefined> {
    switch (request['subtype']) {
      case 'can_use_tool': {
        const input = asObject(request['input']) ?? {};
        const message = await this.#refusal(asText(request['tool_name']), input);
        return message === undefined
          ? { behavior: 'allow', updatedInput: input }
          : { behavior: 'deny', message };
      }
      case 'hook_callback': {
        const about = asObject(request['input']);
        const input = asObject(about?.['tool_input']) ?? {};
        const reason = await this.#refusal(asText(about?.['tool_name']), input);
        const decision =
          reason === undefined
            ? { permissionDecision: 'allow' }
            : { permissionDecision: 'deny', permissionDecisionReason: reason };
        return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
      }
      default:
        return undefined;
    }
  }

  async #refusal(tool: string, input: Json): Promise<string | undefined> {
    const { cwd, servers, isConfined, refused } = this.#parts;
    const running = this.#running;
    const refusal = refusalOfTool(tool, servers) ?? refusalOfInput(input);
    if (refusal !== undefined || running === undefined) {
      return refusal ?? 'No turn of yours is going on.';
    }
    const command = askedOf(tool, input);
    if (command === undefined) {
      return undefined;
    }
    if (tool === 'Bash' && isForbidden(command, refused)) {
      return 'This command is not to be used here. Go on without it.';
    }
    const { prompt, signal } = running;
    try {
      const question = { command, cwd, isConfined };
      const isAllowed = await raceAbort(prompt.approve(question, signal), signal);
      return isAllowed ? undefined : 'This was not allowed. Go on without it.';
    } catch {
      return 'The turn is over.';
    }
  }

  #endOf(result: Json, emit: (part: SessionPart) => void): 'stop' | 'length' {
    const { facts } = this.#parts;
    const said = asText(result['result']);
    switch (result['subtype']) {
      case 'error_max_turns':
        emit({
          type: 'notice',
          code: 'program-limit',
          message: `${facts.title} stopped at its own limit of turns (max_turns).`,
        });
        return 'stop';
      case 'success':
        if (result['is_error'] !== true) {
          return result['stop_reason'] === 'max_tokens' ? 'length' : 'stop';
        }
        throw serviceFault(facts, asCount(result['api_error_status']), said);
      default:
        throw serviceFault(facts, undefined, said || asText(result['subtype']));
    }
  }

  #endError(said: string): MassGenError {
    const { facts } = this.#parts;
    if (/unknown option|unknown argument/i.test(said)) {
      return tooOld(facts, said);
    }
    return /not logged in|\/login|invalid api key/i.test(said)
      ? notSignedIn(facts, said)
      : endedEarly(facts, said);
  }

  #ask(request: Json): void {
    this.#count += 1;
    this.#answer({ type: 'control_request', request_id: `massgen-${this.#count}`, request });
  }

  /** A program that reads no more is about to end, which is told by its end. */
  async #send(program: LineProgram, message: unknown): Promise<void> {
    await program.send(message).catch(() => undefined);
  }

  #answer(message: unknown): void {
    if (this.#program !== undefined) {
      void this.#send(this.#program, message);
    }
  }
}

function release({ held, emit }: Running): void {
  held.splice(0).forEach((part) => emit(part));
}

function userMessage(uuid: string, { text, media }: AgentPrompt): unknown {
  const pictures = media.filter(({ kind }) => kind === 'image');
  const content = [
    ...pictures.map(({ mediaType, base64 }) => ({
      type: 'image',
      source: { type: 'base64', media_type: mediaType, data: base64 },
    })),
    { type: 'text', text },
  ];
  const message = { role: 'user', content };
  return { type: 'user', uuid, message, parent_tool_use_id: null, session_id: '' };
}

/** Whether the program says something that it says in a turn only. */
function isWork({ type, subtype }: Json): boolean {
  return (
    type === 'assistant' || type === 'stream_event' || (type === 'system' && subtype === 'init')
  );
}
