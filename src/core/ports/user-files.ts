export interface UserFileHead {
  /** The first bytes of the file. */
  readonly head: Uint8Array;
  readonly sizeBytes: number;
}

/** Files of the user as they were given to the run, never as an agent has changed them. */
export interface UserFiles {
  /**
   * `path` is relative to the context root with that name. `undefined` when there is no regular file, when it is hidden
   * from agents or too large to be read, and when a link on the way leads out of the roots. Rejects only with
   * `cancelled/*`.
   */
  read(
    root: string,
    path: string,
    limitBytes: number,
    signal: AbortSignal,
  ): Promise<UserFileHead | undefined>;
}
