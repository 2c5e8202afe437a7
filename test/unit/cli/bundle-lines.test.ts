// Lines given to the command as it ships, in a process of its own: how it ends, and the whole of what it says.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type CliResult,
  finished,
  installCli,
  type InstalledCli,
  startCli,
} from '../../support/built-cli';
import { startFakeModelService } from '../../support/fake-model-service/fake-model-service';
import { HeldClock } from '../../support/fake-model-service/held-clock';

let install: InstalledCli;
let home: string;

beforeAll(async () => {
  install = await installCli();
  home = mkdtempSync(join(tmpdir(), 'massgen-lines-'));
});
afterAll(() => {
  rmSync(home, { recursive: true });
});

function massgen(...args: readonly string[]): Promise<CliResult> {
  return finished(startCli(install, args, { cwd: home, environment: { HOME: home } }));
}

describe('a line that is refused ends with 1, says why, and prints nothing else:', () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ['t', '--config', 'a.yaml', '--model', 'gpt-5'],
      ['--config and --model exclude one another. A team file says itself which models play.'],
    ],
    [
      ['--automation'],
      [
        'There is no task.',
        'With --automation nobody is asked; give the task in quotes: massgen --automation "Fix the failing test".',
      ],
    ],
    [
      ['t', '--web'],
      [
        '--web is not available here.',
        'In the terminal --display rich shows a run, in VS Code the panel with its review.',
      ],
    ],
    [
      ['t', '--display', 'simpel'],
      ['--display takes one of simple, rich, textual, not simpel. Did you mean simple?'],
    ],
    [
      ['--validate', 'a.yaml', '--list-sessions'],
      ['--validate and --list-sessions are two things of their own; ask for one.'],
    ],
    [
      ['t', '--config', '@examples/three-provider'],
      [
        'There is no example @examples/three-provider.',
        'Most like it: @examples/three-providers.',
        'massgen --list-examples names all.',
      ],
    ],
    [
      ['Read @nothing.md', '--config', '@examples/offline'],
      [
        'There is no file or folder nothing.md, which the task names as @nothing.md.',
        'Write \\@ for a word that begins with @, or add --no-parse-at-references.',
      ],
    ],
    [['--setup'], []],
    [['--select', 't'], []],
  ])('%j', async (args, lines) => {
    const { code, output, notes } = await massgen(...args);
    expect([code, output]).toEqual([1, '']);
    if (lines.length > 0) {
      expect(notes).toBe(`massgen: ${lines.join('\n')}\n`);
    } else {
      expect(notes).toMatch(/^massgen: .*terminal/s);
    }
  });
});

it('help and version are printed and nothing is written', async () => {
  expect((await massgen('--version')).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  const { code, output, notes } = await massgen('--help');
  expect([code, notes]).toEqual([0, '']);
  expect(output).toMatch(/^Usage: massgen \[TASK\] \[options\]/);
});

it('a script may ask for the demonstration, and that the limiter is always on is said', async () => {
  const { code, output, notes } = await massgen('--demo', '--automation', '--rate-limit');
  expect(code).toBe(0);
  expect(output).toMatch(/^LOG_DIR: .*\nSTATUS: .*\n/);
  expect(output).toMatch(/\nWINNER: \S+\n/);
  expect(notes).toContain('--rate-limit changes nothing.');
});

it('a type of backend that there is not is answered with the nearest and with all', async () => {
  const { code, output, notes } = await massgen('t', '--backend', 'claud');
  expect([code, output]).toEqual([1, '']);
  expect(notes).toMatch(
    /^massgen: claud is not a type of backend\. Did you mean claude\? Known types: openai, claude, .*\.\nmassgen --list-backends lists the types\.\n$/,
  );
});

it('a model plays without a team file, and is told of the paths that the task names', async () => {
  const answer = {
    kind: 'tool-call',
    name: 'new_answer',
    arguments: { content: 'Done.' },
  } as const;
  const script = { models: { small: { answers: [{ isRepeated: true, steps: [answer] }] } } };
  const service = await startFakeModelService(script, new HeldClock());
  onTestFinished(async () => service.close());
  mkdirSync(join(home, 'docs'));
  writeFileSync(join(home, 'notes.md'), 'Read me.');
  const { code, output } = await massgen(
    ...['--model', 'small', '--backend', 'chatcompletion', '--base-url', service.baseUrl],
    ...['Bring @docs:w in line with @notes.md.', '--automation', '--output-file', 'answer.txt'],
  );
  expect(code).toBe(0);
  expect(output).toContain('\nQUESTION: Bring docs in line with notes.md.\n');
  expect(readFileSync(join(home, 'answer.txt'), 'utf8')).toBe('Done.');
  const sent = JSON.stringify(service.journal.at(0)?.body);
  expect(sent).toContain('Bring docs in line with notes.md.');
  expect(sent).toMatch(/\/docs: the user's folder \S+ \(you may change it\)/);
  expect(sent).toMatch(/\/notes\.md: the user's (?!\S+ \S+ \(you may change it\))/);
});
