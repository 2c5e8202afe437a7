import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEgress } from '../../../../src/config/egress';
import { createTeamLanguage } from '../../../../src/config/language/team-language';
import { loadConfig } from '../../../../src/config/load-config';
import { exampleTexts, kinds } from './example-texts';
import { mutatedTeam } from './mutations';

const seed = 20_261_130;
const language = createTeamLanguage(kinds);

/** Everything that is said about a text, by whoever says something; throws when anything of it does. */
function everythingSaid(text: string, offset: number): string {
  const result = loadConfig(text, '/teams/team.yaml', kinds);
  const problems = result.kind === 'ok' ? result.warnings : result.problems;
  return JSON.stringify([
    result,
    result.kind === 'ok' ? describeEgress(result.config, kinds) : [],
    problems.flatMap((problem) => language.quickFixes(problem)),
    language.hover(text, offset) ?? [],
    language.complete(text, offset),
  ]);
}

function offsetIn(text: string, place: number): number {
  return Math.floor(text.length * place);
}

const place = fc.double({ min: 0, max: 1, noNaN: true });

describe('a file of anything', () => {
  it('is read or refused with a place in it, whatever its bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), place, (bytes, at) => {
        const text = new TextDecoder().decode(bytes);
        everythingSaid(text, offsetIn(text, at));
        const result = loadConfig(text, '(test)', kinds);
        const lines = text.split(/\r\n|\n|\r/).length;
        expect(result.kind).toBe('problems');
        for (const { line, column, endLine } of result.kind === 'ok' ? [] : result.problems) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(endLine).toBeLessThanOrEqual(lines + 1);
        }
      }),
      { seed, numRuns: 200 },
    );
  });

  it('is read or refused when it looks like YAML', () => {
    const words = fc.constantFrom(
      ...[
        'agents',
        'id',
        'backend',
        'type',
        'openai',
        ':',
        ' ',
        '\n',
        '  ',
        '- ',
        '{',
        '}',
        '[',
        ']',
      ],
      ...[
        ',',
        '"',
        "'",
        '&a',
        '*a',
        '<<',
        '!!str',
        '|',
        '>',
        '?',
        '#',
        '---',
        '${A}',
        '\t',
        '\r\n',
      ],
    );
    const text = fc.array(words, { maxLength: 200 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, place, (written, at) => {
        expect(everythingSaid(written, offsetIn(written, at))).toContain('kind');
      }),
      { seed, numRuns: 200 },
    );
  });
});

describe('a team file with a few changes', () => {
  it('is read or refused, and nothing that is said fails', () => {
    fc.assert(
      fc.property(mutatedTeam, place, (text, at) => {
        expect(everythingSaid(text, offsetIn(text, at))).toContain('kind');
      }),
      { seed, numRuns: 150 },
    );
  }, 120_000);

  it('changes nothing outside of what is read', () => {
    fc.assert(
      fc.property(mutatedTeam, (text) => {
        loadConfig(text, '(test)', kinds);
        expect(Object.keys(Object.prototype)).toEqual([]);
        expect(({} as Readonly<Record<string, unknown>>)['type']).toBeUndefined();
      }),
      { seed, numRuns: 100 },
    );
  }, 120_000);
});

/** Keys of the forms that services hand out, with a part that stands nowhere else. */
const mark = 'Zq7PLANTEDzq7PLANTEDzq7';
const planted: readonly string[] = [
  `sk-${mark}`,
  `sk-proj-${mark}-x_y`,
  `AIza${mark}`,
  `xai-${mark}`,
  `gsk_${mark}`,
  `ghp_${mark}`,
  `github_pat_${mark}`,
  `hf_${mark}`,
  `Bearer ${mark}`,
];

describe('a key in a team file', () => {
  it('is found and never repeated, in whatever place it stands', () => {
    const spots = fc.record({
      text: fc.constantFrom(...exampleTexts),
      key: fc.constantFrom(...planted),
      at: place,
      form: fc.constantFrom('value', 'name', 'comment', 'quoted'),
    });
    fc.assert(
      fc.property(spots, ({ text, key, at, form }) => {
        const lines = text.split('\n');
        const index = Math.floor(at * (lines.length - 1));
        const line = lines[index] ?? '';
        const changed = {
          value: line.replace(/(:\s+|-\s+)[^\s{["'].*$/, (_all, lead: string) => lead + key),
          name: line.replace(/^(\s*(?:- )?)(\w+):/, (_all, lead: string) => `${lead}"${key}":`),
          comment: `${line} # ${key}`,
          quoted: line.replace(/"[^"]*"/, `"${key}"`),
        }[form];
        lines[index] = changed;
        const written = lines.join('\n');
        fc.pre(written.includes(mark));
        const result = loadConfig(written, '/teams/team.yaml', kinds);
        const problems = result.kind === 'ok' ? result.warnings : result.problems;
        expect(
          problems.some(({ code }) => code === 'literal-key' || code === 'syntax'),
          changed,
        ).toBe(true);
        expect(everythingSaid(written, offsetIn(written, at))).not.toContain('PLANTED');
      }),
      { seed, numRuns: 200 },
    );
  }, 120_000);
});
