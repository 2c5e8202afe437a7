import { cp, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The file whose bytes tell that a folder is a copy of the shipped sample. */
const marker = 'package.json';

function sampleDir(installDir: string): string {
  return join(installDir, 'media', 'sample-project');
}

/** The task that the shipped recording knows: it stands in the recording's first line. */
export async function readSampleTask(installDir: string): Promise<string> {
  const text = await readFile(join(installDir, 'media', 'offline', 'demo.jsonl'), 'utf8');
  const header: unknown = JSON.parse(text.slice(0, text.indexOf('\n')));
  const task =
    typeof header === 'object' && header !== null && 'task' in header ? header.task : undefined;
  return typeof task === 'string' ? task : '';
}

/** True when `folder` is a copy of the shipped sample project. */
export async function isSampleProject(folder: string, installDir: string): Promise<boolean> {
  try {
    const [there, shipped] = await Promise.all([
      readFile(join(folder, marker)),
      readFile(join(sampleDir(installDir), marker)),
    ]);
    return there.equals(shipped);
  } catch {
    return false;
  }
}

/** Copies the sample into a new folder below `parent` and answers its path; existing folders are left alone. */
export async function copySample(installDir: string, parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (let n = 1; ; n++) {
    const target = join(parent, n === 1 ? 'massgen-sample' : `massgen-sample-${String(n)}`);
    if (!(await exists(target))) {
      await cp(sampleDir(installDir), target, {
        recursive: true,
        errorOnExist: true,
        force: false,
      });
      return target;
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
