// `.vscode/mcp.json`: the servers of tools that a project names for the editor.
import { isMap, isScalar, type YAMLMap } from 'yaml';
import type { ToolServerConfig } from '../core/ports/backend-kind';
import type { ConfigProblem } from './run-config';
import { ReadContext } from './schema/read-context';
import { toolServers } from './schema/tool-servers';
import { shown } from './secret-text';
import { parseYaml } from './yaml/parse-yaml';

export interface EditorServers {
  /** Empty when anything in the file is wrong: half of somebody's servers is nobody's wish. */
  readonly servers: readonly ToolServerConfig[];
  /** Nothing of it keeps a team from running, so that all are warnings. */
  readonly problems: readonly ConfigProblem[];
}

/** `file` is the absolute path, for the problems. JSON with comments. Never throws. */
export function serversOfEditor(text: string, file: string): EditorServers {
  const yaml = parseYaml(withoutComments(text), file);
  const root = yaml.document?.contents;
  const written: unknown = isMap(root) ? root.get('servers', true) : undefined;
  if (yaml.document === undefined || !isMap(written)) {
    return { servers: [], problems: asWarnings(yaml.problems.sorted()) };
  }
  const context = ReadContext.atTop(yaml.document, yaml.problems).key('servers', [0, 0]);
  leaveOutAsking(written, context);
  const servers = toolServers().read(written, context) ?? [];
  const problems = yaml.problems.sorted();
  const isWhole = problems.every(({ severity }) => severity === 'warning');
  return { servers: isWhole ? servers : [], problems: asWarnings(problems) };
}

/** What the editor asks a person for when it starts a server is known to the editor alone. */
function leaveOutAsking(servers: YAMLMap, context: ReadContext): void {
  for (const { key, value } of [...servers.items]) {
    if (isScalar(key) && /\$\{(?:input|command):/.test(String(value))) {
      const name = shown(String(key.value));
      context.report(key, {
        code: 'not-supported',
        severity: 'warning',
        message: `The server ${name} asks for an input in the editor and is left out; name it in the team file, with a key as \${NAME}.`,
      });
      servers.delete(key.value);
    }
  }
}

function asWarnings(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.map((problem) => ({ ...problem, severity: 'warning' }));
}

/** Comments become spaces, so that places stay; those in texts are texts. */
function withoutComments(text: string): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (part) =>
    part.startsWith('"') ? part : part.replaceAll(/[^\n]/g, ' '),
  );
}
