import { describe, expect, it } from 'vitest';
import { type Mistake, one, problemLines } from './mistake-lines';

const mistakes: readonly Mistake[] = [
  [
    'a file with nothing in it',
    '',
    ['1:1 error (file): The file is empty; a team needs at least agents.'],
  ],
  [
    'a list instead of a mapping',
    '- a\n- b\n',
    ['1:1 error (file): A team file is a mapping of keys to values.'],
  ],
  [
    'a text that is no team',
    'hello\n',
    ['1:1 error (file): A team file is a mapping of keys to values.'],
  ],
  [
    'a file without agents',
    'orchestrator: {}\n',
    ['1:1 error (file): agents is missing: the agents of the team, one to ten.'],
  ],
  [
    'an empty list of agents',
    'agents: []\n',
    ['1:9 error agents: A team needs at least one agent.'],
  ],
  [
    'agents without a value',
    'agents:\n',
    ['1:1 error agents: The value is missing; this must be a list.'],
  ],
  [
    'agents and agent at once',
    `${one}agent: {id: b, backend: {type: openai}}\n`,
    ['6:8 error agent: A file has either agents or agent, not both.'],
  ],
  [
    'agents without dashes',
    'agents:\n  id: a\n  backend: {type: openai}\n',
    [
      '2:3 error agents: This must be a list, not a mapping. Each item of a list begins with a dash.',
    ],
  ],
  [
    'agents as one text',
    'agents: a, b\n',
    ['1:9 error agents: This must be a list, not the text a, b.'],
  ],
  [
    'an agent that is only a name',
    'agents: [a]\n',
    ['1:10 error agents[0]: This must be a mapping, not the text a.'],
  ],
  [
    'a key in clear text',
    `${one}      api_key: sk-abcdefghijklmnopqrstuvwxyz\n`,
    [
      '6:16 warning agents[0].backend.api_key: This key stands in the file. Write the name of a variable such as ${OPENAI_API_KEY} instead; the value then comes from the secret storage of the editor or the environment. [${OPENAI_API_KEY}]',
    ],
  ],
  [
    'a word where a key belongs',
    `${one}      api_key: your-key-here\n`,
    [
      '6:16 error agents[0].backend.api_key: your-key-here is only a placeholder. Write the name of a variable such as ${OPENAI_API_KEY}. [${OPENAI_API_KEY}]',
    ],
  ],
  [
    'a variable without its sign',
    `${one}      api_key: OPENAI_API_KEY\n`,
    [
      '6:16 error agents[0].backend.api_key: OPENAI_API_KEY is the name of a variable; write ${OPENAI_API_KEY}. [${OPENAI_API_KEY}]',
    ],
  ],
  [
    'a variable without braces',
    `${one}      api_key: $OPENAI_API_KEY\n`,
    [
      '6:16 error agents[0].backend.api_key: OPENAI_API_KEY is the name of a variable; write ${OPENAI_API_KEY}. [${OPENAI_API_KEY}]',
    ],
  ],
  [
    'a key as the value to fall back on',
    `${one}      api_key: \${OPENAI_API_KEY:-sk-abc}\n`,
    [
      '6:16 error agents[0].backend.api_key: This is no key that a service could take. Write the name of a variable such as ${OPENAI_API_KEY}; the value then comes from the secret storage of the editor or the environment. [${OPENAI_API_KEY}]',
    ],
  ],
  [
    'a typing error in api_key',
    `${one}      apikey: \${OPENAI_API_KEY}\n`,
    [
      '6:7 error agents[0].backend.apikey: apikey is not a key that is known here. Did you mean api_key? [api_key]',
    ],
  ],
  [
    'a key in a comment',
    `${one}# old: sk-abcdefghijklmnopqrstuvwx\n`,
    [
      '6:8 warning (file): This looks like a key in clear text. Remove it from the file, and replace it at the service if others could read the file.',
    ],
  ],
  [
    'an address with a password',
    `${one}      base_url: https://me:pw12345@x.com/v1\n`,
    ['6:17 error agents[0].backend.base_url: An address must not hold a user name or password.'],
  ],
  ['a tab', 'agents:\n	- id: a\n', ['2:1 error (file): Tabs cannot indent YAML; use spaces.']],
  [
    'a line that is indented too little',
    'agents:\n  - id: a\n   backend: {type: openai}\n',
    ['3:1 error (file): The indentation is wrong here: this line fits none of the lines above.'],
  ],
  [
    'a colon without a space',
    'agents:\n  - id:a\n    backend:\n      type: openai\n      model: gpt-5.4\n',
    ['2:5 error (file): A space is missing behind the colon.'],
  ],
  [
    'a quote that is not closed',
    `${one}    system_message: "hi\n`,
    ['7:1 error (file): The text in quotes that begins in line 6 is not closed.'],
  ],
  [
    'a colon in a plain text',
    `${one}    system_message: Note: be brief\n`,
    ['6:21 error (file): A value with a colon and a space needs quotes.'],
  ],
  [
    'a text that begins with an at sign',
    'agents:\n  - id: @a\n    backend:\n      type: openai\n      model: gpt-5.4\n',
    ['2:9 error (file): A plain value cannot begin with this character; quote it.'],
  ],
  [
    'braces of a template',
    'agents:\n  - id: a\n    backend:\n      type: openai\n      model: {{ model }}\n',
    [
      '5:14 error agents[0].backend.model: This must be a text, not a mapping. A text that begins with a bracket or brace needs quotes.',
      '5:15 error agents[0].backend.model: A key is a plain name, not a list, mapping or alias.',
    ],
  ],
  [
    'two documents',
    `${one}---\nagents:\n  - id: a\n    backend:\n      type: openai\n      model: gpt-5.4\n`,
    ['6:1 error (file): A team file is one document; remove the line with three dashes.'],
  ],
  [
    'a tag',
    'agents:\n  - id: a\n    backend:\n      type: openai\n      model: !env MODEL\n',
    [
      '5:14 error (file): Tags (words that begin with an exclamation mark) are not supported; quote the value if it is a text.',
    ],
  ],
  [
    'an alias without an anchor',
    'agents:\n  - id: a\n    backend:\n      type: openai\n      model: *model\n',
    ['5:14 error agents[0].backend.model: This alias names no anchor.'],
  ],
  [
    'a key that is set twice',
    `${one}      model: gpt-5\n`,
    ['6:7 error agents[0].backend.model: model is already set in line 5.'],
  ],
  ['a block that stands twice', one + one, ['6:1 error agents: agents is already set in line 1.']],
  [
    'a merge of a number',
    'agents:\n  - id: a\n    <<: 5\n    backend: {type: openai}\n',
    ['3:5 error agents[0]: Only mappings can be merged: <<: *name, or a list of such aliases.'],
  ],
  [
    'a list as a key',
    `${one}? [a, b]\n: 1\n`,
    ['6:3 error (file): A key is a plain name, not a list, mapping or alias.'],
  ],
  [
    'a byte that is no text',
    'agents:\n  - id: a\u0000b\n',
    ['2:10 error (file): Here is a control character (U+0000); a team file is plain text.'],
  ],
  [
    'the first file format',
    'models: [gpt-4]\nnum_agents: 3\n',
    [
      "1:9 error models: models, num_agents: this is MassGen's first file format, which is no longer read. List the agents under agents, each with an id and a backend.",
    ],
  ],
  [
    'a text for a block',
    `${one}orchestrator: fast\n`,
    ['6:15 error orchestrator: This must be a mapping, not the text fast.'],
  ],
  [
    'a block without a value',
    `${one}orchestrator:\n`,
    ['6:1 error orchestrator: The value is missing; this must be a mapping.'],
  ],
  [
    'a key for a server in clear text',
    `${one}      mcp_servers: {w: {command: npx, env: {API_KEY: abcdefgh12345678}}}\n`,
    [
      '6:54 warning agents[0].backend.mcp_servers.w.env.API_KEY: This key stands in the file. Write ${NAME}, the name of a variable.',
    ],
  ],
  [
    'a key in a header',
    `${one}      mcp_servers: {w: {url: https://x.example, headers: {Authorization: "Bearer abcdefghijklmnopqrstuvwx"}}}\n`,
    [
      '6:74 warning agents[0].backend.mcp_servers.w.headers.Authorization: This key stands in the file. Write ${NAME}, the name of a variable.',
    ],
  ],
  [
    'a typing error in a block',
    `${one}orchestator: {}\n`,
    [
      '6:1 error orchestator: orchestator is not a key that is known here. Did you mean orchestrator? [orchestrator]',
    ],
  ],
  [
    'words of names alone',
    `${one}      web_search: true
      mcp: {}
orchestrator:
  max_answers: 2
  voting: strict
  coordination: {restarts: 1, planning_mode: true}
timeouts: {}
`,
    [
      '6:7 error agents[0].backend.web_search: web_search is not a key that is known here. Did you mean enable_web_search? [enable_web_search]',
      '7:7 error agents[0].backend.mcp: mcp is not a key that is known here. Did you mean mcp_servers? [mcp_servers]',
      '9:3 error orchestrator.max_answers: max_answers is not a key that is known here. Did you mean max_new_answers_per_agent or max_new_answers_global or max_answer_chars?',
      '10:3 error orchestrator.voting: voting is not a key that is known here. Did you mean voting_sensitivity? [voting_sensitivity]',
      '11:18 error orchestrator.coordination.restarts: restarts is not a key that is known here. Did you mean max_orchestration_restarts? [max_orchestration_restarts]',
      '11:31 error orchestrator.coordination.planning_mode: planning_mode is not a key that is known here. Did you mean enable_planning_mode? [enable_planning_mode]',
      '12:1 error timeouts: timeouts is not a key that is known here. Did you mean timeout_settings? [timeout_settings]',
    ],
  ],
  ['a key of one letter', `${one}a: 1\n`, ['6:1 error a: a is not a key that is known here.']],
  [
    'a block that nobody knows',
    `${one}foo: 1\n`,
    ['6:1 error foo: foo is not a key that is known here.'],
  ],
];

describe('a mistake of form or with a key', () => {
  it.each(mistakes)('%s is told with its place and what to do', (_what, text, lines) => {
    expect(problemLines(text)).toEqual(lines);
  });
});
