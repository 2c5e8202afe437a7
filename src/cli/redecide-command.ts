import type { TieBreakElement } from '../run/coordination-settings';
import { nearest } from '../base/text';
import { redecide, type Redecision, type RuleOverrides } from '../run/decision/redecide';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { RunState } from '../run/state';
import type { RedecideOptions } from './invocation';
import { type ExitCode, exitCodes } from './exit-codes';
import { UsageError } from './failure';
import { withRun } from './find-run';
import { idleOverrides } from './idle-overrides';
import type { OverrideWords } from './override-words';
import { printSection } from './print-section';
import { wrap } from './table';
import { styled, type Terminal } from './terminal';
import type { World } from './world';

/** Decides a stored run again by another rule, from the ballots that were cast. Asks nobody and writes nothing new. */
export async function redecideCommand(
  run: string,
  options: RedecideOptions,
  world: World,
): Promise<ExitCode> {
  const { overrides, json } = options;
  if (Object.keys(overrides.rules).length === 0 && overrides.weights.size === 0) {
    throw new UsageError(
      'There is nothing to try.',
      'Name another rule, e.g. --rule unanimity --self-vote ignore.',
    );
  }
  return withRun(run, { options, world }, async ({ app, runId }) => {
    const state = (await app.openRun(runId)).state();
    const tried = toOverrides(overrides, state);
    const result = redecide(state, tried);
    const idle = idleOverrides(tried, state.settings.rule);
    if (json) {
      const form = { ...toJson(runId, result), no_effect: idle };
      world.output.write(`${JSON.stringify(form, null, 2)}\n`);
    } else {
      print(result, { runId, state, terminal: world.output, idle });
    }
    return result.before.agreement === null ? exitCodes.failed : exitCodes.done;
  });
}

function toOverrides({ rules, weights }: OverrideWords, state: RunState): RuleOverrides {
  const { tieBreak } = rules;
  return {
    ...rules,
    ...(tieBreak === undefined ? {} : { tieBreak: untilOneIsLeft(tieBreak, state) }),
    ...(weights.size === 0 ? {} : { weights: bySlot(weights, state) }),
  };
}

/** As in a team file: the profile says what decides when all else is equal. */
function untilOneIsLeft(
  elements: readonly TieBreakElement[],
  { settings }: RunState,
): readonly TieBreakElement[] {
  const last = settings.profile === 'compat' ? 'config_order' : 'seeded_hash';
  return elements.includes(last) ? elements : [...elements, last];
}

function bySlot(
  weights: ReadonlyMap<string, number>,
  { agents }: RunState,
): Readonly<Record<number, number>> {
  const ids = agents.map(({ info }) => info.id);
  if (agents.every(({ info }) => (weights.get(info.id) ?? info.weight) === 0)) {
    throw new UsageError('No vote would count.', 'Give at least one agent a weight above 0.');
  }
  return Object.fromEntries(
    [...weights].map(([id, weight]) => {
      const index = ids.indexOf(id);
      if (index < 0) {
        const suggestion = nearest(id, ids);
        const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
        throw new UsageError(`No agent of the run has the id ${id}.${hint}`);
      }
      return [index + 1, weight];
    }),
  );
}

/** A stable form for scripts. */
function toJson(runId: string, { before, after, changes, unknown }: Redecision): object {
  return { run_id: runId, before, after, changes, unknown, is_certain: unknown.length === 0 };
}

interface Sheet {
  readonly runId: string;
  readonly state: RunState;
  readonly terminal: Terminal;
  /** Sentences about options that mean nothing here. */
  readonly idle: readonly string[];
}

function print(
  { before, after, changes, unknown }: Redecision,
  { runId, state, terminal, idle }: Sheet,
): void {
  terminal.write(`${styled(runId, 'bold', terminal)}  ${revealOnOneLine(state.task)}\n`);
  const section = (heading: string, lines: readonly string[]): void => {
    const width = terminal.width - 2;
    printSection(
      heading,
      lines.flatMap((line) => wrap(line, width)),
      terminal,
    );
  };
  section('Was decided', [before.reason]);
  if (before.agreement === null) {
    section('Would have been decided', unknown);
    return;
  }
  section('Would have been decided', [after.reason]);
  if (idle.length > 0) {
    section('What has no effect', idle);
  }
  section('What changes', changes.length === 0 ? ['Nothing.'] : changes);
  section(
    'What only new votes could tell',
    unknown.length === 0 ? ['Nothing: the votes that were cast are enough.'] : unknown,
  );
}
