import { filterFd } from './confined-process';
import type { MountHolder } from './mount-holder';
import type { LinuxSandbox } from './sandbox';
import type { SandboxView } from './sandbox-arguments';
import { sandboxArguments } from './sandbox-arguments';
import { systemCallFilter } from './system-call-filter';

export interface ResourceLimits {
  /** Largest file, in bytes. */
  readonly fileBytes: number;
  readonly processes: number;
  readonly openFiles: number;
}

export const defaultResources: ResourceLimits = {
  fileBytes: 4 * 1024 * 1024 * 1024,
  processes: 2048,
  openFiles: 1024,
};

/**
 * The whole line that runs `command` in the sandbox, inside the holder's namespace when there is one. For `startConfined`,
 * which hands on what the line reads.
 */
export function linuxLaunch(
  sandbox: LinuxSandbox,
  parts: {
    readonly holder: MountHolder | undefined;
    readonly view: Omit<SandboxView, 'canBoundMemory'>;
    readonly resources: ResourceLimits;
    readonly command: readonly string[];
  },
): readonly string[] {
  const { programs, canBoundMemory } = sandbox;
  const { holder, view, resources, command } = parts;
  const enter =
    holder === undefined
      ? []
      : [
          ...[programs.nsenter, '--user', '--mount', '--preserve-credentials'],
          ...['--target', String(holder.pid), '--'],
        ];
  return [
    ...enter,
    ...[programs.prlimit, '--core=0', `--fsize=${resources.fileBytes}`],
    ...[`--nproc=${resources.processes}`, `--nofile=${resources.openFiles}`, '--'],
    ...[programs.bwrap, ...sandboxArguments({ ...view, canBoundMemory })],
    ...(systemCallFilter() === undefined ? [] : ['--seccomp', String(filterFd)]),
    ...['--', ...command],
  ];
}
