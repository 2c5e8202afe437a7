// The offline demonstration, written by hand: what three agents say and do on the sample project. A step may exist for
// a course that a run seldom takes: a vote that comes after a newer answer is repeated in the next call of the turn.

export const task =
  'parseDuration("1h 30m") returns 3600 instead of 5400. Fix it and keep the public API.';
export const sample = 'sample-project';

const runTests = ['run_command', { command: 'node --test' }];
const source = 'src/duration.js';
const tests = 'test/duration.test.js';

const loop = `  for (const [, amount, unit] of trimmed.matchAll(/(\\d+(?:\\.\\d+)?)\\s*([dhms])/g)) {
    return Number(amount) * secondsPer[unit];
  }
`;

const vote = (slot, reason) => ['vote', { agent_id: `agent${slot}`, reason }];
const answer = (...lines) => ['new_answer', { content: lines.join('\n') }];

const rightAtLast = `const secondsPer = { d: 86_400, h: 3_600, m: 60, s: 1 };

/**
 * The seconds in a text such as "90s", "1.5 h" or "1h 30m". A bare number counts as seconds.
 * Throws a TypeError when there is no duration in the text, a RangeError for an unknown unit.
 */
export function parseDuration(text) {
  const trimmed = text.trim().toLowerCase();
  if (/^\\d+(\\.\\d+)?$/.test(trimmed)) {
    return Number(trimmed);
  }
  const parts = [...trimmed.matchAll(/(\\d+(?:\\.\\d+)?)\\s*([a-z]+)/g)];
  if (parts.length === 0) {
    throw new TypeError(\`Not a duration: \${text}\`);
  }
  let total = 0;
  for (const [, amount, unit] of parts) {
    if (!Object.hasOwn(secondsPer, unit)) {
      throw new RangeError(\`Unknown unit "\${unit}" in: \${text}\`);
    }
    total += Number(amount) * secondsPer[unit];
  }
  return total;
}

/** The shortest text for a number of seconds, such as "1h 30m"; rounds to whole seconds. */
export function formatDuration(seconds) {
  const parts = [];
  let rest = Math.round(seconds);
  for (const [unit, size] of Object.entries(secondsPer)) {
    const amount = Math.floor(rest / size);
    if (amount > 0) {
      parts.push(\`\${amount}\${unit}\`);
    }
    rest -= amount * size;
  }
  return parts.join(' ') || '0s';
}
`;

const oldTest = `test('throws when there is no duration', () => {
  assert.throws(() => parseDuration('soon'), /Not a duration/);
});
`;

const newTests = `${oldTest}
test('adds up units written without spaces', () => {
  assert.equal(parseDuration('1h30m'), 5400);
});

test('rejects an unknown unit', () => {
  assert.throws(() => parseDuration('1h 90x'), RangeError);
});
`;

const forBetterTests = 'Handles 1h 30m and rejects 90x; two new tests prove it.';
const forItsCheck = 'It rejects 90x, which my own answer counts as nothing.';

const agent1 = {
  slot: 1,
  firstMs: 350,
  perDeltaMs: 70,
  turns: {
    1: [
      {
        say: 'I start with the project and the function that is named in the task.',
        calls: [
          ['list_directory', { path: '.' }],
          ['read_file', { path: source }],
        ],
      },
      {
        say: 'The loop returns at its first match, so every later unit is lost. I sum all matches instead and leave the rest alone.',
        calls: [
          [
            'edit_file',
            {
              path: source,
              old_text: loop,
              new_text: `  const found = [...trimmed.matchAll(/(\\d+(?:\\.\\d+)?)\\s*([dhms])/g)];
  if (found.length > 0) {
    return found.reduce((total, [, amount, unit]) => total + Number(amount) * secondsPer[unit], 0);
  }
`,
            },
          ],
        ],
      },
      { say: 'Now the tests of the project.', calls: [runTests] },
      {
        say: '',
        calls: [
          answer(
            'The loop in `parseDuration` returned after its first match. It now sums every part, so `1h 30m` gives 5400.',
            '',
            '- Only the loop in `src/duration.js` changed.',
            '- An unknown unit after a known one is still ignored, as before.',
          ),
        ],
      },
    ],
    2: [
      {
        say: 'agent2 splits at spaces, so "90 s" would break. agent3 has my fix in a clearer form.',
        calls: [vote(3, 'Same fix as mine, and easier to read.')],
      },
      {
        say: 'agent2 has a new answer, and it is better than what I voted for.',
        calls: [vote(2, forBetterTests)],
      },
    ],
    3: [
      {
        say: 'agent2 has replaced its draft. It handles the space before the unit now, and it also rejects a unit that it does not know, which the other two let pass.',
        calls: [vote(2, forBetterTests)],
      },
    ],
  },
};

const agent2 = {
  slot: 2,
  firstMs: 500,
  perDeltaMs: 85,
  turns: {
    1: [
      {
        say: 'Let me read the parser first.',
        calls: [['read_file', { path: source }]],
      },
      {
        say: 'The parts are separated by spaces, so I split there, read each part and add them up.',
        calls: [
          [
            'edit_file',
            {
              path: source,
              old_text: loop,
              new_text: `  let total = 0;
  let isDuration = trimmed !== '';
  for (const part of trimmed.split(/\\s+/)) {
    const [, amount, unit] = /^(\\d+(?:\\.\\d+)?)([dhms])$/.exec(part) ?? [];
    isDuration &&= unit !== undefined;
    total += Number(amount) * secondsPer[unit];
  }
  if (isDuration) {
    return total;
  }
`,
            },
          ],
        ],
      },
      {
        say: '',
        calls: [
          answer(
            '`parseDuration` now splits its text at spaces and adds up the parts.',
            '',
            'I have not run the tests yet.',
          ),
        ],
      },
    ],
    2: [
      {
        say: 'The other two searched for all matches instead of splitting. I run the tests to see what my draft breaks.',
        calls: [runTests],
      },
      {
        say: 'A space before the unit, as in "90 s", fails with my draft. Let me look at what the tests ask for.',
        calls: [
          ['read_file', { path: tests }],
          ['search_text', { pattern: 'parseDuration', path: '.' }],
        ],
      },
      {
        say: 'Searching for all parts is right. None of the three answers notices an unknown unit, though: "1h 90x" passes as one hour. I write the parser again with that check.',
        calls: [['write_file', { path: source, content: rightAtLast }]],
      },
      {
        say: 'Two tests for what was missing, and a line for the changelog.',
        calls: [
          ['edit_file', { path: tests, old_text: oldTest, new_text: newTests }],
          [
            'edit_file',
            {
              path: 'CHANGELOG.md',
              old_text: '## Unreleased\n',
              new_text:
                '## Unreleased\n\n- `parseDuration` adds up all units: `1h 30m` is 5400 seconds.\n- `parseDuration` throws a `RangeError` for an unknown unit.\n',
            },
          ],
        ],
      },
      { say: 'And all tests once more.', calls: [runTests] },
      {
        say: '',
        calls: [
          answer(
            '`parseDuration` returned after the first unit it found. It now sums every part and rejects unknown units:',
            '',
            '- `1h 30m` and `1h30m` give 5400; a space before the unit still works.',
            '- `1h 90x` throws a `RangeError` instead of passing as one hour.',
            '- Two new tests cover both, and the changelog has a line for each.',
            '',
            'The signature and the meaning of a bare number are unchanged. This replaces my draft, which broke `90 s`.',
          ),
        ],
      },
    ],
    3: [
      {
        say: 'The other answers are right about the sum, but both still take "1h 90x" for one hour.',
        calls: [
          vote(3, 'Right about the sum and easy to read, but it still takes 1h 90x for one hour.'),
        ],
      },
    ],
  },
  presentation: {
    turnNo: 4,
    calls: [
      {
        say: [
          '`parseDuration` returned after the first unit it found. It now sums every part and rejects unknown units:',
          '',
          '```js',
          "parseDuration('1h 30m'); // 5400",
          "parseDuration('1h 90x'); // throws RangeError",
          '```',
          '',
          '- The signature and the meaning of a bare number are unchanged.',
          '- Two new tests cover units without spaces and an unknown unit.',
          '- The changelog has a line for each change.',
          '',
          'One agent would have kept the old error for `90x`: look at that line if callers match on its text.',
        ].join('\n'),
        calls: [],
      },
    ],
  },
};

const agent3 = {
  slot: 3,
  firstMs: 420,
  perDeltaMs: 60,
  turns: {
    1: [
      {
        say: 'Where is the function, and what do its tests expect?',
        calls: [
          ['search_text', { pattern: 'parseDuration', path: '.' }],
          ['read_file', { path: source }],
          ['read_file', { path: tests }],
        ],
      },
      {
        say: 'The return inside the loop is the fault. The smallest change is a total that the loop adds to.',
        calls: [
          [
            'edit_file',
            {
              path: source,
              old_text: loop,
              new_text: `  let total;
  for (const [, amount, unit] of trimmed.matchAll(/(\\d+(?:\\.\\d+)?)\\s*([dhms])/g)) {
    total = (total ?? 0) + Number(amount) * secondsPer[unit];
  }
  if (total !== undefined) {
    return total;
  }
`,
            },
          ],
        ],
      },
      { say: 'I check that with the tests.', calls: [runTests] },
      {
        say: '',
        calls: [
          answer(
            '`parseDuration` left its loop at the first match. The loop now adds to a total that is returned at its end.',
            '',
            'Nothing else changed: same signature, same errors.',
          ),
        ],
      },
    ],
    2: [
      {
        say: 'agent1 does the same as I do in one expression. It is the smallest change here that is right.',
        calls: [vote(1, 'The smallest change that makes 1h 30m right and touches nothing else.')],
      },
      {
        say: 'The new answer of agent2 does more than mine, and what it adds is right.',
        calls: [vote(2, forItsCheck)],
      },
    ],
    3: [
      {
        say: 'agent2 is right about the sum now, and it notices a unit that is not known, which mine does not.',
        calls: [vote(2, forItsCheck)],
      },
    ],
  },
};

export const agents = [agent1, agent2, agent3];
