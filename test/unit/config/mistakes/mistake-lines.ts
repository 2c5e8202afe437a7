import { join } from 'node:path';
import { builtInBackends } from '../../../../src/backends/registry';
import { loadConfig } from '../../../../src/config/load-config';
import { projectRoot } from '../backend-kinds';

const kinds = builtInBackends({ recordingsDir: join(projectRoot, 'media', 'offline') });

/** All types of backend, as messages list them. */
export const types = kinds.map(({ type }) => type).join(', ');

/** A whole team; what is wrong follows it. Its backend block comes last. */
export const one = `agents:
  - id: a
    backend:
      type: openai
      model: gpt-5.4
`;

/** What somebody did, the file, and everything that is said about it. */
export type Mistake = readonly [what: string, text: string, lines: readonly string[]];

/** `line:column severity key path: message [suggestion]` of each problem, as a user reads them. */
export function problemLines(text: string): readonly string[] {
  const result = loadConfig(text, '/teams/team.yaml', kinds, { keepKey: () => 'KEPT' });
  const problems = result.kind === 'ok' ? result.warnings : result.problems;
  return problems.map(({ line, column, severity, keyPath, message, suggestion }) => {
    const place = keyPath === '' ? '(file)' : keyPath;
    const hint = suggestion === undefined ? '' : ` [${suggestion}]`;
    return `${line}:${column} ${severity} ${place}: ${message}${hint}`;
  });
}
