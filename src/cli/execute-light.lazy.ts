// What reads team files and tables alone: nothing here opens the storage or knows a service's library.
import type { ExitCode } from './exit-codes';
import { listBackends } from './list-backends';
import { listExamples, printExample } from './example-commands';
import type { Invocation } from './invocation';
import { showSchema } from './schema-command';
import { validateCommand } from './validate-command';
import type { World } from './world';

export type LightKind = 'validate' | 'list-backends' | 'list-examples' | 'example' | 'show-schema';

/** Rejects with what `failureOf` can put into words. */
export async function executeWithoutApp(
  invocation: Extract<Invocation, { readonly kind: LightKind }>,
  world: World,
): Promise<ExitCode> {
  switch (invocation.kind) {
    case 'validate':
      return validateCommand(invocation.options, world);
    case 'list-backends':
      return listBackends(invocation.options, world);
    case 'list-examples':
      return listExamples(invocation.options, world);
    case 'example':
      return printExample(invocation.name, world);
    case 'show-schema':
      return showSchema(invocation.options, world);
  }
}
