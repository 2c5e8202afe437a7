import { readFile } from 'node:fs/promises';
import { exampleName, exampleNames } from '../app/examples';
import { type ExitCode, exitCodes } from './exit-codes';
import { findExample } from './find-file';
import type { ListOptions } from './invocation';
import { wrap } from './table';
import type { World } from './world';

/** All shipped teams by the names that `--config` takes, with what each is for. */
export async function listExamples({ json }: ListOptions, world: World): Promise<ExitCode> {
  const { output, installDir } = world;
  const names = await exampleNames(installDir);
  const examples = await Promise.all(names.map((name) => describe(name, world)));
  if (json) {
    output.write(`${JSON.stringify(examples, null, 2)}\n`);
    return exitCodes.done;
  }
  const room = Math.max(output.width, 60) - indent.length;
  const lines = examples.flatMap(({ name, summary }) => [
    name,
    ...wrap(summary, room).map((line) => `${indent}${line}`),
  ]);
  const more = ['', 'massgen --config NAME "task" runs one, massgen --example NAME prints it.'];
  output.write(`${[...lines, ...more].join('\n')}\n`);
  return exitCodes.done;
}

const indent = '    ';

interface ExampleFacts {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
}

/** The first comment of a shipped file says what it is for. */
async function describe(name: string, world: World): Promise<ExampleFacts> {
  const path = await findExample(name, world);
  const text = await readFile(path, 'utf8');
  const summary = /^#+\s*(\S.*)$/m.exec(text)?.[1]?.trim() ?? '';
  return { name: exampleName(name), path, summary };
}

/** Prints the text of a shipped team. */
export async function printExample(name: string, world: World): Promise<ExitCode> {
  world.output.write(await readFile(await findExample(name, world), 'utf8'));
  return exitCodes.done;
}
