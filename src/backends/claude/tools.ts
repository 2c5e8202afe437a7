// Tools in the form of the service.
import type { HostedToolName } from '../../core/ports/backend-kind';
import type { JsonSchema, ToolSpec } from '../../core/ports/model-backend';
import { asArray, asObject } from '../wire/json-reading';
import type { ToolNames } from '../wire/tool-names';
import type { WireBlock } from './media';

/** Tools that run at the service. Its versions are chosen here: the oldest that every model takes. */
const hostedTools: Readonly<
  Record<HostedToolName, { readonly name: string; readonly type: string }>
> = {
  'web-search': { type: 'web_search_20250305', name: 'web_search' },
  'code-execution': { type: 'code_execution_20250825', name: 'code_execution' },
};

/** Names of properties that the service takes. */
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** The tools of the service come first: they are the same for a whole run, which keeps caches valid. */
export function toWireTools(
  tools: readonly ToolSpec[],
  hosted: readonly HostedToolName[],
  wireNames: ToolNames,
): readonly WireBlock[] {
  const own = hosted.map((name) => hostedTools[name]);
  // The service refuses two tools of one name.
  const names = new Set(own.map(({ name }) => name));
  const others = tools.filter(({ name }) => {
    const isNew = !names.has(wireNames.toWire(name));
    names.add(wireNames.toWire(name));
    return isNew;
  });
  return [...own, ...others.map((tool) => toWireTool(tool, wireNames))];
}

function toWireTool({ name, description, inputSchema }: ToolSpec, wireNames: ToolNames): WireBlock {
  const { schema, lost } = toSchema(inputSchema);
  const text = [description, ...lost].filter((line) => line.trim() !== '').join('\n\n');
  return {
    name: wireNames.toWire(name),
    ...(text === '' ? {} : { description: text }),
    input_schema: schema,
  };
}

/** What the service does not take in a schema is told in words instead. */
function toSchema(written: JsonSchema): { readonly schema: JsonSchema; readonly lost: string[] } {
  const { $schema: _schema, anyOf, oneOf, allOf, ...rest } = written;
  const lost = Object.entries({ anyOf, oneOf, allOf })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `The input must also satisfy: ${JSON.stringify({ [name]: value })}`);
  const properties = Object.entries(asObject(rest['properties']) ?? {});
  const illegal = properties.filter(([name]) => !propertyName.test(name)).map(([name]) => name);
  if (illegal.length > 0) {
    lost.push(`These members of the input cannot be given: ${illegal.join(', ')}.`);
  }
  const schema: Record<string, unknown> = { ...rest, type: 'object' };
  if (rest['properties'] !== undefined || illegal.length > 0) {
    schema['properties'] = Object.fromEntries(
      properties.filter(([name]) => propertyName.test(name)),
    );
  }
  const required = asArray(rest['required']);
  if (required.some((name) => illegal.some((one) => one === name))) {
    schema['required'] = required.filter((name) => !illegal.some((one) => one === name));
  }
  return { schema, lost };
}
