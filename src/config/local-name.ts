const networks = /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./;

/**
 * Whether a host is on this machine or in a private network by its look alone, as a parsed URL spells it. Whoever connects
 * looks at the addresses themselves.
 */
export function isLocalName(hostname: string): boolean {
  const isName = /^(localhost|.*\.localhost|.*\.local|0\.0\.0\.0|\[::1?\])$/.test(hostname);
  // A name that only begins like such an address is anybody's.
  return isName || (/^\d+(\.\d+){3}$/.test(hostname) && networks.test(hostname));
}
