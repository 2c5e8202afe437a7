import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../base/sha256';
import { UsageError } from './failure';

const headerSchema = z.object({
  task: z.string(),
  commands: z.array(z.object({ command: z.string(), hash: z.string() })),
});

export interface ListedCommand {
  readonly command: string;
  /** sha256 of the command. */
  readonly hash: string;
}

/** The script that ships with the product: the task it knows and the commands its agents run. */
export interface Demonstration {
  readonly task: string;
  readonly commands: readonly ListedCommand[];
}

/** Throws `UsageError` when the installation is damaged, or a listed command is not the one that its hash names. */
export async function readDemonstration(installDir: string): Promise<Demonstration> {
  const file = join(installDir, 'media', 'offline', 'demo.jsonl');
  const header = headerSchema.safeParse(parseJson(await firstLine(file)));
  if (
    !header.success ||
    header.data.commands.some((each) => sha256Hex(each.command) !== each.hash)
  ) {
    throw new UsageError(`The shipped script ${file} is damaged.`, 'Install MassGen again.');
  }
  return header.data;
}

export interface SampleCopy {
  readonly dir: string;
  remove(): Promise<void>;
}

/** A fresh copy of the sample project in a folder of its own. */
export async function copySample(installDir: string): Promise<SampleCopy> {
  const parent = await mkdtemp(join(tmpdir(), 'massgen-'));
  const dir = join(parent, 'sample-project');
  await cp(join(installDir, 'media', 'sample-project'), dir, { recursive: true });
  return { dir, remove: () => rm(parent, { recursive: true, force: true }) };
}

async function firstLine(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8');
    return text.slice(0, Math.max(0, text.indexOf('\n')));
  } catch {
    return '';
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
