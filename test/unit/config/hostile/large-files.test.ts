import { describe, expect, it } from 'vitest';
import { createTeamLanguage } from '../../../../src/config/language/team-language';
import { loadConfig } from '../../../../src/config/load-config';
import { kinds } from './example-texts';

const language = createTeamLanguage(kinds);

/** Just below what is read at all. */
const largest = 65_000;

function filled(part: string, before = '', after = ''): string {
  const room = largest - before.length - after.length;
  return before + part.repeat(Math.floor(room / part.length)) + after;
}

function lines(of: (i: number) => string, before = ''): string {
  let text = before;
  for (let i = 0; text.length < largest - 100; i++) {
    text += of(i);
  }
  return text;
}

const server = 'agents:\n- id: a\n  backend:\n    type: openai\n    mcp_servers:\n';

describe('a file that is as large as is read at all', () => {
  // Each is a way to make a reader work for much longer than the file is long; minutes would be a hang.
  it.each([
    ['of unknown keys', lines((i) => `unknwn${i}: 1\n`)],
    ['of one long key', filled('k', '', ': 1\n')],
    ['of agents', lines((i) => `- {id: a${i}, bakend: {type: opnai}}\n`, 'agents:\n')],
    ['of servers', lines((i) => `      s${i}: {comand: a}\n`, server)],
    ['of equal keys in a list', lines(() => '- {a: 1, a: 2}\n', 'x:\n')],
    ['of commas', filled(',', 'a: [', ']')],
    ['of quotes', filled('"')],
    ['of directives', filled('%\n')],
    ['of keys in clear text', lines((i) => `k${i}: sk-abcdefghijklmnopqrstuv${i}\n`)],
    ['of one word', filled('a', '', '\n')],
    ['of references', filled('${A}', `${server.slice(0, 43)}    base_url: `)],
    ['of quotes in a command', filled("a'", `${server}      s: {command: "`, '"}\nx: 1\n')],
  ])(
    '%s is refused in bounded time',
    (_what, text) => {
      expect(text.length).toBeLessThanOrEqual(65_536);
      const result = loadConfig(text, '/teams/team.yaml', kinds);
      expect(result.kind).toBe('problems');
      language.hover(text, text.length >> 1);
      language.complete(text, text.length - 5);
    },
    60_000,
  );
});

describe('a file that is larger or deeper', () => {
  it.each([
    ['of ten million characters', 'a: 1\n'.repeat(2_000_000), 'too-large'],
    ['of ten million brackets', '['.repeat(10_000_000), 'too-large'],
    ['nested ten thousand levels deep', '{a: '.repeat(10_000), 'too-large'],
    ['with a hundred lists in one another', `a: ${'['.repeat(101)}${']'.repeat(101)}`, 'too-large'],
  ])('%s is refused before it is parsed', (_what, text, code) => {
    const result = loadConfig(text, '/teams/team.yaml', kinds);
    const problems = result.kind === 'problems' ? result.problems : [];
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(language.hover(text, 10)).toBeUndefined();
    expect(language.complete(text, 10)).toEqual([]);
  });

  it('says how large it is and how large it may be', () => {
    const result = loadConfig('#'.repeat(200_000), '/teams/team.yaml', kinds);
    expect(result.kind === 'problems' ? result.problems[0]?.message : '').toBe(
      'The file has 200000 characters; at most 65536 are read.',
    );
  });
});
