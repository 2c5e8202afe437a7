import { linkAbort } from '../../base/abort';
import type { SystemCallEnded } from '../../run/call-events';
import type { ObservedEvent, RecordedEvent } from '../../run/events';
import type { RunState } from '../../run/state';
import type { Effect } from '../coordination/effects';
import type { Input } from '../coordination/inputs';
import { MassGenError, toErrorInfo } from '../errors';
import type { Clock } from '../ports/clock';
import type { Logger } from '../ports/logger';
import type { SystemAnswer, SystemModel } from '../ports/system-model';
import {
  evaluationQuestion,
  judgeQuestion,
  planningQuestion,
  type Question,
  readEvaluation,
  readPlan,
  readVerdict,
} from './system-prompts';

/** Whom a run can ask on its own behalf. */
export interface SystemModels {
  /** A model that is not in the team. */
  readonly judge?: SystemModel;
  /** Any model; asked about tools only. */
  readonly planner?: SystemModel;
  /** What the tools say of themselves, by name. */
  readonly toolDescriptions?: ReadonlyMap<string, string>;
}

export type SystemEffect = Extract<Effect, { readonly kind: 'ask-judge' | 'classify-tools' }>;

export type SystemWord = Extract<Input, { readonly kind: 'judged' | 'planned' }>;

export interface SystemCallsParts {
  readonly models: SystemModels;
  readonly state: () => RunState;
  readonly observe: (event: ObservedEvent) => void;
  readonly say: (word: SystemWord) => void;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly logger: Logger;
}

interface Asked {
  readonly purpose: 'judge' | 'planning';
  readonly model: SystemModel | undefined;
  readonly question: Question;
  /** `undefined`: no answer came. */
  readonly read: (reply: string | undefined) => SystemWord;
}

/** A question that is not answered by then is given up, ms. The engine goes on without the answer. */
const longestMs = 120_000;

/** The calls a run makes beside its agents. Each ends in exactly one word to the engine, also when it fails. */
export class SystemCalls {
  readonly #parts: SystemCallsParts;
  readonly #all = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #held = new Map<SystemWord['kind'], SystemEffect>();
  #isHeld = false;

  constructor(parts: SystemCallsParts) {
    this.#parts = parts;
  }

  start(effect: SystemEffect): void {
    if (this.#isHeld) {
      this.#held.set(effect.kind === 'ask-judge' ? 'judged' : 'planned', effect);
      return;
    }
    const running = this.#ask(this.#asked(effect), effect.call).finally(() => {
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  /** Until `run`, questions are only remembered. */
  hold(): void {
    this.#isHeld = true;
  }

  /** A remembered question has been answered. */
  answered(word: SystemWord): void {
    this.#held.delete(word.kind);
  }

  /** Asks what was remembered; nobody is asked again what is answered in `recorded` and was not heard yet. */
  run(recorded: readonly RecordedEvent[]): void {
    this.#isHeld = false;
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const effect of held) {
      const answer = answerOf(recorded, effect.call);
      if (answer === undefined) {
        this.start(effect);
      } else {
        const { read } = this.#asked(effect);
        this.#parts.say(read(answer.error === undefined ? answer.text : undefined));
      }
    }
  }

  abortAll(reason: MassGenError): void {
    this.#all.abort(reason);
  }

  /** Resolves when no call runs any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  #asked(effect: SystemEffect): Asked {
    const state = this.#parts.state();
    const { judge, planner, toolDescriptions = new Map<string, string>() } = this.#parts.models;
    if (effect.kind === 'classify-tools') {
      return {
        purpose: 'planning',
        model: planner,
        question: planningQuestion(state, toolDescriptions),
        read: (reply) => ({
          kind: 'planned',
          blockedTools: reply === undefined ? null : readPlan(reply, state),
        }),
      };
    }
    const { candidates } = effect;
    const isEvaluation = state.evaluation !== null;
    return {
      purpose: 'judge',
      model: judge,
      question: isEvaluation ? evaluationQuestion(state) : judgeQuestion(state, candidates),
      read: (reply) => ({
        kind: 'judged',
        ...(reply === undefined
          ? { label: '', reason: '' }
          : isEvaluation
            ? readEvaluation(reply)
            : readVerdict(reply, candidates)),
      }),
    };
  }

  /** Never rejects. */
  async #ask({ purpose, model, question, read }: Asked, call: number): Promise<void> {
    const { observe, say, redact, logger } = this.#parts;
    if (model === undefined) {
      await Promise.resolve();
      say(read(undefined));
      return;
    }
    observe({ type: 'system-call-started', call, purpose, model: model.model });
    const answer = await this.#answer(model, question, call);
    const { text, usage, costUsd, hasFees, error } = answer;
    observe({
      type: 'system-call-ended',
      ...{ call, text: redact(text), usage, costUsd },
      ...(hasFees === undefined ? {} : { hasFees }),
      ...(error === undefined ? {} : { error }),
    });
    if (error !== undefined) {
      logger.warn('orchestrator', `a question about the run was not answered: ${error.message}`);
    }
    say(read(error === undefined ? text : undefined));
  }

  async #answer(model: SystemModel, question: Question, call: number): Promise<SystemAnswer> {
    const { clock, state, redact } = this.#parts;
    const { attempt, task } = state();
    const own = linkAbort(this.#all.signal);
    const limit = clock.after(longestMs, () => {
      own.abort(new MassGenError('cancelled/timeout', 'The question was not answered in time.'));
    });
    try {
      return await model.ask({ attempt, call, task, ...question }, own.signal);
    } catch (error) {
      return { text: '', usage: {}, costUsd: null, error: toErrorInfo(error, redact) };
    } finally {
      limit.dispose();
      own.dispose();
    }
  }
}

/** What the log holds of the answer to a question of the run. */
function answerOf(recorded: readonly RecordedEvent[], call: number): SystemCallEnded | undefined {
  for (const { event } of recorded) {
    if (event.type === 'system-call-ended' && event.call === call) {
      return event;
    }
  }
  return undefined;
}
