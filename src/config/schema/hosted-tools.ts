// Tools that run at the service itself, which a backend block switches on by a key each.
import type { BackendKind, HostedToolName } from '../../core/ports/backend-kind';
import type { ReadContext } from './read-context';
import { boolean } from './scalars';
import { field, type Field, type Spec } from './spec';

/** Two names of one ability stand for services that call it so. */
const hostedKeys = {
  enable_web_search: 'web-search',
  enable_code_interpreter: 'code-execution',
  enable_code_execution: 'code-execution',
} as const satisfies Readonly<Record<string, HostedToolName>>;

type HostedKey = keyof typeof hostedKeys;

const descriptions: Readonly<Record<HostedToolName, string>> = {
  'web-search': 'The service may search the web by itself and names its sources.',
  'code-execution': 'The service may run code on its own machines; nothing of it runs here.',
};

const nouns: Readonly<Record<HostedToolName, string>> = {
  'web-search': 'no web search of its own',
  'code-execution': 'no place of its own to run code',
};

type HostedFields = Readonly<Record<HostedKey, Field<boolean>>>;

export function hostedFields(kind: BackendKind, kinds: readonly BackendKind[]): HostedFields {
  const fieldOf = (key: HostedKey): Field<boolean> => {
    const tool = hostedKeys[key];
    const spec = checked(boolean(), kind, kinds, tool);
    const own = field(spec, descriptions[tool], { defaultText: 'false' });
    return kind.hostedTools?.includes(tool) === true ? own : { ...own, isUnsupported: true };
  };
  return {
    enable_web_search: fieldOf('enable_web_search'),
    enable_code_interpreter: fieldOf('enable_code_interpreter'),
    enable_code_execution: fieldOf('enable_code_execution'),
  };
}

/** For a block whose kind is not known. */
export function hostedFieldsOfAny(): HostedFields {
  const fieldOf = (key: HostedKey): Field<boolean> =>
    field(boolean(), descriptions[hostedKeys[key]]);
  return {
    enable_web_search: fieldOf('enable_web_search'),
    enable_code_interpreter: fieldOf('enable_code_interpreter'),
    enable_code_execution: fieldOf('enable_code_execution'),
  };
}

/** Each tool once, in a fixed order. */
export function hostedToolsOf(
  kind: BackendKind,
  values: Readonly<Record<string, unknown>>,
): readonly HostedToolName[] {
  const wanted = Object.entries(hostedKeys).flatMap(([key, tool]) =>
    values[key] === true && kind.hostedTools?.includes(tool) === true ? [tool] : [],
  );
  return [...new Set(wanted)];
}

function checked(
  plain: Spec<boolean>,
  kind: BackendKind,
  kinds: readonly BackendKind[],
  tool: HostedToolName,
): Spec<boolean> {
  return {
    shape: plain.shape,
    read: (node, context) => {
      const value = plain.read(node, context);
      if (value === true && kind.hostedTools?.includes(tool) !== true) {
        refuse(context, kind, kinds, tool);
      }
      return value;
    },
  };
}

/** A program brings its own tools, so that nothing is lost; a service would silently lack what the file counts on. */
function refuse(
  context: ReadContext,
  kind: BackendKind,
  kinds: readonly BackendKind[],
  tool: HostedToolName,
): void {
  if (kind.isProgram === true) {
    context.report(undefined, {
      code: 'no-effect',
      severity: 'warning',
      message: `${kind.type} decides itself which tools it has; this key has no effect.`,
    });
    return;
  }
  const others = kinds.filter(({ hostedTools = [] }) => hostedTools.includes(tool));
  const hint =
    others.length === 0
      ? ''
      : ` Types that have one: ${others.map(({ type }) => type).join(', ')}.`;
  const message = `${kind.type} has ${nouns[tool]}; remove this key.${hint}`;
  context.report(undefined, { code: 'not-supported', message });
}
