import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInner, plainAddress } from '../../../../src/workspace/network/addresses';

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.168.1.1', '192.0.0.192', '198.18.0.1', '224.0.0.1'],
  ...['239.1.1.1', '255.255.255.255', '168.63.129.16', '100.100.100.200', '203.0.113.7'],
  ...['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '2001::1'],
  ...['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '2002:7f00:1::', '2002:a00:1::'],
  ...['::127.0.0.1', '::ffff:0:127.0.0.1', '3fff::1', '100::1', 'fec0::1'],
])('%s is an inner address', (address) => {
  expect(isInner(plainAddress(address) ?? 'no address')).toBe(true);
});

test.each([
  ...['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.255.255', '100.128.0.1'],
  ...['169.253.0.1', '192.167.1.1', '223.255.255.255', '2606:4700::1111', '2a00:1450::1'],
  ...['64:ff9b::808:808', '2002:808:808::1'],
])('%s is an address of the open internet', (address) => {
  expect(isInner(plainAddress(address) ?? '127.0.0.1')).toBe(false);
});

test('an IPv4 address inside of an IPv6 one counts as what it leads to, in every spelling', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const hex = [(a << 8) | b, (c << 8) | d].map((word) => word.toString(16)).join(':');
      const spellings = [`::ffff:${address}`, `::FFFF:${hex}`, `0:0:0:0:0:ffff:${hex}`];
      expect(spellings.map(plainAddress)).toEqual([address, address, address]);
      expect(isInner(plainAddress(`64:ff9b::${hex}`) ?? '')).toBe(isInner(address));
      expect(isInner(plainAddress(`2002:${hex}::1`) ?? '')).toBe(isInner(address));
    }),
    { seed: 3, numRuns: 500 },
  );
});

test('every spelling of an IPv6 address becomes the same', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const plain = plainAddress(address);
      expect(plain).toBeDefined();
      expect(plainAddress(plain ?? '')).toBe(plain);
      expect(plainAddress(address.toUpperCase())).toBe(plain);
    }),
    { seed: 5, numRuns: 1000 },
  );
  expect(plainAddress('fe80::1%eth0')).toBeUndefined();
  expect(plainAddress('example.com')).toBeUndefined();
});
