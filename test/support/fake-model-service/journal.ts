/** One request as the service saw it, with the times of what it sent. Times are of the service's clock, ms. */
export interface JournalEntry {
  readonly no: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed body; the text when it is not JSON. */
  readonly body: unknown;
  readonly model: string;
  readonly receivedAt: number;
  /** When each chunk left. */
  readonly sentAt: readonly number[];
  /** `undefined` while it is being answered. */
  readonly endedAt: number | undefined;
  /** How long the answer was meant to take by the script, ms: the part of a critical path that is the model's. */
  readonly scheduledMs: number;
  readonly outcome: 'open' | 'complete' | 'refused' | 'cut' | 'client-closed';
}

/** The entry while the service fills it. */
export type OpenJournalEntry = {
  -readonly [K in keyof JournalEntry]: JournalEntry[K] extends readonly number[]
    ? number[]
    : JournalEntry[K];
};
