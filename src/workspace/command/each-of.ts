const widthLimit = 16;

/** Runs `work` for every item, several at a time. The first failure is thrown after the work in flight has ended. */
export async function eachOf<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let hasFailed = false;
  const lane = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      signal.throwIfAborted();
      const item = items[next];
      next += 1;
      if (item !== undefined) {
        await work(item).catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: widthLimit }, lane));
  const failure = lanes.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    throw failure.reason instanceof Error ? failure.reason : new Error(String(failure.reason));
  }
}
