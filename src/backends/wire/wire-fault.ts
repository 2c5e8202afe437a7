// What can go wrong on the wire, in a form that does not depend on the client library.

export type WireFault =
  | {
      readonly kind: 'status';
      /** 0 for an error that came inside a stream and names no status. */
      readonly status: number;
      /** The `error` member of the body, or the whole body when it has none; unchecked. */
      readonly body: unknown;
      /** Body that is not JSON; empty otherwise. */
      readonly text: string;
      /** Answers headers by lower-case name. */
      readonly header: (name: string) => string | undefined;
    }
  | { readonly kind: 'connection'; readonly cause: unknown }
  | { readonly kind: 'malformed'; readonly detail: string };

export class WireError extends Error {
  readonly fault: WireFault;

  constructor(fault: WireFault) {
    super(`wire fault: ${fault.kind}`);
    this.name = 'WireError';
    this.fault = fault;
  }
}
