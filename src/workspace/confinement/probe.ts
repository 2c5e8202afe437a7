import { execFile } from 'node:child_process';
import {
  access,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { raceAbort } from '../../base/abort';
import { isCancelled } from '../../core/errors';
import type { Confinement } from '../../core/ports/workspace';
import { removeFolder } from '../remove-folder';
import { emptiedFolders } from './sandbox-arguments';
import { startConfined, statusFd } from './confined-process';
import { sortedByKind } from './hidden-places';
import { defaultResources, linuxLaunch } from './linux-launch';
import type { LinuxPrograms } from './linux-programs';
import { findLinuxPrograms } from './linux-programs';
import { MountHolder } from './mount-holder';
import type { LinuxSandbox, Sandbox } from './sandbox';

export interface ProbeOptions {
  /** Where the layers of runs are kept; the trial is made in there. Made when it does not exist. */
  readonly storageFolder: string;
  /** Absent: this process's own. */
  readonly platform?: NodeJS.Platform;
}

const run = promisify(execFile);
const probes = new Map<string, Promise<Sandbox>>();
const programEnvironment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C' };
const seatbelt = '/usr/bin/sandbox-exec';

/** Finds out once per process and storage folder, by running a real confined command over real layers. */
export async function findSandbox(options: ProbeOptions, signal: AbortSignal): Promise<Sandbox> {
  const { storageFolder, platform = process.platform } = options;
  const key = JSON.stringify([storageFolder, platform]);
  let found = probes.get(key);
  if (found === undefined) {
    // Others may wait for the same trial, so nobody's signal ends it.
    found = probe(storageFolder, platform);
    probes.set(key, found);
    found.catch(() => probes.delete(key));
  }
  return raceAbort(found, signal);
}

/** The same, in words for people. */
export function confinementOf(sandbox: Sandbox): Confinement {
  if (sandbox.kind === 'none') {
    return { isConfined: false, reason: sandbox.reason };
  }
  // Seatbelt knows no processes of one's own, and credentials are hidden where they are known to be.
  const own = sandbox.kind === 'linux' ? 'own processes, ' : '';
  const rules = `${own}no network, known credentials hidden, writes only in the agent’s own`;
  if (sandbox.kind === 'linux' && sandbox.copyReason === undefined) {
    return { isConfined: true, words: `${rules} layer` };
  }
  const why = sandbox.kind === 'linux' ? ` (no layers: ${sandbox.copyReason})` : '';
  return { isConfined: true, words: `${rules} copy of the project${why}` };
}

async function probe(folder: string, platform: NodeJS.Platform): Promise<Sandbox> {
  if (platform === 'darwin') {
    return probeSeatbelt();
  }
  if (platform !== 'linux') {
    const where = platform === 'win32' ? 'On Windows' : 'On this system';
    return {
      kind: 'none',
      reason: `${where} commands cannot be confined; open the project in WSL 2 or in a container to confine them.`,
    };
  }
  const programs = await findLinuxPrograms();
  if (!('bwrap' in programs)) {
    const reason = programs.includes('bwrap')
      ? 'bubblewrap is not installed; install the package bubblewrap to confine commands.'
      : `${programs.join(' and ')} of util-linux cannot be found; install util-linux to confine commands.`;
    return { kind: 'none', reason };
  }
  const { stdout } = await run(programs.bwrap, ['--help'], { env: programEnvironment });
  const plain = { kind: 'linux', programs, canBoundMemory: stdout.includes('--size') } as const;
  const refusal = await tryConfined({ ...plain, copyReason: undefined }, '/', undefined);
  if (refusal !== undefined) {
    return { kind: 'none', reason: await whyNoNamespaces(refusal) };
  }
  return { ...plain, copyReason: await whyNoLayers(programs, folder, plain.canBoundMemory) };
}

async function probeSeatbelt(): Promise<Sandbox> {
  try {
    await access(seatbelt);
    await run(seatbelt, ['-p', '(version 1)(allow default)', '/usr/bin/true'], {
      env: programEnvironment,
    });
    return { kind: 'seatbelt', program: seatbelt };
  } catch {
    return {
      kind: 'none',
      reason: 'sandbox-exec does not work here, so commands are not confined.',
    };
  }
}

/** Runs a command in a sandbox, with a holder one that writes there; answers what the system said when it failed. */
async function tryConfined(
  sandbox: LinuxSandbox,
  cwd: string,
  holder: MountHolder | undefined,
): Promise<string | undefined> {
  const view = {
    ...{ writable: holder === undefined ? [] : [cwd], readable: [], cwd, statusFd },
    hidden: await sortedByKind(emptiedFolders),
    user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
  };
  const text = holder === undefined ? 'true' : 'test ! -e hidden && echo new > base.txt';
  const command = ['/bin/sh', '-c', text];
  const argv = linuxLaunch(sandbox, { holder, view, resources: defaultResources, command });
  const started = startConfined({ argv, environment: programEnvironment, input: 'ignore' });
  const { child } = started;
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  try {
    const code: unknown = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return code === 0 ? undefined : said.trim() || 'no reason given';
  } catch (error) {
    return String(error);
  } finally {
    await started.kill();
  }
}

async function whyNoNamespaces(said: string): Promise<string> {
  const read = async (path: string): Promise<string> =>
    (await readFile(path, 'latin1').catch(() => '')).trim();
  const base = '/proc/sys';
  if ((await read(`${base}/kernel/apparmor_restrict_unprivileged_userns`)) === '1') {
    return 'AppArmor does not let bubblewrap make user namespaces; give /usr/bin/bwrap a profile with the rule “userns,” to confine commands.';
  }
  const isOff =
    (await read(`${base}/kernel/unprivileged_userns_clone`)) === '0' ||
    (await read(`${base}/user/max_user_namespaces`)) === '0';
  if (isOff) {
    return 'User namespaces are switched off on this system; allow them (sysctl user.max_user_namespaces or kernel.unprivileged_userns_clone) to confine commands.';
  }
  return `A confined command could not be run here: ${said.split('\n')[0]}. In a container, allow user namespaces to confine commands.`;
}

/** `undefined` when a command wrote through real layers and the base stayed as it was. */
async function whyNoLayers(
  programs: LinuxPrograms,
  storageFolder: string,
  canBoundMemory: boolean,
): Promise<string | undefined> {
  let folder: string | undefined;
  let holder: MountHolder | undefined;
  const signal = new AbortController().signal;
  try {
    await mkdir(storageFolder, { recursive: true, mode: 0o700 });
    folder = await mkdtemp(join(await realpath(storageFolder), 'probe-'));
    const [base, top] = [join(folder, 'user'), join(folder, 'marks')];
    for (const name of ['user', 'marks', 'upper', 'work', 'base', 'top']) {
      await mkdir(join(folder, name));
    }
    await writeFile(join(base, 'base.txt'), 'old\n');
    await writeFile(join(base, 'hidden'), 'hidden\n');
    holder = await MountHolder.start(programs, signal);
    await holder.run(`mknod '${top.replaceAll("'", String.raw`'\''`)}/hidden' c 0 0`, signal);
    await holder.mount({ folder, top, base, target: base }, signal);
    const sandbox = { kind: 'linux', programs, canBoundMemory, copyReason: undefined } as const;
    const refusal = await tryConfined(sandbox, base, holder);
    const written = await readFile(join(folder, 'upper', 'base.txt'), 'utf8').catch(() => '');
    const kept = await readFile(join(base, 'base.txt'), 'utf8');
    if (refusal === undefined && written === 'new\n' && kept === 'old\n') {
      return undefined;
    }
    return refusal ?? 'a trial wrote to the wrong place';
  } catch (error) {
    if (isCancelled(error)) {
      throw error;
    }
    return (await fileSystemReason(storageFolder)) ?? firstLine(error);
  } finally {
    await holder?.end();
    if (folder !== undefined) {
      await removeFolder(folder).catch(() => undefined);
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

const fileSystemNames = new Map([
  [0x794c7630, 'overlayfs'],
  [0x6969, 'NFS'],
  [0x65735546, 'FUSE'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9p'],
]);

async function fileSystemReason(folder: string): Promise<string | undefined> {
  const type = await statfs(folder).then(
    ({ type: number }) => number,
    () => 0,
  );
  const name = fileSystemNames.get(type);
  return name === undefined
    ? undefined
    : `the storage folder is on ${name}, which cannot carry layers`;
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? message;
}
