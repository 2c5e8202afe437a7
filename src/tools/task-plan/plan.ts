// The rules of a task plan, as functions on data. Errors are `tool/invalid-input` in words for a model.
import type { Slot } from '../../base/ids';
import { MassGenError } from '../../core/errors';

export const taskStatuses = ['pending', 'in_progress', 'completed', 'blocked'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export interface PlannedTask {
  readonly id: string;
  readonly description: string;
  readonly status: TaskStatus;
  /** Ids of tasks that must be completed before. */
  readonly dependsOn: readonly string[];
}

export interface TaskPlan {
  /** A plan belongs to one agent; a copy of it that reaches another one is not that one's plan. */
  readonly owner: Slot;
  readonly tasks: readonly PlannedTask[];
}

/** A task as a model asks for it. A dependency is an id, or the index (from 0) of an earlier task of the same list. */
export interface TaskWish {
  readonly id?: string;
  readonly description: string;
  readonly dependsOn: readonly (string | number)[];
}

export function createPlan(owner: Slot, wishes: readonly TaskWish[], limit: number): TaskPlan {
  checkCount(wishes.length, limit);
  const ids = idsFor(wishes);
  const tasks = wishes.map(({ description, dependsOn }, index): PlannedTask => {
    const toId = (dependency: string | number): string => {
      if (typeof dependency === 'string') {
        return dependency;
      }
      const id = dependency < index ? ids[dependency] : undefined;
      if (id === undefined) {
        throw refused(
          `task ${index} depends on task ${dependency}, which is not before it; an index counts from 0 and points to an earlier task`,
        );
      }
      return id;
    };
    const id = ids[index] ?? '';
    return { id, description, status: 'pending', dependsOn: unique(dependsOn.map(toId)) };
  });
  checkDescriptions(tasks);
  tasks.forEach((task) => checkKnown(tasks, task.dependsOn));
  checkNoCycle(tasks);
  return { owner, tasks };
}

export function addTask(
  plan: TaskPlan,
  wish: TaskWish,
  place: { readonly after: string | undefined; readonly limit: number },
): TaskPlan {
  checkCount(plan.tasks.length + 1, place.limit);
  const dependsOn = unique(wish.dependsOn.map(String));
  checkKnown(plan.tasks, dependsOn);
  const task: PlannedTask = {
    id: freeId(new Set(plan.tasks.map(({ id }) => id))),
    description: wish.description,
    status: 'pending',
    dependsOn,
  };
  checkDescriptions([task]);
  const at =
    place.after === undefined ? plan.tasks.length : plan.tasks.indexOf(find(plan, place.after)) + 1;
  return { ...plan, tasks: [...plan.tasks.slice(0, at), task, ...plan.tasks.slice(at)] };
}

/** Also answers the tasks that became ready by it. */
export function setStatus(
  plan: TaskPlan,
  id: string,
  status: TaskStatus,
): { readonly plan: TaskPlan; readonly newlyReady: readonly PlannedTask[] } {
  const before = new Set(readyTasks(plan).map((task) => task.id));
  const changed = replace(plan, { ...find(plan, id), status });
  const newlyReady =
    status === 'completed' ? readyTasks(changed).filter((task) => !before.has(task.id)) : [];
  return { plan: changed, newlyReady };
}

export function editTask(plan: TaskPlan, id: string, description: string): TaskPlan {
  const task = { ...find(plan, id), description };
  checkDescriptions([task]);
  return replace(plan, task);
}

export function deleteTask(plan: TaskPlan, id: string): TaskPlan {
  const task = find(plan, id);
  const dependents = plan.tasks.filter(({ dependsOn }) => dependsOn.includes(id));
  if (dependents.length > 0) {
    const names = dependents.map((each) => each.id).join(', ');
    throw refused(`${id} cannot be deleted while other tasks depend on it: ${names}`);
  }
  return { ...plan, tasks: plan.tasks.filter((each) => each !== task) };
}

export function readyTasks(plan: TaskPlan): readonly PlannedTask[] {
  return plan.tasks.filter((task) => task.status === 'pending' && unmetBy(plan, task).length === 0);
}

/** Tasks that cannot go on: said to be blocked, or waiting for others. */
export function blockedTasks(plan: TaskPlan): readonly PlannedTask[] {
  return plan.tasks.filter(
    (task) =>
      task.status === 'blocked' || (task.status === 'pending' && unmetBy(plan, task).length > 0),
  );
}

/** Dependencies that are not completed yet. */
export function unmetBy(plan: TaskPlan, task: PlannedTask): readonly string[] {
  return task.dependsOn.filter(
    (id) => plan.tasks.find((each) => each.id === id)?.status !== 'completed',
  );
}

function idsFor(wishes: readonly TaskWish[]): readonly string[] {
  const taken = new Set<string>();
  for (const { id } of wishes) {
    if (id !== undefined && taken.has(id)) {
      throw refused(`two tasks have the id ${id}`);
    }
    taken.add(id ?? '');
  }
  return wishes.map(({ id }) => {
    const own = id ?? freeId(taken);
    taken.add(own);
    return own;
  });
}

function freeId(taken: ReadonlySet<string>): string {
  let n = 1;
  while (taken.has(`task-${n}`)) {
    n += 1;
  }
  return `task-${n}`;
}

function find(plan: TaskPlan, id: string): PlannedTask {
  const found = plan.tasks.find((task) => task.id === id);
  if (found === undefined) {
    throw unknown(plan.tasks, id);
  }
  return found;
}

function replace(plan: TaskPlan, task: PlannedTask): TaskPlan {
  return { ...plan, tasks: plan.tasks.map((each) => (each.id === task.id ? task : each)) };
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}

function checkCount(count: number, limit: number): void {
  if (count === 0) {
    throw refused('a plan needs at least one task');
  }
  if (count > limit) {
    throw refused(`a plan has at most ${limit} tasks, and this one would have ${count}`);
  }
}

function checkDescriptions(tasks: readonly PlannedTask[]): void {
  if (tasks.some(({ id, description }) => id === '' || description.trim() === '')) {
    throw refused('every task needs a description, and no id may be empty');
  }
}

function checkKnown(tasks: readonly PlannedTask[], ids: readonly string[]): void {
  const missing = ids.find((id) => tasks.every((task) => task.id !== id));
  if (missing !== undefined) {
    throw unknown(tasks, missing);
  }
}

/** Takes away tasks whose dependencies are gone; what is left is in a circle or behind one. */
function checkNoCycle(tasks: readonly PlannedTask[]): void {
  let left = tasks;
  for (;;) {
    const open = new Set(left.map(({ id }) => id));
    const next = left.filter(({ dependsOn }) => dependsOn.some((id) => open.has(id)));
    if (next.length === left.length) {
      break;
    }
    left = next;
  }
  if (left.length > 0) {
    throw refused(`these tasks depend on one another: ${left.map(({ id }) => id).join(', ')}`);
  }
}

function unknown(tasks: readonly PlannedTask[], id: string): MassGenError {
  const known = tasks.map((task) => task.id).join(', ');
  return refused(`there is no task ${id} (there are: ${known === '' ? 'none' : known})`);
}

function refused(why: string): MassGenError {
  return new MassGenError('tool/invalid-input', `Nothing was done: ${why}.`);
}
