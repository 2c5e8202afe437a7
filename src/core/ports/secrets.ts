/** Looks a key up by the name of its variable, at the moment of use. Values never enter config, events or logs. */
export interface Secrets {
  /** `undefined` when there is none. */
  get(name: string): Promise<string | undefined>;
}
