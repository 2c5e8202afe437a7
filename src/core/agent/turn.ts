import type { SnapshotId } from '../../base/ids';
import type { Directive, TurnReport } from '../coordination/inputs';
import type { InstructionFile } from '../../run/facts';
import type { TurnEngine, TurnInput } from '../ports/agent-runtime';
import type { ModelRequest, ToolCallResult, ToolSpec } from '../ports/model-backend';
import type { FoundInstructions } from './agent-instructions';
import { Conversation } from './conversation';
import { toFault } from './fault';
import { toRecorded } from './steps';
import { callModel, type ModelResponse } from './model-call';
import { openTurn } from './opening';
import { PeerView } from './peer-view';
import { budgetsFor } from './prompt/budget';
import { folderInstructions } from './prompt/instruction-files';
import { systemMessage } from './prompt/system-message';
import { type SortedCalls, sortCalls } from './sort-calls';
import type { TurnParts } from './turn-parts';
import { TurnTools } from './turn-tools';
import { wait } from './wait';
import { workflowSpecs } from './workflow-specs';
import { answerText, toAction, toFindings } from './workflow-tools';

/** What came of a response, before the engine has been asked. */
interface Outcome {
  readonly report: TurnReport;
  /** By index of the call in the response. */
  readonly results: ReadonlyMap<number, ToolCallResult>;
  /** For the model, beside what the engine says. */
  readonly notes: string;
}

/** A call whose arguments were cut off has not been made, and must not seem so. */
const cutNote =
  'Your last response came to the length limit of the model and was cut off there. Calls that were not complete have not been made. Go on in smaller steps.';

/** One turn from its first message to the directive that ends it. Holds no rules: it reports and obeys. */
export class Turn {
  readonly #parts: TurnParts;
  readonly #input: TurnInput;
  readonly #engine: TurnEngine;
  readonly #tools: TurnTools;
  readonly #view: PeerView;
  readonly #conversation: Conversation;
  #toolset: TurnInput['toolset'];
  /** What the model is offered: the same in every call, whatever may be used by then. */
  #offered: readonly ToolSpec[] = [];
  #call = 1;

  constructor(parts: TurnParts, input: TurnInput, engine: TurnEngine) {
    this.#parts = parts;
    this.#input = input;
    this.#engine = engine;
    this.#tools = new TurnTools(parts, input, engine);
    this.#view = new PeerView(parts.workspace, input);
    const budgets = budgetsFor(input.state.settings, this.#window());
    this.#conversation = new Conversation(input, this.#view, budgets.answers);
    this.#toolset = input.toolset;
  }

  async play(signal: AbortSignal): Promise<void> {
    await this.#open(signal);
    for (;;) {
      const response = await callModel(
        { ...this.#parts, filesAfter: async (step) => this.#filesAfter(step, signal) },
        this.#request(),
        (event) => this.#engine.observe(event),
        signal,
      );
      const outcome = await this.#perform(response, signal);
      const directive = await this.#engine.report(outcome.report, signal);
      signal.throwIfAborted();
      if (directive.kind === 'end') {
        return;
      }
      if (directive.kind === 'retry') {
        await this.#pause(directive, outcome.report, signal);
      } else {
        this.#toolset = directive.toolset;
        this.#call += 1;
        const { results, notes } = outcome;
        const state = this.#engine.state();
        this.#conversation.add(response, results, { directive, state, notes });
      }
    }
  }

  async #open(signal: AbortSignal): Promise<void> {
    const { workspace, instructions, steps, redact, payloads } = this.#parts;
    const { slot, turnNo } = this.#input;
    const recorded = await steps.openingOf(turnNo, signal);
    await this.#tools.open(recorded?.tools, signal);
    this.#tell(await instructions?.readTop(signal));
    const tools = this.#tools.usable(this.#toolset);
    // What differs between turns comes last: services reuse what they have read up to the first difference.
    this.#offered = [
      ...tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      ...workflowSpecs(this.#input.purpose, this.#toolset),
    ];
    const parts = {
      workspace,
      view: this.#view,
      contextWindowTokens: this.#window(),
      tools,
      instructions: instructions?.inFolders ?? [],
    };
    const opened = await openTurn(this.#input, parts, signal);
    const text = recorded?.message ?? opened.text;
    this.#conversation.open(text, opened.answerChars, this.#parts.uploads ?? []);
    const sourced = this.#tools.sourced;
    const prompt = {
      ...{ system: redact(this.#request().system), message: redact(text) },
      ...(sourced.length === 0 ? {} : { tools: sourced.map(toRecorded) }),
    };
    this.#engine.observe({
      type: 'turn-opened',
      ...{ slot, turnNo, prompt: payloads.put(JSON.stringify(prompt)) },
    });
  }

  /** An agent program works in the files by itself: nothing but their state after its call tells what it has done. */
  async #filesAfter(
    step: { readonly turnNo: number; readonly call: number },
    signal: AbortSignal,
  ): Promise<SnapshotId | undefined> {
    const isAgent = this.#parts.backend.capabilities.isAgent === true;
    return this.#parts.steps.filesAfter(step, async () =>
      isAgent && !signal.aborted ? this.#tools.freeze(signal) : undefined,
    );
  }

  #window(): number | undefined {
    return this.#parts.backend.capabilities.contextWindowTokens;
  }

  #request(): ModelRequest {
    const { slot, turnNo, attempt, state } = this.#input;
    const { workspace, tools, instructions, systemMessage: own } = this.#parts;
    return {
      step: { attempt, slot, turnNo, call: this.#call },
      task: state.task,
      system: systemMessage(state, {
        ...{ systemMessage: own, workspace, tools },
        instructions: instructions?.top ?? [],
      }),
      messages: this.#conversation.messages,
      tools: this.#offered,
      maxOutputTokens: undefined,
      approve: async (question, signal) => this.#tools.approve(question, signal),
    };
  }

  /** Does what the response asks for, up to the point where the engine has to be asked. */
  async #perform(response: ModelResponse, signal: AbortSignal): Promise<Outcome> {
    const call = this.#call;
    if (response.error !== undefined) {
      const { redact } = this.#parts;
      const fault = toFault(response.error, redact, () => this.#conversation.shorten());
      return { report: { kind: 'fault', call, fault }, results: new Map(), notes: '' };
    }
    const calls = sortCalls(response.toolCalls, this.#input.purpose, this.#tools.all);
    const { ordinary } = calls;
    const done = await this.#tools.run(ordinary, { call, toolset: this.#toolset }, signal);
    const results = new Map<number, ToolCallResult>();
    ordinary.forEach(({ index }, i) => {
      const result = done[i];
      if (result !== undefined) {
        results.set(index, result);
      }
    });
    const found = await this.#parts.instructions?.readFor(this.#tools.pathsOf(ordinary), signal);
    this.#tell(found);
    const folders = folderInstructions(found?.texts ?? []);
    const parts = [response.isCut === true ? cutNote : '', folders];
    const notes = parts.filter((part) => part !== '').join('\n\n');
    return { report: await this.#report(response, calls, signal), results, notes };
  }

  async #report(
    response: ModelResponse,
    { ordinary, workflow, unknown }: SortedCalls,
    signal: AbortSignal,
  ): Promise<TurnReport> {
    const call = this.#call;
    if (ordinary.length > 0 && workflow.length === 0) {
      const { repeats } = this.#tools;
      const tools = ordinary.map((one) => one.call.name);
      return { kind: 'tool-round', call, tools, ...(repeats > 1 ? { repeats } : {}) };
    }
    const neutralize = (text: string): string => this.#parts.workspace.neutralizePaths(text);
    switch (this.#input.purpose) {
      case 'present': {
        const given = workflow.map((one) => answerText(one.call)).find((one) => one !== undefined);
        return { kind: 'presented', call, text: neutralize(given ?? response.text) };
      }
      case 'evaluate': {
        const findings = workflow.flatMap((one) => toFindings(one.call, neutralize));
        return { kind: 'evaluated', call, findings };
      }
      case 'coordinate': {
        const files = workflow.some((one) => one.call.name === 'new_answer')
          ? await this.#tools.snapshot(call, signal)
          : { snapshotId: null, changes: [] };
        const known = workflow.map((one) => toAction(one.call, files, neutralize));
        const others = unknown.map(({ call: { id, name } }) => ({
          kind: 'unknown_tool' as const,
          toolCallId: id,
          name,
        }));
        return { kind: 'response', call, actions: [...known, ...others] };
      }
    }
  }

  #tell(found: FoundInstructions | undefined): void {
    const { instructions } = this.#engine.state();
    const isKnown = (file: InstructionFile): boolean =>
      instructions.some(
        ({ root, path, text }) =>
          root === file.root && path === file.path && text.sha256 === file.text.sha256,
      );
    if (found?.files.some((file) => !isKnown(file)) === true) {
      const { slot } = this.#input;
      this.#engine.observe({ type: 'instructions-read', slot, files: found.files });
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
}
