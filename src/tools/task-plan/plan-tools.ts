import { MassGenError } from '../../core/errors';
import type { Tool, ToolContext } from '../../core/ports/tool';
import { defineTool } from '../define-tool';
import { textOf } from '../tool-input';
import {
  type PlannedTask,
  type TaskPlan,
  addTask,
  blockedTasks,
  createPlan,
  deleteTask,
  editTask,
  readyTasks,
  setStatus,
  taskStatuses,
  unmetBy,
} from './plan';
import { readPlan, writePlan } from './plan-file';
import { toDependencies, toWishes } from './plan-input';

const taskId = { type: 'string', description: 'Id of the task.' } as const;
const dependencyList = {
  type: 'array',
  items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
} as const;

/** Tools with which an agent keeps a plan of its own work. `limit` is the highest number of tasks. */
export function taskPlanTools(limit: number): readonly Tool[] {
  return [
    createTaskPlan(limit),
    addTaskTool(limit),
    updateTaskStatus,
    editTaskTool,
    getTaskPlan,
    deleteTaskTool,
    listOf('get_ready_tasks', 'Lists the tasks that can be begun now.', readyTasks),
    listOf(
      'get_blocked_tasks',
      'Lists the tasks that cannot go on, with what they wait for.',
      blockedTasks,
    ),
  ];
}

function createTaskPlan(limit: number): Tool {
  return defineTool({
    name: 'create_task_plan',
    access: 'write',
    effect: 'workspace',
    description: `Makes your plan of the work, in the place of the one you have: at most ${limit} tasks, in order.`,
    fields: {
      tasks: {
        type: 'array',
        description:
          'The tasks. A task is its description, or an object with a description and, if needed, an id and the tasks it depends on: ids, or indexes (from 0) of earlier tasks of this list.',
        items: {
          anyOf: [
            { type: 'string' },
            {
              type: 'object',
              properties: {
                id: { type: 'string' },
                description: { type: 'string' },
                depends_on: dependencyList,
              },
              required: ['description'],
              additionalProperties: false,
            },
          ],
        },
      },
    },
    subjectOf: () => 'the plan',
    async run({ tasks }, context, signal): Promise<string> {
      const plan = createPlan(context.slot, toWishes(tasks), limit);
      await writePlan(context, plan, signal);
      return `Your plan:\n${linesOf(plan, plan.tasks)}`;
    },
  });
}

function addTaskTool(limit: number): Tool {
  return defineTool({
    name: 'add_task',
    access: 'write',
    effect: 'workspace',
    description: `Adds a task to your plan; a plan has at most ${limit}.`,
    fields: {
      description: { type: 'string', description: 'What is to be done.' },
      after_task_id: {
        type: 'string',
        description: 'Id of the task behind which it is put; at the end when left out.',
        isOptional: true,
      },
      depends_on: {
        type: 'array',
        items: { type: 'string' },
        description: 'Ids of tasks that must be completed before.',
        isOptional: true,
      },
    },
    subjectOf: (input) => textOf(input, 'description'),
    async run({ description, after_task_id: after, depends_on: dependsOn }, context, signal) {
      const wish = { description, dependsOn: toDependencies(dependsOn) };
      return change(context, (plan) => addTask(plan, wish, { after, limit }), signal);
    },
  });
}

const updateTaskStatus = defineTool({
  name: 'update_task_status',
  access: 'write',
  effect: 'workspace',
  description: `Sets how far a task of your plan is: ${taskStatuses.join(', ')}.`,
  fields: {
    task_id: taskId,
    status: { type: 'string', description: `One of ${taskStatuses.join(', ')}.` },
  },
  subjectOf: (input) => `${textOf(input, 'task_id')}: ${textOf(input, 'status')}`,
  async run({ task_id: id, status: wanted }, context, signal): Promise<string> {
    const status = taskStatuses.find((each) => each === wanted);
    if (status === undefined) {
      const known = taskStatuses.join(', ');
      throw new MassGenError('tool/invalid-input', `Nothing was done: status is one of ${known}.`);
    }
    const { plan, newlyReady } = setStatus(await ownPlan(context, signal), id, status);
    await writePlan(context, plan, signal);
    const ready =
      newlyReady.length === 0 ? '' : `\nCan be begun now:\n${linesOf(plan, newlyReady)}`;
    return `${id} is ${status}.${ready}`;
  },
});

const editTaskTool = defineTool({
  name: 'edit_task',
  access: 'write',
  effect: 'workspace',
  description: 'Changes the description of a task of your plan.',
  fields: { task_id: taskId, description: { type: 'string', description: 'The new one.' } },
  subjectOf: (input) => textOf(input, 'task_id'),
  run: async ({ task_id: id, description }, context, signal) =>
    change(context, (plan) => editTask(plan, id, description), signal),
});

const deleteTaskTool = defineTool({
  name: 'delete_task',
  access: 'write',
  effect: 'workspace',
  description: 'Takes a task out of your plan; not while others depend on it.',
  fields: { task_id: taskId },
  subjectOf: (input) => textOf(input, 'task_id'),
  run: async ({ task_id: id }, context, signal) =>
    change(context, (plan) => deleteTask(plan, id), signal),
});

const getTaskPlan = listOf('get_task_plan', 'Shows your plan.', (plan) => plan.tasks);

function listOf(
  name: string,
  description: string,
  pick: (plan: TaskPlan) => readonly PlannedTask[],
): Tool {
  return defineTool({
    name,
    access: 'read',
    effect: 'read',
    description,
    fields: {},
    subjectOf: () => 'the plan',
    async run(_input, context, signal): Promise<string> {
      const plan = await ownPlan(context, signal);
      const tasks = pick(plan);
      return tasks.length === 0 ? 'None.' : linesOf(plan, tasks);
    },
  });
}

async function change(
  context: ToolContext,
  make: (plan: TaskPlan) => TaskPlan,
  signal: AbortSignal,
): Promise<string> {
  const plan = make(await ownPlan(context, signal));
  await writePlan(context, plan, signal);
  return `Your plan:\n${linesOf(plan, plan.tasks)}`;
}

async function ownPlan(context: ToolContext, signal: AbortSignal): Promise<TaskPlan> {
  const plan = await readPlan(context, signal);
  if (plan === undefined) {
    throw new MassGenError('tool/invalid-input', 'You have no plan yet.', {
      hint: 'Make one with create_task_plan.',
    });
  }
  return plan;
}

function linesOf(plan: TaskPlan, tasks: readonly PlannedTask[]): string {
  return tasks
    .map((task) => {
      const unmet = unmetBy(plan, task);
      const waits = unmet.length === 0 ? '' : ` (waits for ${unmet.join(', ')})`;
      return `- ${task.id} [${task.status}] ${task.description}${waits}`;
    })
    .join('\n');
}
