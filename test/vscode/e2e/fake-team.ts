// Three agents by script, for a team that goes through real HTTP to the fake model service.
import type { ScriptedAnswer, ServiceScript, Step } from '../../support/fake-model-service/script';

export const task = 'The test "adds up hours and minutes" fails. Fix parseDuration.';
export const keyName = 'FAKE_SERVICE_KEY';
export const key = 'fk-0123456789abcdef';

/** Names that no other word is, so that a search for them finds nothing else. */
export const teamModels = ['opal-9', 'quartz-2', 'onyx-mini'];

export interface TeamOptions {
  readonly models?: readonly string[];
  readonly hasKey?: boolean;
}

/** Text of a team file with one agent for each model. */
export function teamFile(baseUrl: string, options: TeamOptions = {}): string {
  const { models = teamModels, hasKey = true } = options;
  const agents = models.map((model) =>
    [
      `  - id: ${model}`,
      '    backend:',
      '      type: chatcompletion',
      `      model: ${model}`,
      `      base_url: ${baseUrl}`,
      ...(hasKey ? [`      api_key: \${${keyName}}`] : []),
    ].join('\n'),
  );
  const orchestrator = ['orchestrator:', '  profile: recommended'];
  return ['name: Fake team', 'agents:', ...agents, ...orchestrator, ''].join('\n');
}

const path = 'src/duration.js';
const oldLoop = '    return Number(amount) * secondsPer[unit];\n  }\n';
const sum = `    total = (total ?? 0) + Number(amount) * secondsPer[unit];
  }
  if (total !== undefined) {
    return total;
  }
`;
const loopHead = '  for (const [, amount, unit] of trimmed.matchAll(';

/** One agent alone, which leaves a file in its own folder. */
export const soloScript: ServiceScript = {
  models: {
    solo: {
      answers: [
        {
          steps: [
            { kind: 'text', text: 'I write it down.' },
            {
              kind: 'tool-call',
              name: 'write_file',
              arguments: { path: 'ideas.md', content: '# Three ideas\n' },
            },
          ],
        },
        {
          steps: [
            {
              kind: 'tool-call',
              name: 'new_answer',
              arguments: { content: 'Three ideas stand in `ideas.md`.' },
            },
          ],
        },
      ],
    },
  },
};

/** A command that only a run of this process starts: what else runs on the machine is not counted. */
export const endlessCommand = `sleep ${String(1_000_000 + process.pid)}`;

/** Two agents that are in the middle of something for as long as one likes: a command, and a model that is silent. */
export const endlessScript: ServiceScript = {
  models: {
    busy: {
      answers: [
        {
          isRepeated: true,
          steps: [
            { kind: 'text', text: 'I wait for a long command.' },
            { kind: 'tool-call', name: 'run_command', arguments: { command: endlessCommand } },
          ],
        },
      ],
    },
    silent: {
      answers: [
        {
          when: { lacks: 'second-run', withholdsTool: 'vote' },
          isRepeated: true,
          steps: [{ kind: 'text', text: 'Done.' }, answerCall()],
        },
        { isRepeated: true, steps: [{ kind: 'text', text: 'Thinking.' }, { kind: 'hang' }] },
      ],
    },
  },
};

function answerCall(): Step {
  return { kind: 'tool-call', name: 'new_answer', arguments: { content: 'A finished draft.' } };
}

const say = (text: string): Step => ({ kind: 'text', text });
const call = (name: string, args: Readonly<Record<string, unknown>>): Step => ({
  kind: 'tool-call',
  name,
  arguments: args,
});
const answer = (content: string): Step => call('new_answer', { content });
const vote = (agent: string, reason: string): Step => call('vote', { agent_id: agent, reason });

/** While drafts are written alone there is no vote. */
const draft = (...steps: readonly Step[]): ScriptedAnswer => ({
  when: { withholdsTool: 'vote', offersTool: 'new_answer' },
  steps,
});
const ballot = (
  agent: string,
  reason: string,
  when: { readonly contains?: string; readonly lacks?: string },
): ScriptedAnswer => ({
  when: { ...when, offersTool: 'vote' },
  isRepeated: true,
  steps: [say('I compare the answers.'), vote(agent, reason)],
});

/** Words that only agent 2's second answer has. */
export const second = 'with a test of its own';

/**
 * Agents 1 and 2 repair the loop, agent 3 changes nothing that helps. Then agent 2 hands in a second answer with a new
 * test, which makes the others look again: 2 votes for it. Nobody votes for its own answer at the end.
 */
export const script: ServiceScript = {
  apiKeys: [key],
  models: {
    'opal-9': {
      latency: { firstChunkMs: 50, perChunkMs: 15 },
      answers: [
        { when: { contains: 'OK?', withholdsTool: 'new_answer' }, steps: [say('OK')] },
        draft(say('I read the function first.'), call('read_file', { path })),
        draft(say('The loop returns too early.'), ...repair()),
        draft(answer('The loop in `parseDuration` now sums all parts.')),
        ballot('agent2', 'It works, as mine does.', { lacks: second }),
        ballot('agent2', 'It has a test of its own.', { contains: second }),
      ],
    },
    'quartz-2': {
      latency: { firstChunkMs: 60, perChunkMs: 15 },
      answers: [
        draft(say('I repair the sum.'), ...repair()),
        draft(say('Now the tests.'), call('run_command', { command: 'node --test' })),
        draft(answer('`parseDuration` sums what it finds; all tests pass.')),
        {
          when: { offersTool: 'vote', lacks: second },
          steps: [say('None of us has a test for "1h30m". I add one.'), ...newTest()],
        },
        {
          when: { offersTool: 'vote', lacks: second },
          steps: [
            { kind: 'wait', ms: 1_500 },
            answer(`\`parseDuration\` sums what it finds, ${second}.`),
          ],
        },
        ballot('agent1', 'It is the smaller change.', { contains: second }),
        {
          when: { withholdsTool: 'vote', contains: second },
          steps: [
            say(
              '`parseDuration` returned after the first unit. It now sums all of them:\n\n```js\nparseDuration("1h 30m"); // 5400\n```\n\nA new test covers `1h30m`. See [the notes](https://example.com/notes?of=duration).',
            ),
          ],
        },
      ],
    },
    'onyx-mini': {
      latency: { firstChunkMs: 40, perChunkMs: 15 },
      answers: [
        draft(
          say('I write a note.'),
          call('write_file', { path: 'NOTES.md', content: '# Notes\n' }),
        ),
        draft(answer('I have only written down what is wrong.')),
        ballot('agent1', 'It changes the least.', { lacks: second }),
        ballot('agent2', 'Only it tests what was asked.', { contains: second }),
      ],
    },
  },
};

function repair(): readonly Step[] {
  return [
    call('edit_file', { path, old_text: loopHead, new_text: `  let total;\n${loopHead}` }),
    call('edit_file', { path, old_text: oldLoop, new_text: sum }),
  ];
}

function newTest(): readonly Step[] {
  const before = "test('throws when there is no duration', () => {\n";
  const added = `test('adds up units without a space', () => {
  assert.equal(parseDuration('1h30m'), 5400);
});

`;
  return [
    call('edit_file', {
      path: 'test/duration.test.js',
      old_text: before,
      new_text: added + before,
    }),
  ];
}
