// Feeds the engine by hand and keeps what it says; the driver's part of a run, without models or clocks.
import type { Slot } from '../../src/base/ids';
import type { Effect } from '../../src/core/coordination/effects';
import { handle } from '../../src/core/coordination/handle';
import type {
  BackendFault,
  Directive,
  Input,
  RawAction,
  TurnReport,
} from '../../src/core/coordination/inputs';
import { compatSettings } from '../../src/core/coordination/profiles';
import type { CoordinationSettings } from '../../src/run/coordination-settings';
import type { RecordedEvent, RunEvent, RunStarted } from '../../src/run/events';
import type { RunCaps, ToolInfo } from '../../src/run/facts';
import { apply } from '../../src/run/reducer';
import type { AgentState, RunState } from '../../src/run/state';

export interface Said {
  readonly events: readonly RunEvent[];
  readonly effects: readonly Effect[];
}

export interface EngineSetup {
  readonly count?: number;
  readonly settings?: CoordinationSettings;
  readonly caps?: Partial<RunCaps>;
  readonly weights?: readonly number[];
  readonly tools?: readonly ToolInfo[];
  /** By slot. */
  readonly planningModes?: Readonly<Record<number, 'on' | 'off'>>;
}

export class Engine {
  readonly log: RecordedEvent[] = [];
  readonly effects: Effect[] = [];
  /** Unix ms of the next input. */
  now = 1000;
  #state: RunState | undefined;

  /** A run whose agents have all begun their first turn. */
  constructor(setup: EngineSetup = {}) {
    this.put({ kind: 'start', started: startedBy(setup) });
    this.settle();
  }

  get state(): RunState {
    if (this.#state === undefined) {
      throw new Error('the run has not started');
    }
    return this.#state;
  }

  agent(slot: Slot): AgentState {
    const agent = this.state.agents[slot - 1];
    if (agent === undefined) {
      throw new Error(`there is no agent ${slot}`);
    }
    return agent;
  }

  put(input: Input): Said {
    const said = handle(this.#state, { at: this.now, input });
    for (const event of said.events) {
      const recorded = { seq: this.log.length, at: this.now, event };
      this.log.push(recorded);
      this.#state = apply(this.#state, recorded);
    }
    this.effects.push(...said.effects);
    return said;
  }

  settle(): Said {
    return this.put({ kind: 'instant-ended' });
  }

  /** Reports for the turn the agent is in; the call starts and ends first. */
  report(slot: Slot, report: TurnReport, costUsd: number | null = 0): Said {
    const { turnNo } = this.agent(slot);
    const { call } = report;
    this.put({ kind: 'observed', event: { type: 'model-call-started', slot, turnNo, call } });
    const ended = { slot, turnNo, call, text: '', toolCalls: [], usage: {}, costUsd } as const;
    this.put({ kind: 'observed', event: { type: 'model-call-ended', ...ended } });
    return this.put({ kind: 'report', slot, turnNo, report });
  }

  respond(slot: Slot, ...actions: readonly RawAction[]): Said {
    return this.report(slot, { kind: 'response', call: this.#nextCall(slot), actions });
  }

  answer(slot: Slot, content: string, changed: Partial<Answer> = {}): Said {
    return this.respond(slot, { ...answer(content), ...changed });
  }

  vote(slot: Slot, target: string, changed: Partial<Vote> = {}): Said {
    return this.respond(slot, { ...vote(target), ...changed });
  }

  fault(slot: Slot, fault: Partial<BackendFault> = {}): Said {
    const error = {
      code: 'backend/network',
      message: 'The connection was reset.',
      retryable: true,
    };
    return this.report(slot, {
      kind: 'fault',
      call: this.#nextCall(slot),
      fault: { error, kind: 'transient', ...fault },
    });
  }

  tool(slot: Slot, ...tools: readonly string[]): Said {
    return this.report(slot, { kind: 'tool-round', call: this.#nextCall(slot), tools });
  }

  #nextCall(slot: Slot): number {
    return (this.agent(slot).turn?.calls ?? 0) + 1;
  }
}

export type Answer = Extract<RawAction, { readonly kind: 'new_answer' }>;
export type Vote = Extract<RawAction, { readonly kind: 'vote' }>;

export function answer(content: string): Answer {
  return { kind: 'new_answer', toolCallId: 'call-1', content, snapshotId: null, changes: [] };
}

export function vote(target: string): Vote {
  return {
    kind: 'vote',
    toolCallId: 'call-2',
    target,
    reason: 'It is the best.',
    approve: [],
    isAbstention: false,
  };
}

export function startedBy(setup: EngineSetup): RunStarted {
  const { count = 2, settings, caps, weights, tools, planningModes = {} } = setup;
  return {
    type: 'run-started',
    runId: 'run-1',
    task: 'Settle on a letter.',
    agents: Array.from({ length: count }, (_unused, index) => ({
      slot: index + 1,
      id: `id-${index + 1}`,
      backend: 'offline',
      model: 'scripted',
      family: '',
      weight: weights?.[index] ?? 1,
      ...planningOf(planningModes[index + 1]),
    })),
    contextRoots: [],
    settings: settings ?? compatSettings(),
    caps: { durationMs: 600_000, modelCalls: null, costUsd: null, ...caps },
    teamName: 'Team',
    isScripted: true,
    unconfinedReason: null,
    ...(tools === undefined ? {} : { tools }),
  };
}

function planningOf(planningMode: 'on' | 'off' | undefined): Partial<AgentState['info']> {
  return planningMode === undefined ? {} : { planningMode };
}

export function types(said: Said): readonly string[] {
  return said.events.map(({ type }) => type);
}

/** The one directive of what was said; fails when there is not exactly one. */
export function directive(said: Said): Directive {
  const all = said.effects.flatMap((effect) => (effect.kind === 'direct' ? effect.directive : []));
  const [only, ...others] = all;
  if (only === undefined || others.length > 0) {
    throw new Error(`${all.length} directives`);
  }
  return only;
}

export function eventOf<T extends RunEvent['type']>(
  said: Said,
  type: T,
): Extract<RunEvent, { readonly type: T }> | undefined {
  const isMeant = (event: RunEvent): event is Extract<RunEvent, { readonly type: T }> =>
    event.type === type;
  return said.events.find(isMeant);
}

export function effectsOf<K extends Effect['kind']>(
  said: Said | Engine,
  kind: K,
): readonly Extract<Effect, { readonly kind: K }>[] {
  const effects: readonly Effect[] = said.effects;
  const isMeant = (effect: Effect): effect is Extract<Effect, { readonly kind: K }> =>
    effect.kind === kind;
  return effects.filter(isMeant);
}
