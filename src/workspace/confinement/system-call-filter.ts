// A filter for the few system calls that reach past all namespaces: keys that the user's session holds, sockets that no
// network namespace keeps in (to the machine around a virtual one), and what opens sockets without the call for them.
import { endianness } from 'node:os';

/** Numbers of the calls on one kind of processor. */
interface Calls {
  /** The kernel's name for the kind. */
  readonly kind: number;
  readonly refused: readonly number[];
  readonly socket: number;
  readonly ioctl: number;
}

const ioUring = 425;

const intel64: Calls = {
  kind: 0xc000003e,
  // add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd
  refused: [248, 249, 250, 298, 321, 323, ioUring],
  ...{ socket: 41, ioctl: 16 },
};

const intel32: Calls = {
  kind: 0x40000003,
  // The first one makes sockets of every family, told in memory that a filter cannot read.
  refused: [102, 286, 287, 288, 336, 357, 374, ioUring],
  ...{ socket: 359, ioctl: 54 },
};

const arm64: Calls = {
  kind: 0xc00000b7,
  refused: [217, 218, 219, 241, 280, 282, ioUring],
  ...{ socket: 198, ioctl: 29 },
};

const arm32: Calls = {
  kind: 0x40000028,
  refused: [309, 310, 311, 364, 386, 388, ioUring],
  ...{ socket: 281, ioctl: 54 },
};

/** By the names that Node has for processors, the own kind and the one that runs on it besides. */
const kinds = new Map<string, readonly Calls[]>([
  ['x64', [intel64, intel32]],
  ['ia32', [intel32]],
  ['arm64', [arm64, arm32]],
  ['arm', [arm32]],
]);

/** Local, both of the internet, and questions to the kernel about the own network. */
const openFamilies = [1, 2, 10, 16];

/** Put characters into the input of a terminal, as if its user had typed them. */
const typingRequests = [0x5412, 0x541c];

/** Numbers from here on mean the same calls in another form. */
const otherForm = 0x40000000;

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const answer = 0x06;

const callOffset = 0;
const kindOffset = 4;
const firstArgument = 16;
const secondArgument = 24;

const allow = 0x7fff0000;
const notPermitted = 0x00050001;
const noSuchFamily = 0x00050061;
const noSuchCall = 0x00050026;

type Step = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** In the form that the kernel reads; `undefined` for processors that it is not written for. */
export function systemCallFilter(processor: string = process.arch): Uint8Array | undefined {
  const calls = endianness() === 'LE' ? kinds.get(processor) : undefined;
  if (calls === undefined) {
    return undefined;
  }
  const steps: readonly Step[] = [
    [load, 0, 0, kindOffset],
    ...calls.flatMap((each) => {
      const body = stepsFor(each);
      return [[jumpIfEqual, 0, body.length, each.kind] as const, ...body];
    }),
    [answer, 0, 0, noSuchCall],
  ];
  const bytes = Buffer.alloc(steps.length * 8);
  steps.forEach(([code, ifTrue, ifFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}

/** Answers in every case, so that nothing falls through to what comes after. */
function stepsFor({ kind, refused, socket, ioctl }: Calls): readonly Step[] {
  return [
    [load, 0, 0, callOffset],
    ...(kind === intel64.kind ? orElse(jumpIfAtLeast, otherForm, noSuchCall) : []),
    ...refused.flatMap((call) => orElse(jumpIfEqual, call, notPermitted)),
    ...argumentsOf(socket, firstArgument, openFamilies, { listed: allow, others: noSuchFamily }),
    ...argumentsOf(ioctl, secondArgument, typingRequests, { listed: notPermitted, others: allow }),
    [answer, 0, 0, allow],
  ];
}

function orElse(jump: number, value: number, then: number): readonly Step[] {
  return [
    [jump, 0, 1, value],
    [answer, 0, 0, then],
  ];
}

/** Decides a call by the lower half of one of its arguments, which is all that the kernel looks at there. */
function argumentsOf(
  call: number,
  offset: number,
  values: readonly number[],
  answers: { readonly listed: number; readonly others: number },
): readonly Step[] {
  const body: readonly Step[] = [
    [load, 0, 0, offset],
    ...values.flatMap((value) => orElse(jumpIfEqual, value, answers.listed)),
    [answer, 0, 0, answers.others],
  ];
  return [[jumpIfEqual, 0, body.length, call], ...body];
}
