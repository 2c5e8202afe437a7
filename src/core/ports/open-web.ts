/**
 * Addresses at which a host of the open internet is reached, in one spelling each. Throws `tool/denied` for a host that
 * leads to this machine or to a network around it, and `tool/failed` for a name that has no address.
 */
export type OpenAddresses = (host: string, signal: AbortSignal) => Promise<readonly string[]>;
