import { mapping } from './collections';
import { originalCoordinationKeys } from './original-orchestrator-keys';
import { boolean, integer, oneOf } from './scalars';
import { setting } from './settings';
import { field } from './spec';

/** Keys that each set one thing. */
export const coordinationKeys = {
  max_orchestration_restarts: setting(
    'maxRestarts',
    integer({ minimum: 0, maximum: 10 }),
    'How often the team may start anew after its finished work was found wanting.',
  ),
  enable_agent_task_planning: setting(
    'taskPlans',
    boolean(),
    'Gives agents tools for a plan of their tasks.',
  ),
  max_tasks_per_plan: setting(
    'maxTasksPerPlan',
    integer({ minimum: 1, maximum: 100 }),
    'Tasks in one plan at most.',
  ),
  enable_memory_filesystem_mode: setting(
    'memoryFiles',
    boolean(),
    'Agents keep notes in `memory/` of their own folder.',
  ),
};

export const coordinationBlock = mapping({
  ...coordinationKeys,
  enable_planning_mode: field(
    boolean(),
    'Closes tools with an effect outside of the workspaces until an answer is chosen; a model is asked about those of unknown effect.',
    { defaultText: 'external ones are closed (recommended), false (compat)' },
  ),
  task_planning_filesystem_mode: field(
    boolean(),
    "Accepted for MassGen's sake: a plan is always kept in `tasks/plan.json`.",
  ),
  write_mode: field(
    oneOf('auto', 'worktree', 'isolated', 'legacy'),
    "Accepted for MassGen's sake: agents always write into layers of their own.",
    { defaultText: 'auto' },
  ),
  drift_conflict_policy: field(
    oneOf('skip', 'merge', 'fail', 'prefer_presenter'),
    'With `apply: auto`, for a file that changed since the run began: leave it out, take over what fits, or apply nothing.',
    { defaultText: 'skip' },
  ),
  ...originalCoordinationKeys,
});
