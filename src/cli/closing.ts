import { counted } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { RunState } from '../run/state';
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
}

/** What holds now, and how to go on. */
export function printClosing(ending: Ending, { terminal }: Surroundings): void {
  const lines = [...filesNow(ending), ...refusals(ending), '', ...howToOpen(ending)];
  printSection('What now', lines, terminal);
}

function filesNow({ plan, state, applied }: Ending): readonly string[] {
  if (applied === undefined) {
    return isOffered(state)
      ? [`Nothing was written to ${placeOf(plan)}. With --apply the result is written.`]
      : ['Nothing was written.'];
  }
  if (applied.length === 0) {
    return ['There was nothing to apply.'];
  }
  return applied.map(({ root, path, outcome, detail }) => {
    const name = revealOnOneLine(plan.request.folders.length > 1 ? `${root}/${path}` : path);
    return outcome === 'done' ? `Applied ${name}` : `Not applied: ${name}: ${detail}`;
  });
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

function howToOpen({ plan, state, applied, isClone }: Ending): readonly string[] {
  const ask = '"MassGen: Ask MassGen"';
  if (!plan.isDemonstration) {
    return [
      ...(state.error?.code === 'storage/failed'
        ? [`Go on where it broke, once that is mended: massgen resume ${state.runId}`]
        : []),
      ...(applied === undefined && isOffered(state)
        ? [`Take the changes as a patch: massgen patch ${state.runId} --output changes.patch`]
        : []),
      ...(state.finalAnswer === null
        ? []
        : [`Go on from here: massgen --session ${state.runId} "what to do next"`]),
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
