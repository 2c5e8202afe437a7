import { MassGenError } from '../../core/errors';
import type { TaskWish } from './plan';

/** Throws `tool/invalid-input` for anything that is neither a text nor an object with a description. */
export function toWishes(tasks: readonly unknown[]): readonly TaskWish[] {
  return tasks.map((task, index): TaskWish => {
    if (typeof task === 'string') {
      return { description: task, dependsOn: [] };
    }
    const { id, description, depends_on: dependsOn } = isRecord(task) ? task : {};
    if (typeof description !== 'string' || (id !== undefined && typeof id !== 'string')) {
      throw refused(`task ${index} is neither a text nor an object with a description`);
    }
    return {
      ...(id === undefined ? {} : { id }),
      description,
      dependsOn: toDependencies(dependsOn),
    };
  });
}

/** Ids and indexes; what is left out means none. */
export function toDependencies(value: unknown): readonly (string | number)[] {
  if (value === undefined || value === null) {
    return [];
  }
  if (!isDependencies(value)) {
    throw refused('depends_on must be a list of ids or indexes');
  }
  return value;
}

function isDependencies(value: unknown): value is readonly (string | number)[] {
  return (
    Array.isArray(value) &&
    value.every((each) => typeof each === 'string' || (Number.isInteger(each) && each >= 0))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(why: string): MassGenError {
  return new MassGenError('tool/invalid-input', `Nothing was done: ${why}.`);
}
