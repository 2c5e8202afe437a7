import { openSync, readFileSync, readdirSync } from 'node:fs';

const closeOnExec = 0o2000000;

/**
 * Descriptors that this process got from its own parent and would hand on to whatever it starts: pipes, sockets and files of
 * others. Those of Node itself are not among them.
 */
function inheritedDescriptors(above: number): readonly number[] {
  return namesIn('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > above && fd < 1024)
    .filter((fd) => {
      const flags = /^flags:\s*(\d+)/m.exec(textOf(`/proc/self/fdinfo/${fd}`))?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
    });
}

/** The list of streams for `spawn` in which nothing stands in the place of what would be handed on. */
export function withoutInherited<T>(streams: readonly T[]): (T | 'ignore' | number)[] {
  const all: (T | 'ignore' | number)[] = [...streams];
  for (const fd of inheritedDescriptors(streams.length - 1)) {
    while (all.length < fd) {
      all.push('ignore');
    }
    all[fd] = nothing();
  }
  return all;
}

let nothingFd: number | undefined;

/** One descriptor of `/dev/null` for the life of the process. */
function nothing(): number {
  nothingFd ??= openSync('/dev/null', 'r');
  return nothingFd;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
