import fc from 'fast-check';
import { exampleTexts } from './example-texts';

/** What stands in files where it should not, or in another place. */
const pieces: readonly string[] = [
  ...[
    ': ',
    '- ',
    '\n',
    '\n  ',
    '\t',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ',',
    '#',
    '&a ',
    '*a',
    '<<: *a',
  ],
  ...['!x ', '%YAML 1.1\n', '---\n', '...\n', '| ', '> ', '? ', '\r', '\u0000', '\uFEFF', '\u2028'],
  ...[
    '${HOME}',
    '${A:-b}',
    '$${X}',
    '${',
    'null',
    '~',
    'yes',
    '010',
    '1:30',
    '.inf',
    '-1',
    '1e400',
  ],
  ...['agents:', 'backend:', 'orchestrator:', 'mcp_servers:', '__proto__: ', 'constructor: '],
  ...['toString: ', 'type: openai\n', 'id: a\n'],
];

type Change = (text: string, at: number, length: number) => string;

const changes: readonly Change[] = [
  (text, at, length) => text.slice(0, at) + text.slice(at + length),
  (text, at, length) => text.slice(0, at) + text.slice(at, at + length).repeat(3) + text.slice(at),
  (text, at) => text.slice(0, at),
  (text, at, length) => text.slice(at) + text.slice(at, at + length),
  ...pieces.map(
    (piece): Change =>
      (text, at) =>
        text.slice(0, at) + piece + text.slice(at),
  ),
  ...pieces.map(
    (piece): Change =>
      (text, at, length) =>
        text.slice(0, at) + piece + text.slice(at + length),
  ),
];

/** A real team file after a few changes at random places. */
export const mutatedTeam: fc.Arbitrary<string> = fc
  .record({
    text: fc.constantFrom(...exampleTexts),
    steps: fc.array(
      fc.record({
        change: fc.constantFrom(...changes),
        place: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.integer({ min: 1, max: 40 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ text, steps }) =>
    steps.reduce(
      (before, { change, place, length }) =>
        change(before, Math.floor(before.length * place), length),
      text,
    ),
  );
