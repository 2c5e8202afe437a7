// Plays scripts against the engine on a virtual clock: what a driver, models and timers do in a real run.
import type { Label, Slot, SnapshotId } from '../../../src/base/ids';
import type { Effect } from '../../../src/core/coordination/effects';
import { handle } from '../../../src/core/coordination/handle';
import type {
  Input,
  TimedInput,
  TimerId,
  TurnReport,
  UserCommand,
} from '../../../src/core/coordination/inputs';
import type { CheckReport, CheckSubject } from '../../../src/run/check-facts';
import type { RecordedEvent, RunStarted } from '../../../src/run/events';
import { apply } from '../../../src/run/reducer';
import type { RunState } from '../../../src/run/state';
import { reportOf } from './reports';
import type { ScriptStep } from './steps';

export interface Play {
  readonly started: RunStarted;
  readonly agents: readonly (readonly ScriptStep[])[];
  readonly cancelAt: number | null;
  /** The slot that the judge names at once; absent or `null`: its answer is of no use. */
  readonly judge?: Slot | null;
  /** Time the judge takes, ms; `null`: it never answers; absent: none. */
  readonly judgeTakes?: number | null;
  /** What the judge says of finished work. */
  readonly judgesWork?: string;
  /** What the user asks for, in order of time. */
  readonly commands?: readonly { readonly at: number; readonly command: UserCommand }[];
  /** The answer about tools of unknown effect. */
  readonly plan?: readonly string[] | null;
  /** What the checks of a tree come to, and after how many ms (`null`: never); absent: none ever ends. */
  readonly checks?: (
    subject: CheckSubject,
    snapshotId: SnapshotId | null,
  ) => { readonly report: CheckReport; readonly takes: number | null };
}

export interface Played {
  readonly log: readonly RecordedEvent[];
  readonly inputs: readonly TimedInput[];
  readonly effects: readonly Effect[];
  readonly state: RunState;
  /** Model calls started, by slot. */
  readonly calls: readonly number[];
  /** Calls that were cut off or never came back, by slot. */
  readonly abandoned: readonly number[];
  /** Whose report led to each event of the log, and how it ended a call. */
  readonly sources: readonly Source[];
  /** What broke the contract between engine and driver; empty when all is well. */
  readonly faults: readonly string[];
}

export interface Source {
  readonly reporting: Slot | null;
  readonly action: ScriptStep['action'] | null;
  /** Number of the report, from 1 over the run; 0 when there is none. */
  readonly report: number;
}

interface Call {
  readonly turnNo: number;
  readonly call: number;
  readonly endsAt: number;
  readonly step: ScriptStep;
}

const hang: ScriptStep = { takes: 0, action: { kind: 'hang' } };
const nobody: Source = { reporting: null, action: null, report: 0 };
const mostInstants = 20_000;

export function play(script: Play): Played {
  return new Player(script).play();
}

class Player {
  readonly #script: Play;
  readonly #log: RecordedEvent[] = [];
  readonly #inputs: TimedInput[] = [];
  readonly #effects: Effect[] = [];
  readonly #sources: Source[] = [];
  readonly #faults: string[] = [];
  readonly #timers = new Map<string, { readonly timer: TimerId; readonly at: number }>();
  readonly #calls = new Map<Slot, Call>();
  readonly #position: number[];
  readonly #started: number[];
  readonly #aborted: number[];
  #state: RunState | undefined;
  #source: Source = nobody;
  #reports = 0;
  #words: { readonly at: number; readonly input: Input }[];
  #isOver = false;
  #now = 0;

  constructor(script: Play) {
    this.#script = script;
    this.#position = script.agents.map(() => 0);
    this.#started = script.agents.map(() => 0);
    this.#aborted = script.agents.map(() => 0);
    this.#words = (script.commands ?? []).map(({ at, command }) => ({
      at,
      input: { kind: 'user', command },
    }));
  }

  play(): Played {
    this.#put({ kind: 'start', started: this.#script.started });
    this.#put({ kind: 'instant-ended' });
    for (let i = 0; i < mostInstants && !this.#isOver; i++) {
      const next = this.#nextInstant();
      if (next === undefined) {
        break;
      }
      this.#now = next;
      this.#instant();
    }
    if (this.#state === undefined) {
      throw new Error('the run did not start');
    }
    return {
      log: this.#log,
      inputs: this.#inputs,
      effects: this.#effects,
      state: this.#state,
      calls: this.#started,
      abandoned: this.#started.map(
        (_unused, i) => (this.#aborted[i] ?? 0) + (this.#calls.has(i + 1) ? 1 : 0),
      ),
      sources: this.#sources,
      faults: this.#faults,
    };
  }

  #nextInstant(): number | undefined {
    const times = [
      ...[...this.#calls.values()].filter(isEnding).map(({ endsAt }) => endsAt),
      ...[...this.#timers.values()].map(({ at }) => at),
      ...this.#words.map(({ at }) => at),
    ];
    const { cancelAt } = this.#script;
    if (cancelAt !== null && cancelAt >= this.#now) {
      times.push(cancelAt);
    }
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Cancel, then the deadline, then the agents by slot; free agents are started at the end. */
  #instant(): void {
    if (this.#script.cancelAt === this.#now) {
      this.#put({ kind: 'cancel' });
    }
    this.#fireTimers((timer) => !('slot' in timer));
    this.#hear();
    const ending = [...this.#calls].filter(
      ([, call]) => isEnding(call) && call.endsAt === this.#now,
    );
    for (let slot = 1; slot <= this.#script.agents.length; slot++) {
      this.#fireTimers((timer) => 'slot' in timer && timer.slot === slot);
      const call = ending.find(([owner]) => owner === slot)?.[1];
      if (call !== undefined && this.#calls.get(slot) === call) {
        this.#endCall(slot, call);
      }
    }
    this.#put({ kind: 'instant-ended' });
  }

  /** Words from outside of the team: the user's, and the judge's. */
  #hear(): void {
    const due = this.#words.filter(({ at }) => at <= this.#now);
    this.#words = this.#words.filter(({ at }) => at > this.#now);
    for (const { input } of due) {
      this.#put(input);
    }
  }

  #fireTimers(isMeant: (timer: TimerId) => boolean): void {
    for (const [key, { timer, at }] of [...this.#timers]) {
      if (at <= this.#now && isMeant(timer) && this.#timers.delete(key)) {
        this.#put({ kind: 'timer', timer });
      }
    }
  }

  #endCall(slot: Slot, { turnNo, call, step }: Call): void {
    this.#calls.delete(slot);
    const where = { slot, turnNo, call };
    this.#put({
      kind: 'observed',
      event: { type: 'model-call-ended', ...where, text: '', toolCalls: [], usage: {}, costUsd: 0 },
    });
    this.#reports += 1;
    const plain = reportOf(step.action, call);
    const report =
      this.#script.checks === undefined ? plain : withFiles(plain, `files-${this.#reports}`);
    this.#source = { reporting: slot, action: step.action, report: this.#reports };
    const directions = this.#effects.length;
    this.#put({ kind: 'report', slot, turnNo, report });
    this.#source = nobody;
    const answers = this.#effects
      .slice(directions)
      .filter((effect) => effect.kind === 'direct' && effect.slot === slot);
    if (answers.length !== 1) {
      this.#faults.push(`report of ${slot}.${turnNo}.${call} got ${answers.length} directives`);
    }
  }

  #put(input: Input): void {
    if (this.#isOver) {
      return;
    }
    const timed = { at: this.#now, input };
    this.#inputs.push(timed);
    const { events, effects } = handle(this.#state, timed);
    for (const event of events) {
      const recorded = { seq: this.#log.length, at: this.#now, event };
      this.#log.push(recorded);
      this.#sources.push(this.#source);
      this.#state = apply(this.#state, recorded);
    }
    for (const effect of effects) {
      this.#effects.push(effect);
      this.#execute(effect);
    }
  }

  #execute(effect: Effect): void {
    switch (effect.kind) {
      case 'start-turn':
      case 'start-presentation':
      case 'start-evaluation':
        this.#startCall(effect.slot, effect.turnNo, 1);
        return;
      case 'direct':
        if (effect.directive.kind !== 'end') {
          this.#startCall(effect.slot, effect.turnNo, effect.call + 1);
        }
        return;
      case 'abort-turn':
        this.#abort(effect.slot);
        return;
      case 'set-timer':
        this.#timers.set(JSON.stringify(effect.timer), {
          timer: effect.timer,
          at: this.#now + effect.delayMs,
        });
        return;
      case 'clear-timer':
        this.#timers.delete(JSON.stringify(effect.timer));
        return;
      case 'ask-judge':
        this.#judge();
        return;
      case 'classify-tools':
        this.#put({ kind: 'planned', blockedTools: this.#script.plan ?? null });
        return;
      case 'ask-human':
        return;
      case 'run-checks':
        this.#check(effect);
        return;
      case 'abort-checks':
        this.#words = this.#words.filter(({ input }) => !isCheckOf(input, effect.label));
        return;
      case 'end-run':
        this.#isOver = true;
    }
  }

  #judge(): void {
    const { judge = null, judgeTakes = 0, judgesWork = 'submit' } = this.#script;
    const isOfWork = (this.#state?.evaluation ?? null) !== null;
    const named = judge === null ? '' : `agent${judge}`;
    const label = isOfWork ? judgesWork : named;
    const input = { kind: 'judged', label, reason: 'It does what was asked.' } as const;
    if (judgeTakes === 0) {
      this.#put(input);
    } else if (judgeTakes !== null) {
      this.#words.push({ at: this.#now + judgeTakes, input });
    }
  }

  #check({ subject, snapshotId }: Extract<Effect, { kind: 'run-checks' }>): void {
    const { report, takes } = this.#script.checks?.(subject, snapshotId) ?? {};
    if (report !== undefined && takes !== null) {
      const input = { kind: 'checked', subject, report } as const;
      this.#words.push({ at: this.#now + (takes ?? 0), input });
    }
  }

  #abort(slot: Slot): void {
    if (this.#calls.delete(slot)) {
      this.#aborted[slot - 1] = (this.#aborted[slot - 1] ?? 0) + 1;
    }
  }

  #startCall(slot: Slot, turnNo: number, call: number): void {
    if (this.#calls.has(slot)) {
      this.#faults.push(`agent ${slot} has two calls in flight`);
    }
    const position = this.#position[slot - 1] ?? 0;
    const step = this.#script.agents[slot - 1]?.[position] ?? hang;
    this.#position[slot - 1] = position + 1;
    this.#started[slot - 1] = (this.#started[slot - 1] ?? 0) + 1;
    this.#calls.set(slot, { turnNo, call, step, endsAt: this.#now + step.takes });
    this.#put({ kind: 'observed', event: { type: 'model-call-started', slot, turnNo, call } });
  }
}

/** Only an answer with files can be checked. */
function withFiles(report: TurnReport, snapshotId: SnapshotId): TurnReport {
  return report.kind === 'response'
    ? {
        ...report,
        actions: report.actions.map((action) =>
          action.kind === 'new_answer' ? { ...action, snapshotId } : action,
        ),
      }
    : report;
}

function isCheckOf(input: Input, label: Label): boolean {
  return (
    input.kind === 'checked' && input.subject.kind === 'answer' && input.subject.label === label
  );
}

function isEnding({ step }: Call): boolean {
  return step.action.kind !== 'hang';
}
