import { describe, expect, it } from 'vitest';
import { describeEgress } from '../../../src/config/egress';
import { loadConfig } from '../../../src/config/load-config';
import type { ConfigProblem, RunConfig } from '../../../src/config/run-config';
import { createTeamLanguage } from '../../../src/config/language/team-language';
import { kinds } from './backend-kinds';

const team = 'agents:\n  - id: ann\n    backend: {type: scripted, model: m}\n';

function configOf(text: string): RunConfig {
  const result = loadConfig(`${team}${text}`, '/p/team.yaml', kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return result.config;
}

/** Lines count from the first one after the agents. */
function problemsOf(text: string): readonly (readonly [ConfigProblem['code'], string, number])[] {
  const result = loadConfig(`${team}${text}`, '/p/team.yaml', kinds);
  const problems = result.kind === 'ok' ? result.warnings : result.problems;
  return problems.map(({ code, keyPath, line }) => [code, keyPath, line - 3]);
}

describe('checks of a team', () => {
  it('are commands with a name, a kind, a time limit and what follows from failing', () => {
    const text = `checks:
  - {name: types, command: npx tsc --noEmit, kind: types, time_limit: 90, mode: inform}
`;
    expect(configOf(text).settings.checks).toEqual([
      {
        name: 'types',
        command: 'npx tsc --noEmit',
        kind: 'types',
        timeoutMs: 90_000,
        mode: 'inform',
      },
    ]);
  });

  it('can be written as commands alone: gates of five minutes that are called like the command', () => {
    expect(
      configOf('checks:\n  - npm test\n  - {command: npm run lint}\n').settings.checks,
    ).toEqual([
      { name: 'npm test', command: 'npm test', kind: 'test', timeoutMs: 300_000, mode: 'gate' },
      {
        name: 'npm run lint',
        command: 'npm run lint',
        kind: 'lint',
        timeoutMs: 300_000,
        mode: 'gate',
      },
    ]);
  });

  it('are left to the user when the file does not speak of them, and none when its list is empty', () => {
    expect(configOf('').settings.checks).toBeUndefined();
    expect(configOf('checks: []\n').settings.checks).toEqual([]);
  });

  it('are refused at their places when they cannot be told apart, have no command or an unknown key', () => {
    const text = `checks:
  - npm test
  - {name: npm test, command: npm run test}
  - name: second
    kind: tests
    command: " "
  - {name: third, comand: x}
  - {name: fourth, command: x, time_limit: 4000}
  - npm test
`;
    expect(problemsOf(text)).toEqual([
      ['duplicate', 'checks[1].name', 3],
      ['wrong-value', 'checks[2].kind', 5],
      ['wrong-value', 'checks[2].command', 6],
      ['missing', 'checks[3]', 7],
      ['unknown-key', 'checks[3].comand', 7],
      ['wrong-value', 'checks[4].time_limit', 8],
      ['duplicate', 'checks[5]', 9],
    ]);
  });

  it('are refused when a name is no single line', () => {
    expect(problemsOf('checks:\n  - {name: "a\\nb", command: x}\n')).toEqual([
      ['wrong-value', 'checks[0].name', 2],
    ]);
  });

  it('are listed for whoever is asked to trust the file', () => {
    const { commands } = describeEgress(configOf('checks: [npm test, make check]\n'), kinds);
    expect(commands).toEqual(['npm test', 'make check']);
  });

  it('are offered and explained while the file is written', () => {
    const language = createTeamLanguage(kinds);
    const text = `${team}checks:\n  - name: a\n    m`;
    expect(language.complete(text, text.length).map(({ label }) => label)).toContain('mode');
    const hover = language.hover(text, text.indexOf('checks') + 2);
    expect(hover?.lines.join(' ')).toContain('before the vote');
  });
});

describe('applying without a person', () => {
  it('is asked for by the file, with what is done about files that changed meanwhile', () => {
    const auto = (more: string): RunConfig['autoApply'] =>
      configOf(`orchestrator: {apply: auto${more}}\n`).autoApply;
    expect(auto('')).toEqual({ onDrift: 'skip' });
    expect(auto(', coordination: {drift_conflict_policy: fail}')).toEqual({ onDrift: 'fail' });
    expect(auto(', coordination: {drift_conflict_policy: merge}')).toEqual({ onDrift: 'merge' });
    expect(auto(', coordination: {drift_conflict_policy: prefer_presenter}')).toEqual({
      onDrift: 'merge',
    });
    expect(configOf('orchestrator: {apply: review}\n').autoApply).toBeUndefined();
  });

  it('is said to be for the command line', () => {
    expect(configOf('orchestrator: {apply: auto}\n').notices).toEqual([
      'apply: auto is for the command line, which writes what needs no decision; in the editor you accept.',
    ]);
  });

  it('is needed for its policy to mean anything', () => {
    const text = 'orchestrator: {coordination: {drift_conflict_policy: fail}}\n';
    expect(problemsOf(text)).toEqual([
      ['no-effect', 'orchestrator.coordination.drift_conflict_policy', 1],
    ]);
  });
});
