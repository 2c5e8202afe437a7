/** Time of the service. Deadlines are absolute, so that delays do not add up. */
export interface ServiceClock {
  /** Ms since any fixed moment. */
  now(): number;
  /** Calls `run` at the deadline, at once when it has passed; answers a function that cancels. */
  at(deadlineMs: number, run: () => void): () => void;
}

export const realClock: ServiceClock = {
  now: () => performance.now(),
  at(deadlineMs, run) {
    const timer = setTimeout(run, Math.max(0, deadlineMs - performance.now()));
    return () => clearTimeout(timer);
  },
};
