// The plan as a file in the agent's own folder: `tasks/plan.json`, so that it goes with the agent's answers.
import { MassGenError, isMassGenError } from '../../core/errors';
import type { ToolContext } from '../../core/ports/tool';
import { type PlannedTask, type TaskPlan, taskStatuses } from './plan';

/** `undefined` when there is none, or only the plan of another agent. Throws `tool/failed` for an unreadable one. */
export async function readPlan(
  { workspace, slot }: ToolContext,
  signal: AbortSignal,
): Promise<TaskPlan | undefined> {
  const bytes = await workspace
    .readFile(placeOf(workspace), signal)
    .catch((error: unknown) => undefinedWhenMissing(error));
  if (bytes === undefined) {
    return undefined;
  }
  const plan = toPlan(parseJson(new TextDecoder().decode(bytes)));
  if (plan === undefined) {
    throw new MassGenError('tool/failed', 'The plan in tasks/plan.json cannot be read.', {
      hint: 'Make a new one with create_task_plan.',
    });
  }
  return plan.owner === slot ? plan : undefined;
}

export async function writePlan(
  { workspace }: ToolContext,
  plan: TaskPlan,
  signal: AbortSignal,
): Promise<void> {
  const value = {
    agent: `agent${plan.owner}`,
    tasks: plan.tasks.map(({ id, description, status, dependsOn }) => ({
      id,
      description,
      status,
      depends_on: dependsOn,
    })),
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  await workspace.writeFile(placeOf(workspace), bytes, signal);
}

function placeOf({ roots }: ToolContext['workspace']): string {
  const own = roots.find(({ kind }) => kind === 'private');
  return `${own?.shownPath ?? '.'}/tasks/plan.json`;
}

function undefinedWhenMissing(error: unknown): undefined {
  if (!isMassGenError(error, 'workspace/not-found')) {
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toPlan(value: unknown): TaskPlan | undefined {
  if (!isRecord(value) || !Array.isArray(value['tasks'])) {
    return undefined;
  }
  const owner = /^agent(\d+)$/.exec(String(value['agent']))?.[1];
  const tasks = value['tasks'].map(toTask);
  const isWhole = tasks.every((task) => task !== undefined);
  return owner === undefined || !isWhole ? undefined : { owner: Number(owner), tasks };
}

function toTask(value: unknown): PlannedTask | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { id, description, depends_on: dependsOn } = value;
  const status = taskStatuses.find((each) => each === value['status']);
  const isPlain = typeof id === 'string' && typeof description === 'string';
  return !isPlain || status === undefined || !isTexts(dependsOn)
    ? undefined
    : { id, description, status, dependsOn };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
