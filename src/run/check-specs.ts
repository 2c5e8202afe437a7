// How a check is written shortly and what is then meant, for team files, the command line and proposals alike.
import type { CheckKind, CheckSpec } from './check-facts';

export const defaultCheckTimeoutMs = 300_000;
export const longestCheckTimeoutMs = 3_600_000;

const kindsByWord: readonly (readonly [RegExp, CheckKind])[] = [
  [/\b(tsc\b(?!.*--build)|type-?check|check-types|types|mypy|pyright)\b/, 'types'],
  [/\b(format|fmt|prettier|black)\b/, 'format'],
  [/\b(lint|eslint|ruff|clippy|flake8|pylint|golangci-lint|vet)\b/, 'lint'],
  [/\b(tests?|pytest|jest|vitest|mocha|tox|spec|rspec)\b/, 'test'],
  [/\b(build|compile|make|webpack|vite)\b/, 'build'],
];

/** By well-known words of a command or name; only for showing. */
export function kindOfCommand(command: string): CheckKind {
  return kindsByWord.find(([word]) => word.test(command))?.[1] ?? 'other';
}

const longestName = 60;

/** A command that was written alone: it is its own name, and a gate. */
export function checkOfCommand(command: string): CheckSpec {
  return {
    name: nameOfCommand(command),
    command,
    kind: kindOfCommand(command),
    timeoutMs: defaultCheckTimeoutMs,
    mode: 'gate',
  };
}

/** The command on one line, shortened. */
export function nameOfCommand(command: string): string {
  const line = command.trim().replace(/\s+/g, ' ');
  return line.length <= longestName ? line : `${line.slice(0, longestName - 1)}…`;
}
