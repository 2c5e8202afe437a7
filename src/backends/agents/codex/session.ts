import { MassGenError } from '../../../core/errors';
import type { BackendSettings } from '../../../core/ports/backend-kind';
import type { AgentPrompt, AgentSession, SessionPart, SessionPlace } from '../agent-session';
import { endedEarly, serviceFault, tooOld } from '../faults';
import { LineProgram } from '../line-program';
import { type ProgramStart, startProgram } from '../start-program';
import type { StateFolder } from '../state-folder';
import type { ReadyServer } from '../tool-servers';
import { codexArguments } from './arguments';
import { EventReader } from './events';
import { settingsName, settingsText } from './settings-file';
import type { ThreadUsage } from './thread-usage';

export interface CodexSessionParts {
  readonly start: ProgramStart;
  readonly settings: BackendSettings;
  readonly servers: readonly ReadyServer[];
  readonly state: StateFolder;
  readonly place: SessionPlace;
  /** Session to go on with. */
  readonly id: string | undefined;
  readonly used: ThreadUsage;
}

/** A session of Codex: each prompt is a process of its own that goes on where the one before has stopped. */
export class CodexSession implements AgentSession {
  readonly isResumed: boolean;
  readonly #parts: CodexSessionParts;
  #id: string | undefined;
  #isOpen = true;
  #isAllowed = false;
  #stopping: AbortController | undefined;
  #program: LineProgram | undefined;

  constructor(parts: CodexSessionParts) {
    this.#parts = parts;
    this.#id = parts.id;
    this.isResumed = parts.id !== undefined;
  }

  get id(): string | undefined {
    return this.#id;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async prompt(
    prompt: AgentPrompt,
    emit: (part: SessionPart) => void,
    signal: AbortSignal,
  ): Promise<'stop' | 'length'> {
    await this.#ask(prompt, signal);
    if (prompt.media.length > 0) {
      const names = prompt.media.map(({ name }) => name).join(', ');
      emit({ type: 'notice', code: 'media-left-out', message: `Codex is not shown ${names}.` });
    }
    const reader = new EventReader(this.#parts.used);
    const stopping = new AbortController();
    this.#stopping = stopping;
    const program = await this.#begin(
      (event) => reader.read(event).forEach((part) => emit(part)),
      stopping.signal,
    );
    this.#program = program;
    try {
      // A program that reads no more is about to end, which is told by its end.
      await program.finish(prompt.text).catch(() => undefined);
      await program.ended;
      return this.#endOf(reader, program.lastWords);
    } catch (error) {
      // What cannot be gone on with is begun anew.
      this.#isOpen = false;
      throw error;
    } finally {
      this.#id = reader.threadId ?? this.#id;
      this.#program = undefined;
    }
  }

  /** It knows no way of leaving off but to end. */
  cancel(): void {
    this.#stopping?.abort(new MassGenError('cancelled/superseded', 'The turn is over.'));
    void this.#program?.stop().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.cancel();
    await this.#program?.stop();
  }

  /** It asks for nothing while it works, so it is allowed once as a whole. */
  async #ask({ approve }: AgentPrompt, signal: AbortSignal): Promise<void> {
    const { start } = this.#parts;
    if (start.workspace.unconfinedProgramReason !== undefined) {
      // Whoever lets it start then has allowed all that it does.
      return;
    }
    const cwd = start.workspace.roots[0]?.shownPath ?? '/';
    const command = `${start.command.join(' ')} exec --sandbox danger-full-access`;
    this.#isAllowed ||= await approve({ command, cwd, isConfined: true }, signal);
    if (!this.#isAllowed) {
      throw new MassGenError('tool/denied', 'Codex may not run commands.', {
        hint: 'It cannot ask before each of them: allow confined commands, or use another agent.',
      });
    }
  }

  async #begin(onLine: (event: unknown) => void, signal: AbortSignal): Promise<LineProgram> {
    const { start, settings, servers, state, place } = this.#parts;
    const { bridge } = place;
    const cwd = start.workspace.roots[0]?.shownPath ?? '/';
    // Anew each time: the program, and every command that it runs, can change what lies there.
    await state.keep(settingsName, settingsText(settings, bridge.command, servers));
    const started = await startProgram(
      start,
      {
        args: codexArguments(settings, { cwd, resume: this.#id }),
        ...{ sockets: [bridge.socketPath], readable: [bridge.tokenPath] },
      },
      place,
      signal,
    );
    return new LineProgram(started, onLine);
  }

  #endOf({ end, lastComplaint }: EventReader, lastWords: string): 'stop' {
    const { facts } = this.#parts.start;
    if (end?.kind === 'completed') {
      return 'stop';
    }
    if (end?.kind === 'failed') {
      throw serviceFault(facts, statusIn(end.said), end.said || lastComplaint);
    }
    if (/unexpected argument|unrecognized subcommand/i.test(lastWords)) {
      throw tooOld(facts, lastWords);
    }
    throw endedEarly(facts, lastComplaint || lastWords);
  }
}

/** The status of HTTP that the words of the program name. */
function statusIn(said: string): number | undefined {
  const found = /\bstatus(?: code)?:? (\d{3})\b/i.exec(said)?.[1];
  return found === undefined ? undefined : Number(found);
}
