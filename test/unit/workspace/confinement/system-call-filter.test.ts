// What the filter answers, told by walking through it as the kernel does, and what the kernel makes of it.
import { describe, expect, test } from 'vitest';
import { systemCallFilter } from '../../../../src/workspace/confinement/system-call-filter';
import { tempFolder } from '../temp-project';
import { confinedRun, isLayered, named, output } from './confined-run';

const [intel64, intel32, arm64] = [0xc000003e, 0x40000003, 0xc00000b7];
const [allow, notPermitted, noSuchFamily, noSuchCall] = [
  0x7fff0000, 0x00050001, 0x00050061, 0x00050026,
];

interface Call {
  readonly kind: number;
  readonly number: number;
  readonly arguments?: readonly number[];
}

function answerTo(call: Call, processor = 'x64'): number {
  const filter = Buffer.from(systemCallFilter(processor) ?? []);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.kind, 4);
  call.arguments?.forEach((value, index) => data.writeUInt32LE(value, 16 + index * 8));
  let held = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const value = filter.readUInt32LE(at + 4);
    const code = filter.readUInt16LE(at);
    if (code === 0x06) {
      return value;
    }
    if (code === 0x20) {
      held = data.readUInt32LE(value);
    } else {
      const isTrue = code === 0x15 ? held === value : held >= value;
      at += filter.readUInt8(at + (isTrue ? 2 : 3)) * 8;
    }
  }
  throw new Error('The filter ends without an answer.');
}

describe('the filter of system calls', () => {
  test('lets ordinary calls through on every processor it knows', () => {
    for (const number of [0, 1, 2, 56, 59, 202, 435]) {
      expect(answerTo({ kind: intel64, number })).toBe(allow);
    }
    expect(answerTo({ kind: arm64, number: 64 }, 'arm64')).toBe(allow);
    expect(answerTo({ kind: intel32, number: 4 })).toBe(allow);
  });

  test('refuses the keys of the session, and calls that work without the filter seeing it', () => {
    for (const number of [248, 249, 250, 298, 321, 323, 425]) {
      expect(answerTo({ kind: intel64, number })).toBe(notPermitted);
    }
    for (const number of [217, 218, 219, 425]) {
      expect(answerTo({ kind: arm64, number }, 'arm64')).toBe(notPermitted);
    }
    for (const number of [102, 286, 287, 288]) {
      expect(answerTo({ kind: intel32, number })).toBe(notPermitted);
    }
  });

  test('lets sockets be made that a network of one’s own keeps in, and no others', () => {
    const socket = (family: number): number =>
      answerTo({ kind: intel64, number: 41, arguments: [family, 1, 0] });
    expect([1, 2, 10, 16].map(socket)).toEqual([allow, allow, allow, allow]);
    for (const family of [15, 17, 31, 38, 40, 44]) {
      expect(socket(family)).toBe(noSuchFamily);
    }
  });

  test('refuses to type into a terminal, and no other request to one', () => {
    const request = (value: number): number =>
      answerTo({ kind: intel64, number: 16, arguments: [0, value] });
    expect([0x5412, 0x541c, 0x5401, 0x5413].map(request)).toEqual([
      ...[notPermitted, notPermitted, allow, allow],
    ]);
  });

  test('knows no other forms of the calls, and no other processors', () => {
    expect(answerTo({ kind: intel64, number: 0x40000000 + 250 })).toBe(noSuchCall);
    expect(answerTo({ kind: arm64, number: 64 })).toBe(noSuchCall);
    expect(systemCallFilter('s390x')).toBeUndefined();
  });
});

describe.skipIf(!isLayered || systemCallFilter() === undefined)(
  named('the kernel keeps a confined command'),
  () => {
    test('from sockets that lead past its own network', async () => {
      const agent = await confinedRun(tempFolder()).agent();
      const said = await output(
        agent,
        `grep ^Seccomp: /proc/self/status; perl -e 'for (40, 1, 2, 10) { print socket(my $s, $_, 1, 0) ? "made\\n" : "$!\\n" }'`,
      );
      expect(said).toBe(
        'Seccomp:\t2\nAddress family not supported by protocol\nmade\nmade\nmade\n',
      );
    });

    test('from keys of the session', async () => {
      const number = process.arch === 'x64' ? 249 : 218;
      const agent = await confinedRun(tempFolder()).agent();
      const ask = `perl -e 'my ($t, $d) = ("user", "massgen-test"); print syscall(${number}, $t, $d, 0, 0), " $!\\n"'`;
      expect(await output(agent, ask)).toBe('-1 Operation not permitted\n');
    });

    test('from settings of the whole system', async () => {
      const agent = await confinedRun(tempFolder()).agent();
      const said = await output(
        agent,
        `cat /proc/sys/kernel/ostype; find /proc/sys -type f -writable 2>/dev/null | wc -l; touch /dev/massgen-test 2>&1; echo fine > /dev/shm/x && cat /dev/shm/x`,
      );
      expect(said).toMatch(/^Linux\n0\n[^\n]*Read-only file system\nfine\n$/);
    });
  },
);
