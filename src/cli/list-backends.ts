import type { App } from '../app/app-contract';
import { type ExitCode, exitCodes } from './exit-codes';
import type { ListOptions } from './invocation';
import { tableLines, tableWidth } from './table';
import { teamToolsOf } from './team-tools';
import type { World } from './world';

type Kind = App['backendKinds'][number];

/** Every `backend.type` with its key, its usual model and what the service itself can do. */
export function listBackends({ json }: ListOptions, world: World): Promise<ExitCode> {
  const kinds = teamToolsOf(world).backendKinds.map(factsOf);
  world.output.write(
    json ? `${JSON.stringify(kinds, null, 2)}\n` : `${textLines(kinds, world).join('\n')}\n`,
  );
  return Promise.resolve(exitCodes.done);
}

interface KindFacts {
  readonly type: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly key_variables: readonly string[];
  readonly default_model: string | null;
  readonly is_program: boolean;
  readonly hosted_tools: readonly string[];
  readonly keys: readonly string[];
}

/** Stands for the resource of a customer, which such a type asks for before it names its key. */
const ownAddress = { base_url: 'https://example.openai.azure.com' };

function factsOf(kind: Kind): KindFacts {
  const needsAddress = kind.keys.some(({ name }) => name === 'azure_endpoint');
  const options = needsAddress ? ownAddress : {};
  const plain = { type: kind.type, model: '', apiKeyName: undefined, options };
  return {
    type: kind.type,
    aliases: kind.aliases ?? [],
    title: kind.title,
    description: kind.description,
    key_variables: kind.keyNamesOf(plain),
    default_model: kind.defaultModel ?? null,
    is_program: kind.isProgram === true,
    hosted_tools: kind.hostedTools ?? [],
    keys: kind.keys.map(({ name }) => name),
  };
}

function textLines(kinds: readonly KindFacts[], { output }: World): readonly string[] {
  const rows = kinds.map((kind) => [
    [kind.type, ...kind.aliases].join(', '),
    kind.title,
    keyOf(kind),
    kind.default_model ?? '',
    kind.hosted_tools.join(', '),
  ]);
  const header = ['Type', 'What it is', 'Key', 'Usual model', 'Tools of the service'];
  const more = 'massgen --show-schema --schema-backend TYPE prints the keys of one.';
  return [...tableLines(header, rows, tableWidth(output, 160)), '', more];
}

function keyOf({ key_variables, is_program, keys }: KindFacts): string {
  if (key_variables.length > 0) {
    return key_variables.join(' or ');
  }
  const own = is_program ? 'its own sign-in' : 'none';
  return keys.includes('api_key') ? `${own}, or by api_key` : own;
}
