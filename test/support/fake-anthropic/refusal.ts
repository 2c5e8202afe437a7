export type Json = Readonly<Record<string, unknown>>;

/** What the service says instead of an answer. */
export interface Refusal {
  readonly status: number;
  readonly error: { readonly type: string; readonly message: string; readonly details?: Json };
}

export function invalid(message: string): Refusal {
  return { status: 400, error: { type: 'invalid_request_error', message } };
}

/** The first member of `value` that is not among `names`, as the service complains about it. */
export function unknownMember(
  value: Json,
  names: readonly string[],
  path: string,
): Refusal | undefined {
  const name = Object.keys(value).find((one) => !names.includes(one));
  const where = path === '' ? name : `${path}.${name ?? ''}`;
  return name === undefined ? undefined : invalid(`${where}: Extra inputs are not permitted`);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What the first of the checks says that says anything. */
export function firstRefusal(checks: Iterable<() => Refusal | undefined>): Refusal | undefined {
  for (const check of checks) {
    const refusal = check();
    if (refusal !== undefined) {
      return refusal;
    }
  }
  return undefined;
}
