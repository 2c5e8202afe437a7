import { describe, expect, it } from 'vitest';
import { type Mistake, one, problemLines } from './mistake-lines';

const eleven = `agents:
${Array.from({ length: 11 }, (_unused, i) => `  - {id: m${i}, backend: {type: openai}}\n`).join('')}`;

const mistakes: readonly Mistake[] = [
  ...['../x', 'a/b', '.hidden', 'a b', 'a'.repeat(101)].map((name): Mistake => [
    `a session that could be no folder: ${name.slice(0, 10)}`,
    `${one}session_id: ${name}\n`,
    [
      '6:13 error session_id: This names a session: letters, digits, and . _ - after the first, at most 100.',
    ],
  ]),
  [
    'a typing error in a choice',
    `${one}orchestrator: {voting_sensitivity: strickt}\n`,
    [
      '6:36 error orchestrator.voting_sensitivity: strickt is not one of lenient, balanced, strict, roi, roi_conservative, roi_balanced, roi_aggressive, sequential, adversarial, consistency, diversity, reflective, checklist, checklist_scored, checklist_gated. [strict]',
    ],
  ],
  [
    'a choice that does not exist',
    `${one}orchestrator: {answer_novelty_requirement: high}\n`,
    [
      '6:44 error orchestrator.answer_novelty_requirement: high is not one of lenient, balanced, strict.',
    ],
  ],
  [
    'no answers at all',
    `${one}orchestrator: {max_new_answers_per_agent: 0}\n`,
    ['6:43 error orchestrator.max_new_answers_per_agent: 0 is not an integer of at least 1.'],
  ],
  [
    'a count in quotes',
    `${one}orchestrator: {max_new_answers_per_agent: "3"}\n`,
    [
      '6:43 error orchestrator.max_new_answers_per_agent: This must be an integer of at least 1, not the text 3. [3]',
    ],
  ],
  [
    'a negative count',
    `${one}orchestrator: {coordination: {max_orchestration_restarts: -1}}\n`,
    [
      '6:59 error orchestrator.coordination.max_orchestration_restarts: -1 is not an integer of at least 0 and of at most 10.',
    ],
  ],
  [
    'half a restart',
    `${one}orchestrator: {coordination: {max_orchestration_restarts: 1.5}}\n`,
    [
      '6:59 error orchestrator.coordination.max_orchestration_restarts: 1.5 is not an integer of at least 0 and of at most 10.',
    ],
  ],
  [
    'a typing error in a time limit',
    `${one}timeout_settings: {orchestrator_timeout_second: 600}\n`,
    [
      '6:20 warning timeout_settings.orchestrator_timeout_second: orchestrator_timeout_second is not a key that is known here. Did you mean orchestrator_timeout_seconds? [orchestrator_timeout_seconds]',
    ],
  ],
  [
    'a negative time',
    `${one}timeout_settings: {orchestrator_timeout_seconds: -5}\n`,
    [
      '6:50 error timeout_settings.orchestrator_timeout_seconds: -5 is not a number greater than 0 and of at most 604800.',
    ],
  ],
  [
    'a time with its unit',
    `${one}timeout_settings: {orchestrator_timeout_seconds: 30 minutes}\n`,
    [
      '6:50 error timeout_settings.orchestrator_timeout_seconds: This must be a number greater than 0 and of at most 604800, not the text 30 minutes. [1800]',
    ],
  ],
  [
    'a time with a colon',
    `${one}timeout_settings: {orchestrator_timeout_seconds: 1:30}\n`,
    [
      '6:50 error timeout_settings.orchestrator_timeout_seconds: This must be a number greater than 0 and of at most 604800. Some programs read 1:30 as a number of seconds; write the number itself.',
    ],
  ],
  [
    'a number with a zero in front',
    `${one}timeout_settings: {orchestrator_timeout_seconds: 0600}\n`,
    [
      '6:50 error timeout_settings.orchestrator_timeout_seconds: Some programs read 0600 as octal; write 600 without a zero in front. [600]',
    ],
  ],
  [
    'one path for a list',
    `${one}orchestrator: {context_paths: src}\n`,
    ['6:31 error orchestrator.context_paths: This must be a list, not the text src.'],
  ],
  [
    'a context path without a path',
    `${one}orchestrator: {context_paths: [{permission: write}]}\n`,
    [
      '6:33 error orchestrator.context_paths[0]: path is missing: Folder or file, relative to the project or absolute.',
    ],
  ],
  [
    'a permission that does not exist',
    `${one}orchestrator: {context_paths: [{path: src, permission: rw}]}\n`,
    ['6:56 warning orchestrator.context_paths[0].permission: rw is not one of read, write.'],
  ],
  [
    'a typing error in a context path',
    `${one}orchestrator: {context_paths: [{path: src, premission: write}]}\n`,
    [
      '6:44 error orchestrator.context_paths[0].premission: premission is not a key that is known here. Did you mean permission? [permission]',
    ],
  ],
  [
    'a protected path outside',
    `${one}orchestrator: {context_paths: [{path: src, protected_paths: [../x]}]}\n`,
    [
      '6:62 warning orchestrator.context_paths[0].protected_paths[0]: ../x lies outside its context path and protects nothing.',
    ],
  ],
  [
    'a server that is only a name',
    `${one}      mcp_servers: weather\n`,
    [
      '6:20 error agents[0].backend.mcp_servers: This must be a list or a mapping, or null, not the text weather.',
    ],
  ],
  [
    'a server without a command',
    `${one}      mcp_servers: {w: {args: []}}\n`,
    ['6:21 error agents[0].backend.mcp_servers.w: A server needs a command, or a url.'],
  ],
  [
    'a transport that does not exist',
    `${one}      mcp_servers: {w: {type: websocket, url: https://x.example}}\n`,
    [
      '6:31 error agents[0].backend.mcp_servers.w.type: websocket is not one of stdio, streamable-http, streamable_http, http, sse.',
    ],
  ],
  [
    'the address of a server without its scheme',
    `${one}      mcp_servers: {w: {url: x.example/mcp}}\n`,
    [
      '6:30 error agents[0].backend.mcp_servers.w.url: x.example/mcp is not a web address that begins with http:// or https:// and names its host.',
    ],
  ],
  [
    'a server on this machine',
    `${one}      mcp_servers: {w: {url: http://localhost:3000/mcp}}\n`,
    [
      '6:21 error agents[0].backend.mcp_servers.w: This address is on this machine or in a private network; allow_local: true permits it.',
    ],
  ],
  [
    'arguments in one text',
    `${one}      mcp_servers: {w: {command: npx, args: -y weather}}\n`,
    [
      '6:45 error agents[0].backend.mcp_servers.w.args: This must be a list, not the text -y weather.',
    ],
  ],
  [
    'a list as a variable',
    `${one}      mcp_servers: {w: {command: npx, env: {PORT: [1]}}}\n`,
    [
      '6:51 error agents[0].backend.mcp_servers.w.env.PORT: This must be a text, not a list. A text that begins with a bracket or brace needs quotes.',
    ],
  ],
  [
    'a space in the name of a server',
    `${one}      mcp_servers: [{name: "a b", command: npx}]\n`,
    [
      '6:21 error agents[0].backend.mcp_servers[0]: The name of a server has 1 to 100 letters, digits, _ and -.',
    ],
  ],
  [
    'two servers of one name',
    `${one}      mcp_servers: [{name: a, command: npx}, {name: a, command: npx}]\n`,
    [
      '6:46 error agents[0].backend.mcp_servers[1]: Another server of this agent is called a already.',
    ],
  ],
  [
    'a typing error in a server',
    `${one}      mcp_servers: {w: {comand: npx}}\n`,
    [
      '6:21 error agents[0].backend.mcp_servers.w: A server needs a command, or a url.',
      '6:25 warning agents[0].backend.mcp_servers.w.comand: comand is not a key that is known here. Did you mean command? [command]',
    ],
  ],
  [
    'a display that does not exist',
    `${one}ui: {display_type: fancy}\n`,
    [
      '6:20 error ui.display_type: fancy is not one of rich_terminal, textual_terminal, terminal, simple, silent.',
    ],
  ],
  [
    'a word for a weight',
    `${one}    weight: heavy\n`,
    [
      '6:13 error agents[0].weight: This must be a number of at least 0 and of at most 1000, not the text heavy.',
    ],
  ],
  [
    'the weight of nobody',
    `${one}orchestrator: {consensus: {weights: {b: 2}}}\n`,
    [
      '6:41 error orchestrator.consensus.weights.b: No agent that answers and votes has the id b. [a]',
    ],
  ],
  [
    'more agreement than agents',
    `${one}orchestrator: {consensus: {rule: min_agreement, min_agreement: 3}}\n`,
    [
      '6:64 error orchestrator.consensus.min_agreement: min_agreement is 3, but the team has only 1 agent.',
    ],
  ],
  [
    'a judge that is not there',
    `${one}orchestrator: {consensus: {judge: b}}\n`,
    ['6:35 error orchestrator.consensus.judge: No agent that answers and votes has the id b. [a]'],
  ],
  [
    'a rule by another name',
    `${one}orchestrator: {consensus: {rule: unanimous}}\n`,
    [
      '6:34 error orchestrator.consensus.rule: unanimous is not one of plurality, majority, supermajority, unanimity, min_agreement, weighted. [unanimity]',
    ],
  ],
  [
    'writing into the files at once',
    `${one}orchestrator: {coordination: {write_mode: legacy}}\n`,
    [
      '6:43 error orchestrator.coordination.write_mode: legacy lets agents write into your files at once, which this product never does; use auto. [auto]',
    ],
  ],
  [
    'a tool without its file',
    `${one}      custom_tools: [{function: f}]\n`,
    [
      '6:22 error agents[0].backend.custom_tools[0]: f is no tool that is known here; its file belongs under path.',
    ],
  ],
  [
    'a tool in another language',
    `${one}      custom_tools: [{function: f, path: f.rb}]\n`,
    [
      '6:22 error agents[0].backend.custom_tools[0]: The file of a tool ends with .py, .js, .mjs or .cjs.',
    ],
  ],
  [
    'a file to upload without its kind',
    `${one}      upload_files: [plan.png]\n`,
    [
      '6:22 error agents[0].backend.upload_files[0]: This must be a mapping, not the text plan.png.',
    ],
  ],
  [
    'a key by its former name',
    `${one}      upload_files: [{image_url: x.png}]\n`,
    [
      '6:23 error agents[0].backend.upload_files[0].image_url: image_url is not a key that is known here. Did you mean image_path? [image_path]',
      '6:23 error agents[0].backend.upload_files[0]: Each entry has exactly one of image_path, audio_path, video_path, file_path.',
    ],
  ],
  ['too many agents', eleven, ['2:3 error agents: A team has at most 10 agents; this one has 11.']],
  [
    'money with its sign',
    `${one}limits: {cost_usd: $5}\n`,
    ['6:20 error limits.cost_usd: This must be a number greater than 0, not the text $5. [5]'],
  ],
  [
    'a typing error in a profile',
    `${one}orchestrator: {profile: recomended}\n`,
    [
      '6:25 error orchestrator.profile: recomended is not one of recommended, compat. [recommended]',
    ],
  ],
  [
    'two agents in one folder',
    'agents:\n  - {id: a, backend: {type: openai, cwd: w}}\n  - {id: b, backend: {type: openai, cwd: w/}}\n',
    ['3:42 error agents[1].backend.cwd: The folder w is already that of another agent.'],
  ],
  [
    'a block by its former name',
    `${one}orchestrator: {coordination: {async_subagents: {}}}\n`,
    [
      '6:31 error orchestrator.coordination.async_subagents: async_subagents is not a key that is known here. Did you mean background_subagents? [background_subagents]',
    ],
  ],
  [
    'instructions to append',
    `${one}      append_system_prompt: hi\n`,
    [
      '6:7 error agents[0].backend.append_system_prompt: Instructions stand in system_message, beside backend.',
    ],
  ],
];

describe('a mistake in the value of a team', () => {
  it.each(mistakes)('%s is told with its place and what to do', (_what, text, lines) => {
    expect(problemLines(text)).toEqual(lines);
  });
});
