import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseLayer } from '../base-layer';
import { removeFolder } from '../remove-folder';
import { isBelow } from './hidden-places';
import { MountHolder } from './mount-holder';
import type { Sandbox } from './sandbox';
import { hasLayers } from './sandbox';

/** A folder of the user, as far as matters for whether the kernel can lay an agent's layer over it. */
export interface LayerCandidate {
  readonly base: BaseLayer;
  /** Whether only one file of the folder belongs to the run. */
  readonly isSingleFile?: boolean;
}

/**
 * Which bases the kernel can lay layers over at their own place, by doing it. Folders that overlap, hold the store of runs
 * or show a single file only are left to copies; `onRefusal` is told when the system says no.
 */
export async function layerableBases(
  candidates: readonly LayerCandidate[],
  options: {
    readonly sandbox: Sandbox;
    /** Existing real folder on the file system of the layers. */
    readonly runDir: string;
    readonly onRefusal: (folder: string, error: unknown) => void;
  },
  signal: AbortSignal,
): Promise<ReadonlySet<BaseLayer>> {
  const { sandbox, runDir, onRefusal } = options;
  const layerable = new Set<BaseLayer>();
  const open = candidates.filter((each) => isSuitable(each, candidates, runDir));
  if (!hasLayers(sandbox) || open.length === 0) {
    return layerable;
  }
  const folder = await mkdtemp(join(runDir, 'trial-'));
  const holder = await MountHolder.start(sandbox.programs, signal);
  try {
    for (const [index, { base }] of open.entries()) {
      const layers = join(folder, String(index));
      for (const name of ['marks', 'upper', 'work', 'base', 'top']) {
        await mkdir(join(layers, name), { recursive: true });
      }
      const target = base.folder ?? '';
      const mount = { folder: layers, top: join(layers, 'marks'), base: target, target };
      await holder.mount(mount, signal).then(
        () => layerable.add(base),
        (error: unknown) => onRefusal(target, error),
      );
    }
    return layerable;
  } finally {
    await holder.end();
    await removeFolder(folder);
  }
}

function isSuitable(
  { base, isSingleFile }: LayerCandidate,
  all: readonly LayerCandidate[],
  runDir: string,
): boolean {
  const { folder } = base;
  if (folder === undefined || isSingleFile === true || folder === '/' || isBelow(runDir, folder)) {
    return false;
  }
  return all
    .filter((other) => other.base !== base)
    .map((other) => other.base.folder)
    .every((other) => other === undefined || !overlaps(folder, other));
}

function overlaps(one: string, other: string): boolean {
  return one === other || isBelow(one, other) || isBelow(other, one);
}
