import type { RunState } from '../../run/state';

export type Stage = 'coordination' | 'presentation' | 'evaluation';

/** What the turns that go on now are for. */
export function stageOf({ evaluation, presentation }: RunState): Stage {
  if (evaluation !== null) {
    return 'evaluation';
  }
  return presentation === null ? 'coordination' : 'presentation';
}
