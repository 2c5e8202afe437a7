import { readFile } from 'node:fs/promises';
import { type ExitCode, exitCodes } from './exit-codes';
import { findExample } from './find-file';
import type { SchemaOptions } from './invocation';
import { kindOf } from './kind-of';
import { teamToolsOf } from './team-tools';
import type { World } from './world';

const shownExample = '@examples/three-providers';

/** Prints the keys of a team file as JSON Schema, for all types of backend or for one. */
export async function showSchema(
  { backend, withExamples }: SchemaOptions,
  world: World,
): Promise<ExitCode> {
  const tools = teamToolsOf(world);
  const type = backend === undefined ? undefined : kindOf(backend, tools.backendKinds).type;
  const schema = tools.jsonSchema(type);
  const examples = withExamples ? { examples: [await exampleOf(type, world)] } : {};
  world.output.write(`${JSON.stringify({ ...schema, ...examples }, null, 2)}\n`);
  return exitCodes.done;
}

/** As the text of a file, so that it can be copied. */
async function exampleOf(type: string | undefined, world: World): Promise<string> {
  if (type === undefined) {
    return readFile(await findExample(shownExample, world), 'utf8');
  }
  const quick = teamToolsOf(world).quickTeam({ models: [`${type}/`], backend: type });
  const named =
    quick.kind === 'ok'
      ? quick
      : teamToolsOf(world).quickTeam({ models: ['MODEL'], backend: type });
  return named.kind === 'ok' ? named.text : '';
}
