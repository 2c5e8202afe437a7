// Three agents of a team that has checks. One repairs and breaks something else, one repairs, one repairs otherwise.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptedAnswer, ServiceScript, Step } from '../../support/fake-model-service/script';
import { source } from './part-script';

/** The second check fails in the untouched project, too. */
export const checks = `checks:
  - name: format
    command: node --test --test-name-pattern=writes
  - name: tests
    command: node --test
`;

export const repairTask = 'Fix parseDuration.';
export const breakTask = 'Write durations without spaces.';

/** What a command of one agent tries to read, and where it tries to write beside its own copy. */
export const secretText = 'not-for-agents-5021';
export const homeSecret = '.ssh/id_ed25519';
export const projectSecret = '.env';
export const besideProject = 'beside.txt';
export const outside = join(tmpdir(), `mge2e-outside-${String(process.pid)}`);
export const attackEnded = 'all 5 tried';
const attack = [
  `cat ${projectSecret}`,
  `cat ${join(tmpdir(), 'mgvs-*', 'home', homeSecret)}`,
  `cat "$HOME/${homeSecret}"`,
  `echo written > ../${besideProject}`,
  `echo written > ${outside}`,
  // Only the shell puts the number in, so that its output is told from the command itself.
  'echo "all $((6 - 1)) tried"',
].join('; ');

const call = (name: string, args: Readonly<Record<string, unknown>>): Step => ({
  kind: 'tool-call',
  name,
  arguments: args,
});
const edit = (old_text: string, new_text: string): Step =>
  call('edit_file', { path: source, old_text, new_text });
const answer = (content: string): Step => call('new_answer', { content });

const draft = (contains: string, ...steps: readonly Step[]): ScriptedAnswer => ({
  when: { contains, withholdsTool: 'vote', offersTool: 'new_answer' },
  steps,
});
const ballot = (agent: string, reason: string): ScriptedAnswer => ({
  when: { contains: repairTask, offersTool: 'vote' },
  isRepeated: true,
  steps: [call('vote', { agent_id: agent, reason })],
});

const head = '  for (const [, amount, unit] of trimmed.matchAll(';
const loop = '    return Number(amount) * secondsPer[unit];\n  }\n';
const spaced = "  return parts.join(' ') || '0s';";
const unspaced = "  return parts.join('') || '0s';";

const withTotal = [
  edit(head, `  let total;\n${head}`),
  edit(
    loop,
    '    total = (total ?? 0) + Number(amount) * secondsPer[unit];\n  }\n  if (total !== undefined) {\n    return total;\n  }\n',
  ),
];
const withFlag = [
  edit(head, `  let sum = 0;\n  let found = false;\n${head}`),
  edit(
    loop,
    '    sum += Number(amount) * secondsPer[unit];\n    found = true;\n  }\n  if (found) {\n    return sum;\n  }\n',
  ),
];
const weeks = edit('const secondsPer = { d: 86_400', 'const secondsPer = { w: 604_800, d: 86_400');

/** An agent that does the other task as the others do it: badly. */
const breaks = (name: string): readonly ScriptedAnswer[] => [
  draft(breakTask, edit(spaced, unspaced)),
  draft(breakTask, answer(`No spaces, says ${name}.`)),
  // Nobody has anything better when the checks have thrown it out.
  {
    when: { contains: breakTask, offersTool: 'new_answer' },
    isRepeated: true,
    steps: [answer(`Still no spaces, says ${name}.`)],
  },
];

export const script: ServiceScript = {
  models: {
    'opal-9': {
      answers: [
        draft(repairTask, ...withFlag, edit(spaced, unspaced)),
        draft(repairTask, answer('Sums with a flag, and writes without spaces.')),
        ballot('agent2', 'It keeps what was there.'),
        ...breaks('one'),
      ],
    },
    'quartz-2': {
      answers: [
        draft(repairTask, ...withTotal, weeks, call('run_command', { command: attack })),
        draft(repairTask, answer('Sums all units, weeks too.')),
        ballot('agent3', 'It is smaller.'),
        ...breaks('two'),
        { when: { withholdsTool: 'vote' }, steps: [{ kind: 'text', text: 'It sums all units.' }] },
      ],
    },
    'onyx-mini': {
      answers: [
        draft(repairTask, ...withFlag),
        draft(repairTask, answer('Sums with a flag.')),
        ballot('agent2', 'It has weeks.'),
        ...breaks('three'),
      ],
    },
  },
};
