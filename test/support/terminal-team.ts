// Two scripted models that a terminal test talks to: one edits a file, both vote, and each waits to be let go on.
import type { Condition, ScriptedAnswer, ServiceScript, Step } from './fake-model-service/script';

const usage: Step = {
  kind: 'usage',
  usage: { prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280 },
};

function answer(when: Condition, ...steps: readonly Step[]): ScriptedAnswer {
  return { when, isRepeated: true, steps: [...steps, usage] };
}

const call = (name: string, input: Readonly<Record<string, unknown>>): Step => ({
  kind: 'tool-call',
  name,
  arguments: input,
});
const say = (text: string): Step => ({ kind: 'text', text });
const seconds = (count: number): Step => ({ kind: 'wait', ms: count * 1000 });

/** Words that no terminal may obey: a title, a jump home, a color, a carriage return, text that runs backwards. */
const hostile = '\u001B]0;owned\u0007\u001B[H\u001B[31mred\rover\u202Eback';

const hangs = answer({ contains: 'Wait for ever' }, say('Waiting.'), { kind: 'hang' });

/** Wants a page, and hangs with whatever comes of it. */
const reachesOut: readonly ScriptedAnswer[] = [
  {
    when: { contains: 'Look outside' },
    steps: [call('fetch_url', { url: 'https://example.invalid/secret' }), usage],
  },
  answer({ contains: 'Look outside' }, say('I have looked.'), { kind: 'hang' }),
];

const editor: readonly ScriptedAnswer[] = [
  hangs,
  ...reachesOut,
  answer(
    { contains: 'Shout it', offersTool: 'vote' },
    call('vote', { agent_id: 'agent1', reason: 'Loud.' }),
  ),
  answer({ contains: 'SHOUTED', withholdsTool: 'vote' }, say('It shouts now.')),
  answer(
    { contains: 'Shout it' },
    call('new_answer', { content: 'SHOUTED: the greeting is loud.' }),
  ),
  answer(
    { contains: 'Now it is polite.', offersTool: 'vote' },
    seconds(1),
    call('vote', { agent_id: 'agent1', reason: 'It does what was asked.' }),
  ),
  answer({ contains: 'Now it is polite.', withholdsTool: 'vote' }, say('The greeting is polite.')),
  answer(
    { lacks: 'Edited greeting.txt' },
    say('I read the greeting.'),
    seconds(1),
    call('edit_file', { path: 'greeting.txt', old_text: 'hello', new_text: 'good morning' }),
  ),
  answer({ lacks: 'Now it is polite.' }, call('new_answer', { content: 'Now it is polite.' })),
];

const voter: readonly ScriptedAnswer[] = [
  hangs,
  answer({ contains: 'Look outside' }, { kind: 'hang' }),
  answer(
    { contains: 'Shout it', offersTool: 'vote' },
    call('vote', { agent_id: 'agent1', reason: 'Yes.' }),
  ),
  answer({ contains: 'Shout it' }, call('new_answer', { content: 'I would leave it.' })),
  answer(
    { contains: 'Nothing to change', offersTool: 'vote' },
    seconds(2),
    call('vote', { agent_id: 'agent1', reason: `It is polite ${hostile}` }),
  ),
  answer(
    {},
    say(`Nothing here ${hostile}`),
    seconds(2),
    call('new_answer', { content: `Nothing to change ${hostile}` }),
  ),
];

export const terminalScript: ServiceScript = {
  models: { editor: { answers: editor }, voter: { answers: voter } },
};

export function terminalTeam(baseUrl: string): string {
  const agents = Object.keys(terminalScript.models).map(
    (model) =>
      `  - {id: ${model}, backend: {type: chatcompletion, model: ${model}, base_url: "${baseUrl}"}}`,
  );
  return [
    'name: Two of us',
    'agents:',
    ...agents,
    'orchestrator:',
    '  profile: recommended',
    '',
  ].join('\n');
}
