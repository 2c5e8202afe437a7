import { counted } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { ReviewFile, RunState } from '../run/state';
import type { Surroundings } from './introduction';
import type { Plan } from './plan';
import type { ReviewResult } from './proposal';
import { printSection } from './print-section';

/** What has to be known of the way to the run. */
export type Way = Pick<Plan, 'isDemonstration' | 'project'> & {
  readonly request: Pick<Plan['request'], 'folders'>;
};

export interface Ending {
  readonly plan: Way;
  readonly state: RunState;
  /** `undefined` when nothing was to be applied. */
  readonly applied: readonly ReviewResult[] | undefined;
  readonly refusedCommands: number;
  readonly isClone: boolean;
  /** Absent: it is. Nothing can be taken from a run of which nothing is kept. */
  readonly isKept?: boolean;
}

/** What holds now, and how to go on. */
export function printClosing(ending: Ending, { terminal }: Pick<Surroundings, 'terminal'>): void {
  const lines = [...filesNow(ending), ...refusals(ending), '', ...howToOpen(ending)];
  printSection('What now', lines, terminal);
}

function filesNow({ plan, state, applied }: Ending): readonly string[] {
  if (applied === undefined) {
    return isOffered(state)
      ? [`Nothing was written to ${placeOf(plan)}. With --apply the result is written.`]
      : ['Nothing was written.'];
  }
  const nameOf = ({ root, path }: { readonly root: string; readonly path: string }): string =>
    revealOnOneLine(plan.request.folders.length > 1 ? `${root}/${path}` : path);
  const lines = applied.map((file) =>
    file.outcome === 'done'
      ? `Applied ${nameOf(file)}`
      : `Not applied: ${nameOf(file)}: ${file.detail}`,
  );
  const left = leftToUser(state).map(
    (file) => `Not applied: ${nameOf(file)}: It needs your own word.`,
  );
  return lines.length + left.length === 0 ? ['There was nothing to apply.'] : [...lines, ...left];
}

/** Nothing is written along with the rest that asks for a second look. */
function leftToUser({ review }: RunState): readonly ReviewFile[] {
  const files = review?.files ?? [];
  return files.filter(({ caution, decision }) => caution !== undefined && decision === 'pending');
}

function isOffered({ review }: RunState): boolean {
  return review?.files.some(({ decision }) => decision === 'pending') === true;
}

function placeOf({ isDemonstration, project }: Way): string {
  return isDemonstration
    ? 'the copy of the sample, which is removed now'
    : (project ?? 'any folder');
}

function refusals({ refusedCommands }: Ending): readonly string[] {
  return refusedCommands === 0
    ? []
    : [
        `${counted(refusedCommands, 'command was', 'commands were')} refused: nobody can be asked here. Add --allow-commands to allow all.`,
      ];
}

function howToTake({ state, applied }: Ending): readonly string[] {
  return (applied === undefined && isOffered(state)) || leftToUser(state).length > 0
    ? [`Take the changes as a patch: massgen patch ${state.runId} --output changes.patch`]
    : [];
}

/** A run on its own begins a session that would be named after it. */
function sessionIdOf({ runId, session }: RunState): string {
  return session?.sessionId ?? runId;
}

function howToOpen(ending: Ending): readonly string[] {
  const { plan, state, applied, isClone, isKept = true } = ending;
  if (!isKept) {
    return ['Nothing of this run is kept.'];
  }
  const ask = '"MassGen: Ask MassGen"';
  if (!plan.isDemonstration) {
    return [
      ...(state.error?.code === 'storage/failed'
        ? [`Go on where it broke, once that is mended: massgen resume ${state.runId}`]
        : []),
      ...howToTake(ending),
      ...(state.finalAnswer === null
        ? []
        : [`Go on from here: massgen --session-id ${sessionIdOf(state)} "what to do next"`]),
      `The same in VS Code: open ${plan.project ?? 'a folder'} and run ${ask}.`,
    ];
  }
  const command = isClone ? 'npm start --' : 'massgen';
  return [
    ...(applied === undefined ? [] : [`Look at it: cd ${plan.project ?? ''} && npm test`]),
    isClone
      ? `The same in VS Code: npm run vscode, then ${ask}.`
      : `The same in VS Code: run "MassGen: Open Sample Project", then ${ask}.`,
    `With real models: ${command} --config configs/three-providers.yaml --project DIR "task"`,
  ];
}
