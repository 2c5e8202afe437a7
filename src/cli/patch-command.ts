import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PatchOptions } from './invocation';
import { type ExitCode, exitCodes } from './exit-codes';
import { UsageError } from './failure';
import { withRun } from './find-run';
import type { World } from './world';

/** Writes what a run proposes, as the user has put it together, in the form that `git apply` takes. */
export function patchCommand(run: string, options: PatchOptions, world: World): Promise<ExitCode> {
  return withRun(run, { options, world }, async ({ app, runId }) => {
    const session = (await app.openRun(runId)).review();
    if (session === undefined) {
      throw new UsageError(`The run ${runId} proposes no change of files.`);
    }
    const patch = await session.patch(world.interrupted);
    if (options.output === undefined) {
      writeOut(patch, world);
    } else {
      await writeNew(resolve(world.cwd, options.output), patch);
    }
    return exitCodes.done;
  });
}

function writeOut(patch: Uint8Array, { output }: World): void {
  if (output.writeBytes === undefined) {
    output.write(new TextDecoder().decode(patch));
  } else {
    output.writeBytes(patch);
  }
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new UsageError(
      isThere
        ? `There is already a file ${path}; it is left as it is. Name another one.`
        : `The patch cannot be written: ${String(error)}`,
    );
  }
}
