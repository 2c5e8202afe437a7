import type { Tool } from '../core/ports/tool';
import type { CoordinationSettings } from '../run/coordination-settings';
import { taskPlanTools } from '../tools/task-plan/plan-tools';

/** The ordinary tools of a run: those that every run has, and those that its settings ask for. */
export function runTools(
  tools: readonly Tool[],
  { taskPlans, maxTasksPerPlan }: Pick<CoordinationSettings, 'taskPlans' | 'maxTasksPerPlan'>,
): readonly Tool[] {
  return taskPlans ? [...tools, ...taskPlanTools(maxTasksPerPlan)] : tools;
}
