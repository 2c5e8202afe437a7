/** How a person signs in to a server of tools in a browser, and where what comes of it is kept. */
export interface SignIns {
  /** Whether somebody wants to sign in now; `host` is where the server is. Rejects with `cancelled/*`. */
  ask(
    question: { readonly server: string; readonly host: string },
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Shows a page in the person's browser; `false` when that did not work. The address is http or https. */
  open(address: string): Promise<boolean>;
  /** The address by which the person's browser reaches one of this machine. */
  reachable(address: string): Promise<string>;
  /** What was kept under a name, in the system's store of secrets. */
  load(name: string): Promise<string | undefined>;
  /** `undefined` forgets it. */
  keep(name: string, secret: string | undefined): Promise<void>;
}
