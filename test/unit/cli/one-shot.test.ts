// Commands that do one thing and leave: what is printed, and how they end.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments';
import { dispatch } from '../../../src/cli/dispatch';
import { failureOf } from '../../../src/cli/failure';
import { type CliResult, projectRoot } from '../../support/built-cli';
import { tempFolder } from '../workspace/temp-project';

let cwd: string;
let home: string;

beforeEach(() => {
  [cwd, home] = [tempFolder(), tempFolder()];
});

async function massgen(...args: readonly string[]): Promise<CliResult> {
  let output = '';
  let notes = '';
  try {
    const code = await dispatch(parseArguments(args), {
      ...{ args, cwd, home, platform: 'linux', installDir: projectRoot, version: '1.2.3' },
      environment: { ANTHROPIC_API_KEY: 'key-for-tests-1' },
      output: { write: (text) => (output += text), hasColor: false, width: 100 },
      notes: { write: (text) => (notes += text), hasColor: false, width: 100 },
      input: { stream: process.stdin, isInteractive: false },
      interrupted: new AbortController().signal,
    });
    return { code, output, notes };
  } catch (error) {
    const { message, hint, exitCode } = failureOf(error);
    return { code: exitCode, output, notes: `${notes}${message}\n${hint ?? ''}` };
  }
}

function write(name: string, text: string): string {
  const path = join(cwd, name);
  writeFileSync(path, text);
  return path;
}

const valid = `agents:
  - id: ann
    backend: { type: claude, model: claude-sonnet-5-5 }
orchestrator:
  profile: recommended
  consensus: { margin: 1 }
`;
const warned = `${valid}ui:
  logging_enabled: false
`;
const broken = `agents:
  - id: ann
    backend: { type: claud, model: claude-sonnet-5-5 }
orchestrater: {}
`;

describe('--validate', () => {
  it('says that a team file is valid', async () => {
    write('team.yaml', valid);
    expect(await massgen('--validate', 'team.yaml')).toEqual({
      code: 0,
      output: 'The team file is valid.\n',
      notes: '',
    });
  });

  it('names every problem with its place, and fails', async () => {
    const file = write('team.yaml', broken);
    const { code, output, notes } = await massgen('--validate', 'team.yaml');
    expect(code).toBe(1);
    expect(notes).toBe('');
    const lines = output.trimEnd().split('\n');
    expect(lines[0]).toMatch(new RegExp(`^${file}:3:22: error: agents\\[0\\]\\.backend\\.type: `));
    expect(lines[1]).toMatch(new RegExp(`^${file}:4:1: error: orchestrater: `));
    expect(lines.at(-1)).toBe('The team file is not valid: 2 errors.');
  });

  it('fails for warnings with --strict alone', async () => {
    write('team.yaml', warned);
    const told = await massgen('--validate', 'team.yaml');
    expect(told.code).toBe(0);
    expect(told.output).toMatch(/: warning: .*\nThe team file is valid, with 1 warning\.\n$/s);
    const strict = await massgen('--validate', 'team.yaml', '--strict');
    expect(strict.code).toBe(1);
    expect(strict.output).toMatch(/The team file is not valid with --strict: 1 warning\.\n$/);
  });

  it('answers with JSON that scripts of MassGen read, and with the exact place', async () => {
    const file = write('team.yaml', broken);
    const { code, output } = await massgen('--validate', 'team.yaml', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({
      valid: false,
      error_count: 2,
      warning_count: 0,
      errors: [
        {
          location: 'agents[0].backend.type',
          key_path: 'agents[0].backend.type',
          suggestion: 'claude',
          code: 'unknown-backend',
          ...{ file, line: 3, column: 22, end_line: 3, end_column: 27 },
        },
        { location: 'orchestrater', suggestion: 'orchestrator', line: 4, column: 1 },
      ],
      warnings: [],
    });
  });

  it('answers with JSON for a file that is not there, too', async () => {
    const { code, output } = await massgen('--validate', 'none.yaml', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({
      valid: false,
      error_count: 1,
      errors: [
        {
          location: 'root',
          file: 'none.yaml',
          message: `There is no team file none.yaml. Looked for:   ${cwd}/none.yaml   ${home}/.config/massgen/agents/none.yaml massgen --list-examples names the teams that ship.`,
        },
      ],
    });
  });

  it('finds what this machine lacks, as a run would', async () => {
    write('team.yaml', valid.replace('claude, model: claude-sonnet-5-5', 'openai'));
    const { code, output } = await massgen('--validate', 'team.yaml');
    expect(code).toBe(1);
    expect(output).toContain('OPENAI_API_KEY');
    expect(output).toContain(`${home}/.massgen/.env`);
  });

  it('prints what every setting comes to with --verbose', async () => {
    write('team.yaml', valid);
    const { output } = await massgen('--validate', 'team.yaml', '--verbose');
    const lines = output.split('\n');
    expect(lines).toContain('agents[0]: ann, claude claude-sonnet-5-5');
    expect(lines).toContain('orchestrator.consensus.rule: majority');
    expect(lines).toContain('orchestrator.consensus.margin: 1 (from the file)');
    expect(lines).toContain('timeout_settings.round_timeout_grace_seconds: 120');
    expect(lines).toContain('limits.duration_minutes: 30');
  });
});

describe('examples', () => {
  it('are listed by names that can be used as they stand', async () => {
    const { code, output } = await massgen('--list-examples');
    expect(code).toBe(0);
    const names = output.split('\n').filter((line) => line.startsWith('@examples/'));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      expect((await massgen('--example', name)).code).toBe(0);
    }
    const listed = JSON.parse((await massgen('--list-examples', '--json')).output) as unknown;
    expect(listed).toEqual(
      names.map((name) => ({
        name,
        path: expect.stringContaining('configs') as unknown,
        summary: expect.stringMatching(/\S/) as unknown,
      })),
    );
  });

  it('are printed as they are', async () => {
    const { output } = await massgen('--example', '@examples/three-providers');
    expect(output).toBe(readFileSync(join(projectRoot, 'configs/three-providers.yaml'), 'utf8'));
  });

  it('that are not there are answered with the nearest', async () => {
    expect(await massgen('--example', '@examples/three-provider')).toEqual({
      code: 1,
      output: '',
      notes:
        'There is no example @examples/three-provider.\nMost like it: @examples/three-providers.\nmassgen --list-examples names all.',
    });
  });
});

describe('--list-backends', () => {
  it('has every type with its key and its usual model', async () => {
    const { output } = await massgen('--list-backends');
    expect(output).toMatch(/^claude +Anthropic Claude +ANTHROPIC_API_KEY +claude-\S+ +web-search/m);
    expect(output).toMatch(/^ollama +Ollama +none, or by api_key/m);
    expect(output).toMatch(/^azure_openai +Azure OpenAI +AZURE_OPENAI_API_KEY/m);
    expect(output).toMatch(/^claude_code +Claude Code +its own sign-in, or by api_key/m);
    expect(output).toMatch(/^acp +Agent Client Protocol +its own sign-in$/m);
    const kinds = JSON.parse((await massgen('--list-backends', '--json')).output) as unknown;
    expect(kinds).toContainEqual(
      expect.objectContaining({ type: 'codex', is_program: true, aliases: [] }),
    );
  });
});

describe('--show-schema', () => {
  it('prints a schema that takes a valid team and refuses a broken one', async () => {
    const { output } = await massgen('--show-schema');
    const check = new Ajv({ strict: false }).compile(JSON.parse(output) as object);
    const team = { agents: [{ id: 'ann', backend: { type: 'claude' } }] };
    expect(check(team)).toBe(true);
    expect(check({ ...team, orchestrater: {} })).toBe(false);
  });

  it('prints the keys of one type, with an example that passes the check', async () => {
    const args = ['--show-schema', '--schema-backend', 'Claude', '--with-examples'];
    const { output } = await massgen(...args);
    const schema = JSON.parse(output) as { examples: readonly string[] };
    const takes = new Ajv({ strict: false }).compile(schema);
    const teamOf = (type: string): unknown => ({ agents: [{ id: 'ann', backend: { type } }] });
    expect([takes(teamOf('claude')), takes(teamOf('openai'))]).toEqual([true, false]);
    write('example.yaml', schema.examples[0] ?? '');
    expect((await massgen('--validate', 'example.yaml', '--strict')).code).toBe(0);
  });

  it('names the nearest type for one that is none', async () => {
    const { code, notes } = await massgen('--show-schema', '--schema-backend', 'claud');
    expect(code).toBe(1);
    expect(notes).toMatch(
      /^claud is not a type of backend\. Did you mean claude\?\nTypes: openai, /,
    );
  });
});

describe('a team file is found', () => {
  const check = async (name: string): Promise<number | null> =>
    (await massgen('--validate', name)).code;

  it('by its path, also one in the home', async () => {
    write('team.yaml', valid);
    writeFileSync(join(home, 'mine.yaml'), valid);
    expect(await check('team.yaml')).toBe(0);
    expect(await check(join(cwd, 'team.yaml'))).toBe(0);
    expect(await check('~/mine.yaml')).toBe(0);
  });

  it('by its name among the agents of the user', async () => {
    const agents = join(home, '.config/massgen/agents');
    mkdirSync(agents, { recursive: true });
    writeFileSync(join(agents, 'mine.yaml'), valid);
    expect(await check('mine')).toBe(0);
    expect(await check('mine.yaml')).toBe(0);
    expect(await check('./mine.yaml')).toBe(1);
  });

  it('by each spelling of an example', async () => {
    for (const name of ['offline', 'configs/offline', 'none']) {
      expect([name, await check(`@examples/${name}`)]).toEqual([name, name === 'offline' ? 0 : 1]);
    }
    const { output } = await massgen('--example', '@examples/basic_multi_three_agents_default');
    expect((await massgen('--example', 'three_agents_default')).output).toBe(output);
  });

  it('or is said to be a folder', async () => {
    mkdirSync(join(cwd, 'teams'));
    expect(await massgen('--validate', 'teams')).toEqual({
      code: 1,
      output: '',
      notes: `${cwd}/teams is a folder, not a team file.\nName a file in it.`,
    });
  });

  it('or not, with all places that were looked at', async () => {
    expect(await massgen('--validate', 'nobody')).toEqual({
      code: 1,
      output: '',
      notes: [
        'There is no team file nobody. Looked for:',
        `  ${cwd}/nobody`,
        `  ${home}/.config/massgen/agents/nobody`,
        `  ${home}/.config/massgen/agents/nobody.yaml`,
        'massgen --list-examples names the teams that ship.',
      ].join('\n'),
    });
  });
});
