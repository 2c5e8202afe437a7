// One agent that changes several files: one of them in three places, one with CRLF, one in another encoding.
import type { ScriptedAnswer, ServiceScript, Step } from '../../support/fake-model-service/script';
import type { Files } from './project';

export const source = 'src/duration.js';

const call = (name: string, args: Readonly<Record<string, unknown>>): Step => ({
  kind: 'tool-call',
  name,
  arguments: args,
});

/** What stands in the file, and what stands there once the part is accepted; from top to bottom. */
const parts: readonly (readonly [before: string, after: string])[] = [
  ['const secondsPer = { d: 86_400', 'const secondsPer = { w: 604_800, d: 86_400'],
  [
    '  for (const [, amount, unit] of trimmed.matchAll(/(\\d+(?:\\.\\d+)?)\\s*([dhms])/g)) {\n    return Number(amount) * secondsPer[unit];\n  }\n',
    '  let total;\n  for (const [, amount, unit] of trimmed.matchAll(/(\\d+(?:\\.\\d+)?)\\s*([dhms])/g)) {\n    total = (total ?? 0) + Number(amount) * secondsPer[unit];\n  }\n  if (total !== undefined) {\n    return total;\n  }\n',
  ],
  [
    "  return parts.join(' ') || '0s';\n",
    "  const text = parts.join(' ');\n  return text === '' ? '0s' : text;\n",
  ],
];

/** How the rows of the tree name them. */
export const partPlaces = ['Line 1', 'Lines 12', 'Line 29'] as const;

/** The text with the parts of these numbers, from 0. */
export function withParts(text: string, ...numbers: readonly number[]): string {
  return numbers.reduce((now, n) => {
    const [before = '', after = ''] = parts[n] ?? [];
    return now.replace(before, () => after);
  }, text);
}

export const crlf = 'dos.txt';
export const crlfText = 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n';
export const latin = 'latin1.txt';
/** "é è €" of Windows-1252 in the first line. */
export const latinBytes = Buffer.from([
  0xe9,
  0x20,
  0xe8,
  0x20,
  0x80,
  0x0a,
  ...Buffer.from('second line\n'),
]);

export const files: Files = { [crlf]: crlfText, [latin]: latinBytes };

const draft = (...steps: readonly Step[]): ScriptedAnswer => ({
  when: { offersTool: 'new_answer' },
  steps,
});

export const script: ServiceScript = {
  models: {
    solo: {
      answers: [
        draft(
          ...parts.map(([old_text, new_text]) =>
            call('edit_file', { path: source, old_text, new_text }),
          ),
          call('edit_file', { path: crlf, old_text: 'three', new_text: 'THREE' }),
          call('run_command', { command: `LC_ALL=C sed -i 's/second/SECOND/' ${latin}` }),
          call('write_file', { path: 'NOTES.md', content: '# Notes\n' }),
        ),
        draft(call('new_answer', { content: 'All units are summed.' })),
      ],
    },
  },
};
