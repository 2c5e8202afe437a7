import type { EventCause } from '../../run/events';
import type { Input } from '../coordination/inputs';

/**
 * What the log keeps of an input, so that the decision about it can be made again. What a turn reported is not kept: the
 * turn is played again and reports the same. Facts have no cause, they stand for themselves.
 */
export function causeOf(input: Input): EventCause | undefined {
  switch (input.kind) {
    case 'observed':
      return undefined;
    case 'start':
    case 'instant-ended':
    case 'resume':
      return { kind: input.kind };
    case 'report': {
      const { slot, turnNo, report } = input;
      return { kind: 'report', slot, turnNo, call: report.call };
    }
    case 'turn-crashed': {
      const { slot, turnNo, error } = input;
      return { kind: 'turn-crashed', slot, turnNo, error };
    }
    case 'timer':
    case 'cancel':
    case 'user':
    case 'judged':
    case 'planned':
    case 'checked':
      return { kind: 'outside', input };
  }
}

const outside: ReadonlySet<string> = new Set([
  ...['timer', 'cancel', 'user', 'judged', 'planned', 'checked'],
]);

/** The input as it was, or `undefined` when it is none that comes from outside of the agents. */
export function outsideInput(input: unknown): Input | undefined {
  return isOutside(input) ? input : undefined;
}

/** The members are those that `causeOf` has put there. */
function isOutside(value: unknown): value is Input {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    outside.has(value.kind)
  );
}
