/** Looks a key up by the name of its variable, at the moment of use. Values never enter config, events or logs. */
export interface Secrets {
  /** `undefined` when there is none. */
  get(name: string): Promise<string | undefined>;
  /** Where this one is looked for, for people, e.g. `the environment` and paths of files; absent: they are not told. */
  placesOf?(name: string): readonly string[];
}

/** Variables of the user that are no keys. Their values may stand in configurations. */
export interface Variables {
  /** `undefined` when it is not set. */
  get(name: string): string | undefined;
  /** Where they are looked for, for people. */
  readonly places: readonly string[];
}
