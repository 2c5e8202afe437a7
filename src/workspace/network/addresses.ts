import { BlockList, SocketAddress, isIPv4, isIPv6 } from 'node:net';

/** Not the open internet: this machine, the networks around it, services of the machine's provider, many receivers. */
const innerIPv4 = new BlockList();
for (const [net, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
  ] as const),
  ...([
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
  ] as const),
  ...([
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
  ] as const),
  ...([
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
  // A provider's service for its machines, although the address looks like any other.
  ...([['168.63.129.16', 32]] as const),
] as const) {
  innerIPv4.addSubnet(net, bits, 'ipv4');
}

const openIPv6 = new BlockList();
openIPv6.addSubnet('2000::', 3, 'ipv6');

/** Parts of the open range that are tunnels, examples or benchmarks. */
const otherIPv6 = new BlockList();
for (const [net, bits] of [
  ...([
    ['2001::', 23],
    ['2001:db8::', 32],
    ['3fff::', 20],
  ] as const),
] as const) {
  otherIPv6.addSubnet(net, bits, 'ipv6');
}

/** One spelling for each address: IPv6 shortened and in lower case, IPv4 inside of IPv6 as IPv4. No address: `undefined`. */
export function plainAddress(text: string): string | undefined {
  if (isIPv4(text)) {
    return text;
  }
  if (!isIPv6(text) || text.includes('%')) {
    return undefined;
  }
  const words = wordsOf(text);
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  return isMapped ? dotted(words[6], words[7]) : new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** Whether an address in its plain spelling is anything but one of the open internet. */
export function isInner(address: string): boolean {
  if (isIPv4(address)) {
    return innerIPv4.check(address, 'ipv4');
  }
  const words = wordsOf(address);
  const behind = innerOf(words);
  if (behind !== undefined) {
    return innerIPv4.check(behind, 'ipv4');
  }
  return !openIPv6.check(address, 'ipv6') || otherIPv6.check(address, 'ipv6');
}

/** The IPv4 address that a translator (64:ff9b::/96) or a tunnel (2002::/16) makes of an address. */
function innerOf(words: readonly number[]): string | undefined {
  if (words[0] === 0x64 && words[1] === 0xff9b && words.slice(2, 6).every((word) => word === 0)) {
    return dotted(words[6], words[7]);
  }
  return words[0] === 0x2002 ? dotted(words[1], words[2]) : undefined;
}

/** The eight numbers of an IPv6 address. */
function wordsOf(text: string): readonly number[] {
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const whole = address.includes('.')
    ? new URL(`http://[${address}]`).hostname.slice(1, -1)
    : address;
  const [head = '', tail] = whole.split('::');
  const numbers = (part: string | undefined): readonly number[] =>
    part === undefined || part === ''
      ? []
      : part.split(':').map((word) => Number.parseInt(word, 16));
  const [first, last] = [numbers(head), numbers(tail)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
