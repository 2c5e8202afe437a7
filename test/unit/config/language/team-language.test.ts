import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTeamLanguage } from '../../../../src/config/language/team-language';
import { kinds, projectRoot } from '../backend-kinds';

const language = createTeamLanguage(kinds);
const file = '/project/team.massgen.yaml';

/** `|` is the cursor. */
function at(marked: string): { text: string; offset: number } {
  const offset = marked.indexOf('|');
  expect(offset).toBeGreaterThanOrEqual(0);
  return { text: marked.slice(0, offset) + marked.slice(offset + 1), offset };
}

function labels(marked: string): readonly string[] {
  const { text, offset } = at(marked);
  return language.complete(text, offset).map(({ label }) => label);
}

/** The text after the completion with this label was taken. */
function taken(marked: string, label: string): string {
  const { text, offset } = at(marked);
  const option = language.complete(text, offset).find((each) => each.label === label);
  if (option === undefined) {
    throw new Error(`${label} is not offered`);
  }
  return text.slice(0, option.range[0]) + option.insertText + text.slice(option.range[1]);
}

describe('completion', () => {
  it('offers the top level in an empty file and on an empty line', () => {
    const all = [
      ...['name', 'agents', 'agent', 'orchestrator', 'checks', 'limits', 'timeout_settings'],
      ...['prompt', 'session_id', 'ui'],
    ];
    expect(labels('|')).toEqual(all);
    expect(labels('agents: []\n|')).toEqual(all.filter((name) => name !== 'agents'));
    expect(labels('age|')).toContain('agents');
  });

  it('offers the keys of an agent that it does not have yet', () => {
    expect(labels('agents:\n  - id: a\n    |')).toEqual([
      'backend',
      'system_message',
      'weight',
      'subtask',
      'voting_sensitivity',
    ]);
    expect(labels('agents:\n  - id: a\n    ba|')).toContain('backend');
    expect(labels('agents:\n  - |')).toContain('id');
    expect(labels('agents:\n  - id: a\n  - i|')).toContain('id');
  });

  it('offers on a line between two others what it offers after the last one', () => {
    const keys = (text: string): readonly string[] => [...labels(text)].sort();
    const head = 'agents:\n  - id: a\n    backend:\n      type: scripted\n';
    const last = `${head}      speed: 2\n      |`;
    expect(keys(`${head}      |\n      speed: 2\n`)).toEqual(keys(last));
    expect(keys(`${head}      sp|\n      speed: 2\n`)).toEqual(keys(last));
    expect(keys('|\nagents: []\n')).toEqual(keys('agents: []\n|'));
    expect(keys('agents:\n  - |\n    weight: 2\n')).toEqual(keys('agents:\n  - weight: 2\n    |'));
  });

  it('offers the keys of the kind that the block names, inside brackets too', () => {
    const block = 'agents:\n  - id: a\n    backend:\n      type: scripted\n      |';
    expect(labels(block)).toEqual([
      ...['model', 'speed', 'is_loud', 'mcp_servers', 'custom_tools', 'allowed_tools'],
      ...['exclude_tools', 'media_max_file_size_mb', 'upload_files', 'planning_mode', 'cwd'],
      ...['enable_mcp_command_line', 'context_paths'],
      ...['command_line_execution_mode', 'command_line_allowed_commands'],
      'command_line_blocked_commands',
    ]);
    expect(labels(block.replace('scripted', 'chatcompletion'))).toContain('base_url');
    expect(labels('agents: [{id: a, backend: {type: scripted, |}}]')).toContain('speed');
    expect(labels('agents:\n  - id: a\n    backend:\n      |')).toContain('type');
  });

  it('offers values', () => {
    const agent = 'agents:\n  - id: a\n    backend:\n      type: ';
    expect(labels(`${agent}|`)).toEqual(['chatcompletion', 'scripted']);
    expect(labels(`${agent}cha|\n      model: m`)).toContain('chatcompletion');
    expect(labels('orchestrator:\n  profile: |')).toEqual(['recommended', 'compat']);
    expect(labels('orchestrator:\n  consensus:\n    rule: maj|')).toContain('majority');
    expect(labels('orchestrator:\n  skip_voting: |')).toEqual(['true', 'false']);
    expect(labels('orchestrator:\n  consensus:\n    tie_break: [|]')).toContain('approvals');
    expect(labels('orchestrator:\n  consensus:\n    tie_break:\n      - l|')).toContain('latest');
    expect(labels('limits:\n  cost_usd: |')).toEqual(['null']);
    expect(labels(`${agent}chatcompletion\n      api_key: |`)).toContain('${OPENAI_API_KEY}');
  });

  it('offers the keys of a mapping below its name', () => {
    expect(labels('orchestrator:\n  |')).toContain('consensus');
    expect(labels('orchestrator:\n  consensus:\n    |')).toContain('quorum');
    expect(labels('orchestrator:\n  context_paths:\n    - |')).toContain('permission');
    expect(labels('agents:\n  |')).toContain('id');
  });

  it('never offers what has no effect', () => {
    expect(labels('|')).not.toContain('memory');
    expect(labels('orchestrator:\n  |')).not.toContain('dspy');
  });

  it('offers nothing in texts, comments and unknown places', () => {
    expect(labels('name: |')).toEqual([]);
    expect(labels('# |')).toEqual([]);
    expect(labels('agents:\n  - id: a\n    system_message: |2\n'.replace('|2', 'x|'))).toEqual([]);
    expect(labels('memory:\n  |')).toEqual([]);
    expect(labels('orchestrator:\n  nonsense:\n    |')).toEqual([]);
  });

  it('replaces the word that is being typed', () => {
    expect(taken('orchestrator:\n  prof|', 'profile')).toBe('orchestrator:\n  profile: ');
    expect(taken('orchestrator:\n  profile: re|x\n', 'recommended')).toBe(
      'orchestrator:\n  profile: recommended\n',
    );
    expect(taken('agents:\n  |', 'id')).toBe('agents:\n  - id: ');
    expect(taken('|', 'orchestrator')).toBe('orchestrator:');
    const block =
      'agents:\n  - id: a\n    backend:\n      type: chatcompletion\n      api_key: ${OP|}';
    expect(taken(block, '${OPENAI_API_KEY}')).toMatch(/api_key: \$\{OPENAI_API_KEY\}$/);
  });

  it('tells what each key means, its kind of value and its default', () => {
    const { text, offset } = at('limits:\n  |');
    expect(language.complete(text, offset).find(({ label }) => label === 'model_calls')).toEqual({
      label: 'model_calls',
      kind: 'key',
      detail: 'an integer of at least 1, or null',
      documentation: 'Calls of models in the whole run at most; null: no limit. Default: 60.',
      insertText: 'model_calls: ',
      range: [offset, offset],
    });
  });
});

describe('hover', () => {
  function hovered(marked: string): readonly string[] | undefined {
    const { text, offset } = at(marked);
    return language.hover(text, offset)?.lines;
  }

  it('explains a key and its value', () => {
    const lines = [
      '**rule**: one of plurality, majority, supermajority, unanimity, min_agreement, weighted',
      'How many votes decide. Default: majority (recommended), plurality (compat).',
    ];
    expect(hovered('orchestrator:\n  consensus:\n    ru|le: majority')).toEqual(lines);
    expect(hovered('orchestrator:\n  consensus:\n    rule: maj|ority')).toEqual(lines);
  });

  it('explains the kind of a backend', () => {
    const block = 'agents:\n  - id: a\n    backend: {type: scrip|ted}';
    expect(hovered(block)?.[1]).toBe('Scripted: Plays a script.');
  });

  it('says of a key without effect that it has none', () => {
    expect(hovered('mem|ory: {}')?.[1]).toContain('accepted, has no effect yet.');
  });

  it('is silent about what it does not know', () => {
    expect(hovered('nons|ense: 1')).toBeUndefined();
    expect(hovered('# comm|ent')).toBeUndefined();
    expect(hovered('|')).toBeUndefined();
  });
});

describe('diagnostics and fixes', () => {
  it('mend a file by taking every fix', () => {
    let text = `agents:
  - id: a
    backend: {type: chatcompletoin, modle: m, api_key: sk-abcdefghijklmnopqrstuvwxyz}
orchestrator: {profile: recomended}
limits: {model_calls: "5"}
`;
    for (let round = 0; round < 10; round++) {
      const fixable = language
        .diagnose(text, file)
        .find((problem) => language.quickFixes(problem).length > 0);
      if (fixable === undefined) break;
      const [fix] = language.quickFixes(fixable);
      const lines = text.split('\n');
      const line = lines[fixable.line - 1] ?? '';
      expect(fixable.endLine).toBe(fixable.line);
      lines[fixable.line - 1] =
        line.slice(0, fixable.column - 1) +
        (fix?.newText ?? '') +
        line.slice(fixable.endColumn - 1);
      text = lines.join('\n');
    }
    expect(text).toBe(`agents:
  - id: a
    backend: {type: chatcompletion, model: m, api_key: "\${OPENAI_API_KEY}"}
orchestrator: {profile: recommended}
limits: {model_calls: 5}
`);
    expect(language.diagnose(text, file)).toEqual([]);
  });

  it('offer nothing where a person must think', () => {
    const [problem] = language.diagnose('name: x\n', file);
    expect(problem?.code).toBe('missing');
    expect(problem === undefined ? [] : language.quickFixes(problem)).toEqual([]);
  });
});

describe('half-typed files', () => {
  const whole = readFileSync(join(projectRoot, 'configs', 'three-providers.yaml'), 'utf8');

  it('never make completion, hover or diagnostics throw', () => {
    for (let end = 0; end <= whole.length; end += 3) {
      const text = whole.slice(0, end);
      expect(Array.isArray(language.complete(text, end))).toBe(true);
      language.hover(text, end);
      language.diagnose(text, file);
    }
  });

  it('may hold anything', () => {
    const piece = fc.constantFrom(
      ...['agents', 'backend', 'type', ': ', '\n', '  ', '- ', '{', '}', '[', ']', '"', "'", '#'],
      ...['&a', '*a', '<<', '|', '>', '!x', '\t', '---', '${A}', 'null', '1', '\u2028', '\0'],
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.nat(), (written, position) => {
        const offset = position % (written.length + 1);
        language.complete(written, offset);
        language.hover(written, offset);
        const problems = language.diagnose(written, file);
        return problems.every(
          (each) =>
            each.line >= 1 &&
            each.column >= 1 &&
            (each.endLine > each.line ||
              (each.endLine === each.line && each.endColumn >= each.column)),
        );
      }),
      { numRuns: 500, seed: 11 },
    );
  });
});

describe('a text that is no team file', () => {
  it.each([
    ['far too long', `a: ${'x'.repeat(5_000_000)}`],
    ['nested without end', '['.repeat(200_000)],
    ['full of aliases', `a: &a [1]\n${'b: *a\n'.repeat(1_000)}`],
  ])('is not parsed while somebody types in it: %s', (_name, text) => {
    expect(language.complete(text, 3)).toEqual([]);
    expect(language.hover(text, 1)).toBeUndefined();
    expect(language.diagnose(text, file)).toHaveLength(1);
  });
});
