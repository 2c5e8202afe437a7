import { canonicalJson } from '../../base/canonical-json';
import type { SnapshotId } from '../../base/ids';
import { isCancelled, toErrorInfo } from '../errors';
import type { TurnEngine, TurnInput } from '../ports/agent-runtime';
import type { ApprovalQuestion, ToolCallResult } from '../ports/model-backend';
import type { Tool, ToolContext } from '../ports/tool';
import { EffectJournal } from './effect-journal';
import { isFor, usableTools } from './policy';
import { RepeatedRounds } from './repeated-rounds';
import type { RecordedTool } from './steps';
import { parseArguments } from './tool-arguments';
import { type PlacedCall, runCalls } from './tool-round';
import type { TurnParts } from './turn-parts';
import type { AnswerFiles } from './workflow-tools';

/** The ordinary tools of one turn, and what they need of its agent. */
export class TurnTools {
  readonly #parts: TurnParts;
  readonly #input: TurnInput;
  readonly #engine: TurnEngine;
  readonly #effects: EffectJournal | undefined;
  readonly #seenPaths = new Set<string>();
  readonly #repeats = new RepeatedRounds();
  #sourced: readonly Tool[] = [];

  constructor(parts: TurnParts, input: TurnInput, engine: TurnEngine) {
    this.#parts = parts;
    this.#input = input;
    this.#engine = engine;
    this.#effects = input.purpose === 'present' ? this.#journal() : undefined;
  }

  /** Tools of this turn that its agent's source brings. They stay the same for the whole turn, so that services can reuse what they have read. */
  get sourced(): readonly Tool[] {
    return this.#sourced;
  }

  /** `recorded`: what the turn had when it began before. Rejects only with `cancelled/*`. */
  async open(recorded: readonly RecordedTool[] | undefined, signal: AbortSignal): Promise<void> {
    const { source } = this.#parts;
    const find = async (stop: AbortSignal): Promise<readonly Tool[]> =>
      source === undefined ? [] : source.tools(this.#context(), stop);
    this.#sourced =
      recorded === undefined ? await find(signal) : recorded.map((tool) => asBefore(tool, find));
  }

  /** All ordinary tools that the agent has in this turn. */
  get all(): readonly Tool[] {
    const { tools, backend } = this.#parts;
    const { capabilities } = backend;
    return capabilities.isAgent === true
      ? []
      : [...tools, ...this.#sourced].filter((tool) => isFor(capabilities, tool));
  }

  usable(toolset: TurnInput['toolset']): readonly Tool[] {
    return usableTools(this.all, this.#input.purpose, toolset);
  }

  async approve(question: ApprovalQuestion, signal: AbortSignal): Promise<boolean> {
    return this.#context().approveCommand(question, signal);
  }

  /** One result per call, in order. Rejects only with `cancelled/*`. */
  async run(
    calls: readonly PlacedCall[],
    at: { readonly call: number; readonly toolset: TurnInput['toolset'] },
    signal: AbortSignal,
  ): Promise<readonly ToolCallResult[]> {
    const { slot, turnNo } = this.#input;
    const { steps, payloads, redact, logger } = this.#parts;
    const round = {
      ...{ steps, payloads, redact, logger },
      tools: new Map(this.usable(at.toolset).map((tool) => [tool.name, tool])),
      closed: at.toolset.blockedTools ?? [],
      isOver: !at.toolset.hasOrdinaryTools,
      context: this.#context(),
      at: { slot, turnNo, call: at.call },
      observe: this.#engine.observe.bind(this.#engine),
      freeze: async (stop: AbortSignal) => this.freeze(stop),
      effects: this.#effects,
    };
    return this.#repeats.after(calls, await runCalls(round, calls, signal));
  }

  /** How often in a row the newest round of calls was made with the same result, itself included. */
  get repeats(): number {
    return this.#repeats.count;
  }

  /** Paths that these calls are about, as written. */
  pathsOf(calls: readonly PlacedCall[]): readonly string[] {
    return calls.flatMap(({ call }) => {
      const tool = this.all.find(({ name }) => name === call.name);
      const parsed = parseArguments(call.argumentsJson);
      return parsed.kind === 'malformed' ? [] : (tool?.pathsOf?.(parsed.input) ?? []);
    });
  }

  /** An answer without files is better than none: a failed snapshot is told and the answer goes on without it. */
  async snapshot(call: number, signal: AbortSignal): Promise<AnswerFiles> {
    const { slot, turnNo } = this.#input;
    const taken = { type: 'snapshot-taken' as const, slot, turnNo, call };
    try {
      const { id, changes, isUnsettled } = await this.#parts.workspace.takeSnapshot(signal);
      const files = { snapshotId: id, changes, ...(isUnsettled === true ? { isUnsettled } : {}) };
      this.#engine.observe({ ...taken, ...files });
      if (isUnsettled === true) {
        this.#engine.observe({
          type: 'warning-raised',
          code: 'snapshot-unsettled',
          message: `The files of an answer of agent${slot} were taken while a command of it still ran, so they may be half written. Look at them before you accept them.`,
        });
      }
      return files;
    } catch (error) {
      if (signal.aborted || isCancelled(error)) {
        throw error;
      }
      const { message } = toErrorInfo(error, this.#parts.redact);
      this.#engine.observe({ ...taken, snapshotId: null, changes: [] });
      this.#engine.observe({
        type: 'warning-raised',
        code: 'snapshot-failed',
        message: `The files of an answer of agent${slot} could not be kept: ${message}`,
      });
      return { snapshotId: null, changes: [] };
    }
  }

  #context(): ToolContext {
    const { slot, turnNo } = this.#input;
    const { workspace, desk, commandTimeoutMs, backend } = this.#parts;
    return {
      workspace,
      slot,
      media: backend.capabilities.media ?? [],
      seenPaths: this.#seenPaths,
      commandTimeoutMs,
      approveCommand: (request, signal) =>
        desk.ask(
          { slot, turnNo, ...request, neutralCwd: workspace.neutralizePaths(request.cwd) },
          (event) => this.#engine.observe(event),
          signal,
        ),
    };
  }

  #journal(): EffectJournal {
    const { slot, turnNo } = this.#input;
    const { payloads, redact, workspace } = this.#parts;
    const cwd = workspace.roots[0]?.shownPath ?? '';
    return new EffectJournal({
      ...{ slot, turnNo, payloads, redact },
      state: () => this.#engine.state(),
      observe: (event) => this.#engine.observe(event),
      ask: async (command, signal) =>
        this.#context().approveCommand(
          { command, cwd, isConfined: false, isRequest: true },
          signal,
        ),
    });
  }

  /** Without it the run can still be continued, from an earlier state of the files. */
  /** State of the files as they are; `undefined` when it could not be kept. */
  async freeze(signal: AbortSignal): Promise<SnapshotId | undefined> {
    try {
      return await this.#parts.workspace.freeze(signal);
    } catch (error) {
      if (signal.aborted || isCancelled(error)) {
        return undefined;
      }
      this.#parts.logger.warn('workspace', `files could not be kept: ${String(error)}`);
      return undefined;
    }
  }
}

/** A tool that a turn had before it was cut off: run by what the source has now, if that still is what the model was shown. */
function asBefore(
  recorded: RecordedTool,
  find: (signal: AbortSignal) => Promise<readonly Tool[]>,
): Tool {
  return {
    ...recorded,
    subjectOf: () => '',
    run: async (input, context, signal) => {
      const tool = (await find(signal)).find(({ name }) => name === recorded.name);
      if (tool === undefined) {
        return { text: `${recorded.name} is not there any more. Work without it.`, isError: true };
      }
      return shown(tool) === shown(recorded)
        ? tool.run(input, context, signal)
        : {
            text: `${recorded.name} is not the tool any more that it was when this turn began, so it was not called. It can be used from the next turn on; go on without it.`,
            isError: true,
          };
    },
  };
}

/** All that a model knows of a tool. */
function shown({ name, description, inputSchema }: RecordedTool): string {
  return canonicalJson({ name, description, inputSchema });
}
