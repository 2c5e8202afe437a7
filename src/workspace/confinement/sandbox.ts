import type { LinuxPrograms } from './linux-programs';

/** What this machine offers to keep commands apart, as found out by trying it. */
export type Sandbox = LinuxSandbox | SeatbeltSandbox | NoSandbox;

export interface LinuxSandbox {
  readonly kind: 'linux';
  readonly programs: LinuxPrograms;
  /** `undefined` where layers can be mounted; else why commands work in a copy instead: one clause for people. */
  readonly copyReason: string | undefined;
  /** Whether a folder in memory can be bounded. */
  readonly canBoundMemory: boolean;
}

export interface SeatbeltSandbox {
  readonly kind: 'seatbelt';
  /** Absolute path of `sandbox-exec`. */
  readonly program: string;
}

export interface NoSandbox {
  readonly kind: 'none';
  /** One sentence for people: what is missing, and what would help. */
  readonly reason: string;
}

/** Whether the kernel shows each agent its layers at the place of the user's own folder. */
export function hasLayers(sandbox: Sandbox): sandbox is LinuxSandbox {
  return sandbox.kind === 'linux' && sandbox.copyReason === undefined;
}
