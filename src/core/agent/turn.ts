import { type Label, parseLabel, type SnapshotId } from '../../base/ids';
import type { Directive, TurnReport } from '../coordination/inputs';
import { isCancelled, toErrorInfo } from '../errors';
import type { TurnEngine, TurnInput } from '../ports/agent-runtime';
import type { Logger } from '../ports/logger';
import type { ChatMessage, ModelRequest, ToolCallResult } from '../ports/model-backend';
import type { PayloadStore } from '../ports/payload-store';
import type { Tool, ToolContext } from '../ports/tool';
import type { AgentWorkspace } from '../ports/workspace';
import type { ApprovalDesk } from './approval';
import { toFault } from './fault';
import { type CallParts, callModel, type ModelResponse } from './model-call';
import { openTurn, showFiles } from './opening';
import { usableTools } from './policy';
import { shownAnswers } from './prompt/answers';
import { systemMessage } from './prompt/system-message';
import { updateBlock } from './prompt/update-block';
import { type SortedCalls, sortCalls } from './sort-calls';
import type { StepJournal } from './steps';
import { type PlacedCall, runCalls } from './tool-round';
import { wait } from './wait';
import {
  type AnswerFiles,
  answerText,
  newAnswerSpec,
  replyResult,
  toAction,
  workflowSpecs,
} from './workflow-tools';

export interface TurnParts extends CallParts {
  readonly workspace: AgentWorkspace;
  /** Ordinary tools; none may be named like a workflow tool. */
  readonly tools: readonly Tool[];
  readonly desk: ApprovalDesk;
  /** Time limit of a command that asks for none itself, ms. */
  readonly commandTimeoutMs: number;
  /** The user's own text for this agent. */
  readonly systemMessage: string | undefined;
  readonly steps: StepJournal;
  readonly payloads: PayloadStore;
  readonly logger: Logger;
}

/** One turn from its first message to the directive that ends it. Holds no rules: it reports and obeys. */
export class Turn {
  readonly #parts: TurnParts;
  readonly #input: TurnInput;
  readonly #engine: TurnEngine;
  readonly #messages: ChatMessage[] = [];
  #toolset: TurnInput['toolset'];
  readonly #seenPaths = new Set<string>();
  #shown: readonly Label[];
  #call = 1;

  constructor(parts: TurnParts, input: TurnInput, engine: TurnEngine) {
    this.#parts = parts;
    this.#input = input;
    this.#engine = engine;
    this.#toolset = input.toolset;
    this.#shown = input.shown;
  }

  async play(signal: AbortSignal): Promise<void> {
    const { workspace, backend } = this.#parts;
    const window = backend.capabilities.contextWindowTokens;
    const text = await openTurn(this.#input, workspace, window, signal);
    const recorded = await this.#parts.steps.openingOf(this.#input.turnNo, signal);
    const opening = recorded ?? text;
    this.#messages.push({ role: 'user', text: opening });
    this.#opened(opening);
    for (;;) {
      const request = this.#request();
      const response = await callModel(
        this.#parts,
        request,
        (event) => this.#engine.observe(event),
        signal,
      );
      const calls = sortCalls(response.toolCalls, this.#input.purpose, this.#parts.tools);
      const results = new Map<number, ToolCallResult>();
      const report = await this.#perform(response, calls, results, signal);
      const directive = await this.#engine.report(report, signal);
      signal.throwIfAborted();
      if (directive.kind === 'end') {
        return;
      }
      if (directive.kind === 'retry') {
        await this.#pause(directive, report, signal);
      } else {
        this.#goOn(response, results, directive);
      }
    }
  }

  #opened(opening: string): void {
    const { redact, payloads } = this.#parts;
    const { slot, turnNo } = this.#input;
    const prompt = { system: redact(this.#request().system), message: redact(opening) };
    this.#engine.observe({
      type: 'turn-opened',
      ...{ slot, turnNo, prompt: payloads.put(JSON.stringify(prompt)) },
    });
  }

  #request(): ModelRequest {
    const { slot, turnNo, attempt, purpose, state } = this.#input;
    const tools = this.#usable();
    const { workspace, systemMessage: own } = this.#parts;
    return {
      step: { attempt, slot, turnNo, call: this.#call },
      task: state.task,
      system: systemMessage(this.#input, { systemMessage: own, workspace, tools }),
      messages: [...this.#messages],
      tools: [
        ...tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
        ...(purpose === 'present' ? [newAnswerSpec] : workflowSpecs(this.#toolset)),
      ],
      maxOutputTokens: undefined,
    };
  }

  #usable(): readonly Tool[] {
    return usableTools(this.#parts.tools, this.#input.purpose, this.#toolset);
  }

  /** Does what the response asks for, up to the point where the engine has to be asked. */
  async #perform(
    response: ModelResponse,
    { ordinary, workflow, unknown }: SortedCalls,
    results: Map<number, ToolCallResult>,
    signal: AbortSignal,
  ): Promise<TurnReport> {
    const call = this.#call;
    if (response.error !== undefined) {
      return { kind: 'fault', call, fault: toFault(response.error, this.#parts.redact) };
    }
    const done = await this.#runTools(ordinary, signal);
    ordinary.forEach(({ index }, i) => {
      const result = done[i];
      if (result !== undefined) {
        results.set(index, result);
      }
    });
    if (ordinary.length > 0 && workflow.length === 0) {
      return { kind: 'tool-round', call, tools: ordinary.map((one) => one.call.name) };
    }
    const neutralize = (text: string): string => this.#parts.workspace.neutralizePaths(text);
    if (this.#input.purpose === 'present') {
      const given = workflow.map((one) => answerText(one.call)).find((one) => one !== undefined);
      return { kind: 'presented', call, text: neutralize(given ?? response.text) };
    }
    const files = workflow.some((one) => one.call.name === newAnswerSpec.name)
      ? await this.#snapshot(signal)
      : { snapshotId: null, changes: [] };
    const actions = [
      ...workflow.map((one) => toAction(one.call, files, neutralize)),
      ...unknown.map(({ call: { id, name } }) => ({
        kind: 'unknown_tool' as const,
        toolCallId: id,
        name,
      })),
    ];
    return { kind: 'response', call, actions };
  }

  async #runTools(
    calls: readonly PlacedCall[],
    signal: AbortSignal,
  ): Promise<readonly ToolCallResult[]> {
    const { slot, turnNo } = this.#input;
    const round = {
      tools: new Map(this.#usable().map((tool) => [tool.name, tool])),
      context: this.#toolContext(),
      at: { slot, turnNo, call: this.#call },
      observe: this.#engine.observe.bind(this.#engine),
      steps: this.#parts.steps,
      payloads: this.#parts.payloads,
      redact: this.#parts.redact,
      freeze: async (stop: AbortSignal) => this.#freeze(stop),
      logger: this.#parts.logger,
    };
    return runCalls(round, calls, signal);
  }

  #toolContext(): ToolContext {
    const { slot, turnNo } = this.#input;
    const { workspace, desk, commandTimeoutMs } = this.#parts;
    return {
      workspace,
      slot,
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

  /** An answer without files is better than none: a failed snapshot is told and the answer goes on without it. */
  async #snapshot(signal: AbortSignal): Promise<AnswerFiles> {
    const { slot, turnNo } = this.#input;
    const taken = { type: 'snapshot-taken' as const, slot, turnNo, call: this.#call };
    try {
      const { id, changes } = await this.#parts.workspace.takeSnapshot(signal);
      this.#engine.observe({ ...taken, snapshotId: id, changes });
      return { snapshotId: id, changes };
    } catch (error) {
      if (signal.aborted || isCancelled(error)) {
        throw error;
      }
      const { message } = toErrorInfo(error, this.#parts.redact);
      this.#engine.observe({ ...taken, snapshotId: null, changes: [] });
      this.#engine.observe({
        type: 'warning-raised',
        code: 'snapshot-failed',
        message: `The files of an answer of agent${this.#input.slot} could not be kept: ${message}`,
      });
      return { snapshotId: null, changes: [] };
    }
  }

  /** Without it the run can still be continued, from an earlier state of the files. */
  async #freeze(signal: AbortSignal): Promise<SnapshotId | undefined> {
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

  async #pause(
    directive: Extract<Directive, { kind: 'retry' }>,
    report: TurnReport,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#parts;
    const { slot, turnNo } = this.#input;
    if (directive.delayMs > 0 && directive.reason === 'rate-limit') {
      const isOverloaded =
        report.kind === 'fault' && report.fault.error.code === 'backend/overloaded';
      const reason = isOverloaded ? 'overloaded' : 'rate-limit';
      const until = clock.now() + directive.delayMs;
      this.#engine.observe({ type: 'agent-waiting', slot, turnNo, reason, until });
    }
    await wait(clock, directive.delayMs, signal);
  }

  /** Writes the response and what answers it into the conversation. */
  #goOn(
    response: ModelResponse,
    results: ReadonlyMap<number, ToolCallResult>,
    directive: Extract<Directive, { kind: 'continue' }>,
  ): void {
    this.#toolset = directive.toolset;
    this.#call += 1;
    const { text, toolCalls } = response;
    if (text !== '' || toolCalls.length > 0) {
      this.#messages.push({ role: 'assistant', text, toolCalls });
    }
    if (toolCalls.length > 0) {
      const all = toolCalls.map((call, index) => {
        const reply = directive.replies.find((one) => one.toolCallId === call.id);
        return results.get(index) ?? replyResult(call, reply, directive.toolset);
      });
      this.#messages.push({ role: 'tool', results: all });
    }
    const news = this.#news(directive.update);
    const notices = [directive.notice, news].filter((part) => part !== '');
    if (notices.length > 0 || toolCalls.length === 0) {
      this.#messages.push({ role: 'user', text: notices.join('\n\n') || 'Go on.' });
    }
  }

  #news(labels: readonly Label[]): string {
    if (labels.length === 0) {
      return '';
    }
    const { workspace, backend } = this.#parts;
    const state = this.#engine.state();
    const before = this.#shown;
    const slots = new Set(labels.map((label) => parseLabel(label)?.slot));
    const kept = before.filter((label) => !slots.has(parseLabel(label)?.slot));
    this.#shown = [...kept, ...labels];
    const folders = showFiles(workspace, state, this.#shown);
    const answers = shownAnswers(state, labels, folders).map((answer) => {
      const replaces = before.find((label) => parseLabel(label)?.slot === answer.revision.slot);
      return replaces === undefined ? answer : { ...answer, replaces };
    });
    return updateBlock(answers, this.#toolset, backend.capabilities.contextWindowTokens);
  }
}
