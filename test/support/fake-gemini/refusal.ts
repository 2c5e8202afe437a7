/** The body of an error as the service sends it. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly status: string;
  readonly details?: readonly unknown[];
}

export type Members = Readonly<Record<string, unknown>>;

export function invalid(message: string, details?: readonly unknown[]): Refusal {
  return {
    ...{ code: 400, message, status: 'INVALID_ARGUMENT' },
    ...(details === undefined ? {} : { details }),
  };
}

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The first problem of a list of checks, each made only when those before found nothing. */
export function firstOf(...checks: readonly (() => Refusal | undefined)[]): Refusal | undefined {
  for (const check of checks) {
    const refusal = check();
    if (refusal !== undefined) {
      return refusal;
    }
  }
  return undefined;
}

/** The first problem among some elements. */
export function firstIn<T>(
  elements: readonly T[],
  check: (element: T, i: number) => Refusal | undefined,
): Refusal | undefined {
  return firstOf(...elements.map((element, i) => () => check(element, i)));
}
