// One server of `mcp_servers`.
import type { YAMLMap } from 'yaml';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import { isLocalName } from '../local-name';
import { shown } from '../secret-text';
import { list, mapping, readFields } from './collections';
import { textOrTexts } from './open-values';
import type { ReadContext } from './read-context';
import { boolean, number, oneOf, text } from './scalars';
import { field, type FieldValues, keyInfos, type Spec } from './spec';
import {
  addressWithVariables,
  commandText,
  plainText,
  variablesByName,
  wordsOf,
} from './server-values';

const longestCallSeconds = 3600;

const levels = oneOf('strict', 'moderate', 'permissive');

/** A word that is none of them means the strict one in MassGen, and what holds here is at least as strict. */
const level: Spec<'strict' | 'moderate' | 'permissive'> = {
  shape: { kind: 'string', values: ['strict', 'moderate', 'permissive'], isLoose: true },
  read: (node, context) => levels.read(node, context.withWarnings()) ?? 'strict',
};

const securityEnv = mapping(
  {
    level: field(level, 'How much is let through.'),
    mode: field(oneOf('denylist', 'allowlist'), 'Which list counts.'),
    allowed_vars: field(textOrTexts(), 'Variables that are let through.'),
    denied_vars: field(textOrTexts(), 'Variables that are kept back.'),
  },
  'warning',
);

/** Only what says where a server may be has a meaning here; the rest is taken over by trust and confinement. */
const securityFields = {
  level: field(
    level,
    "Accepted for MassGen's sake: whatever it says, servers are confined, get no variables that are not named, and are asked about.",
  ),
  allowed_executables: field(textOrTexts(), 'The only programs that command may name.'),
  env: field(
    securityEnv,
    "Accepted for MassGen's sake: a program gets the variables that env names, and no others.",
  ),
  resolve_dns: field(boolean(), "Accepted for MassGen's sake: addresses are always resolved."),
  allow_private_ips: field(boolean(), 'Like allow_local.'),
  allow_localhost: field(boolean(), 'Like allow_local.'),
  allowed_hostnames: field(textOrTexts(), 'The host of url in it is like allow_local.'),
};

const fields = {
  name: field(text(), 'Name of the server; its tools are called mcp__NAME__TOOL.'),
  type: field(
    oneOf('stdio', 'streamable-http', 'streamable_http', 'http', 'sse'),
    'How the server is reached. Without it: by url when there is one, else a program.',
    { defaultText: 'stdio' },
  ),
  command: field(commandText(), 'The program, with or without its arguments.'),
  args: field(list(plainText()), 'Arguments of the program; `${NAME}` is a variable.'),
  env: field(variablesByName(), 'Variables for the program; keys stand as `${NAME}`.'),
  cwd: field(text(), "Where the program starts; the agent's view of the project when left out."),
  url: field(addressWithVariables(), 'Address of a server that runs already.'),
  headers: field(variablesByName(), 'Headers of each request; keys stand as `${NAME}`.'),
  timeout: field(
    number({ above: 0, maximum: longestCallSeconds }),
    'Seconds without any sign of life after which a call is given up.',
  ),
  http_read_timeout: field(
    number({ above: 0, maximum: longestCallSeconds }),
    "Accepted for MassGen's sake; use timeout.",
  ),
  allowed_tools: field(textOrTexts(), 'Tools that are kept, by their own or their whole name.'),
  exclude_tools: field(textOrTexts(), 'Tools that are left out, by their own or their whole name.'),
  hosts: field(
    textOrTexts(),
    'The only hosts (host or host:port) that the program may reach; any public one when left out.',
  ),
  allow_local: field(
    boolean(),
    'Whether the address may be on this machine or in a private network.',
    { defaultText: 'false' },
  ),
  security: field(mapping(securityFields, 'warning'), "MassGen's own rules for this server."),
  enabled: field(boolean(), 'Whether the agent has this server.', { defaultText: 'true' }),
  disabled: field(boolean(), 'The opposite of enabled.'),
  description: field(text(), 'For whoever reads the file.'),
};

export const serverKeys = keyInfos(fields);

type Values = FieldValues<typeof fields>;

/** `undefined` for a server that is switched off or cannot be used; what is wrong has been reported then. */
export function readToolServer(
  node: YAMLMap,
  context: ReadContext,
  name: string,
): ToolServerConfig | undefined {
  const values = readFields(node, context, fields, 'warning');
  const transport = transportOf(values, { context, isWritten: (key) => node.has(key) });
  if (values.enabled === false || values.disabled === true || transport === undefined) {
    return undefined;
  }
  const { allowed_tools: allowed, exclude_tools: excluded = [], hosts, timeout } = values;
  return {
    ...{ name, transport },
    ...(allowed === undefined ? {} : { allowedTools: allowed }),
    excludedTools: excluded,
    ...(timeout === undefined ? {} : { callTimeoutMs: Math.ceil(timeout * 1000) }),
    ...(hosts === undefined ? {} : { hosts }),
    ...(isLocalAllowed(values) ? { isLocalAllowed: true } : {}),
  };
}

interface Writing {
  readonly context: ReadContext;
  /** Also for a key whose value could not be read, which has been reported then. */
  readonly isWritten: (key: string) => boolean;
}

function transportOf(
  values: Values,
  { context, isWritten }: Writing,
): ToolServerConfig['transport'] | undefined {
  const { type = isWritten('url') ? 'http' : 'stdio', url } = values;
  if (type === 'stdio') {
    return programOf(values, { context, isWritten });
  }
  if (type === 'sse') {
    const message =
      'sse is an old form that servers are giving up; use streamable-http when the server has it.';
    context.report(undefined, { code: 'not-supported', severity: 'warning', message });
  }
  if (url === undefined) {
    if (!isWritten('url')) {
      const message = 'A server that is reached over the network needs its url.';
      context.report(undefined, { code: 'missing', message });
    }
    return undefined;
  }
  warnUnused(values, ['command', 'args', 'env', 'cwd', 'hosts'], context);
  if (isLocalName(new URL(url).hostname) && !isLocalAllowed(values)) {
    const message =
      'This address is on this machine or in a private network; allow_local: true permits it.';
    context.report(undefined, { code: 'wrong-value', message });
  }
  return { type: type === 'sse' ? 'sse' : 'http', url, headers: values.headers ?? {} };
}

function programOf(
  values: Values,
  { context, isWritten }: Writing,
): ToolServerConfig['transport'] | undefined {
  const { command, args, env = {}, cwd } = values;
  const [program, ...rest] = command === undefined ? [] : wordsOf(command, args !== undefined);
  const words = [...rest, ...(args ?? [])];
  const [first, ...others] = program === undefined ? words : [program, ...words];
  if (first === undefined) {
    if (!isWritten('command')) {
      const message = 'A server needs a command, or a url.';
      context.report(undefined, { code: 'missing', message });
    }
    return undefined;
  }
  warnUnused(values, ['url', 'headers', 'allow_local'], context);
  refuseProgram(values, first, context);
  return {
    ...{ type: 'stdio', command: [first, ...others], environment: env },
    ...(cwd === undefined ? {} : { cwd }),
  };
}

/** A file that lists programs counts on no other being started. */
function refuseProgram({ security }: Values, program: string, context: ReadContext): void {
  const { allowed_executables: allowed } = security ?? {};
  const name = (program.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:exe|bat|cmd|ps1)$/i, '');
  if (allowed !== undefined && !allowed.includes(name)) {
    const message = `security.allowed_executables does not list ${shown(name)}.`;
    context.report(undefined, { code: 'wrong-value', message });
  }
}

function warnUnused(values: Values, keys: readonly (keyof Values)[], context: ReadContext): void {
  for (const key of keys.filter((each) => values[each] !== undefined)) {
    const message = `${key} means nothing for a server of this type.`;
    context.report(undefined, { code: 'no-effect', severity: 'warning', message });
  }
}

function isLocalAllowed({ allow_local: isAllowed, security, url }: Values): boolean {
  const host = url === undefined ? '' : new URL(url).hostname;
  return (
    isAllowed === true ||
    security?.allow_localhost === true ||
    security?.allow_private_ips === true ||
    security?.allowed_hostnames?.includes(host) === true
  );
}
