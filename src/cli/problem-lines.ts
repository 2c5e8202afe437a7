import type { App } from '../app/app-contract';

type Problem = Extract<ReturnType<App['loadConfig']>, { kind: 'problems' }>['problems'][number];

/** One line per problem, in the form that editors and terminals make clickable. */
export function problemLines(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ severity, file, line, column, keyPath, message, suggestion }) => {
    const where = keyPath === '' ? '' : `${keyPath}: `;
    const hint = suggestion === undefined ? '' : ` [${suggestion}]`;
    return `${file}:${line}:${column}: ${severity}: ${where}${message}${hint}`;
  });
}
