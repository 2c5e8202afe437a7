import { describe, expect, it } from 'vitest';
import { type Mistake, one, problemLines, types } from './mistake-lines';

const mistakes: readonly Mistake[] = [
  [
    'an agent without an id',
    'agents:\n  - backend: {type: openai}\n',
    [
      '2:5 error agents[0]: id is missing: Unique name of the agent for people; models never see it.',
    ],
  ],
  [
    'a number as an id',
    'agents:\n  - id: 1\n    backend: {type: openai}\n',
    ['2:9 error agents[0].id: This must be a text, not 1. Put it in quotes. ["1"]'],
  ],
  [
    'a truth word as an id',
    'agents:\n  - id: no\n    backend: {type: openai}\n',
    ['2:9 warning agents[0].id: Many programs read no as true or false; put it in quotes. ["no"]'],
  ],
  [
    'an empty id',
    'agents:\n  - id: ""\n    backend: {type: openai}\n',
    ['2:9 error agents[0].id: This must not be empty.'],
  ],
  [
    'an id that differs in case only',
    'agents:\n  - {id: a, backend: {type: openai}}\n  - {id: A, backend: {type: openai}}\n',
    ['3:10 error agents[1].id: The id A is already taken by another agent.'],
  ],
  [
    'an agent without a backend',
    'agents:\n  - id: a\n',
    ['2:5 error agents[0]: backend is missing: The model that plays this agent.'],
  ],
  [
    'a backend that is only a name',
    'agents:\n  - id: a\n    backend: openai\n',
    ['3:14 error agents[0].backend: This must be a mapping, not the text openai.'],
  ],
  [
    'a backend without a value',
    'agents:\n  - id: a\n    backend:\n',
    ['3:5 error agents[0].backend: The value is missing; this must be a mapping.'],
  ],
  [
    'a backend without type and model',
    'agents:\n  - id: a\n    backend: {temperature: 1}\n',
    [
      `3:5 error agents[0].backend: type is missing: the kind of model service. Known types: ${types}.`,
    ],
  ],
  [
    'a typing error in a type',
    'agents:\n  - id: a\n    backend:\n      type: opnai\n      model: gpt-5.4\n',
    [
      `4:13 error agents[0].backend.type: opnai is not a type of backend. Did you mean openai? Known types: ${types}. [openai]`,
    ],
  ],
  [
    'a framework as a type',
    'agents:\n  - id: a\n    backend:\n      type: ag2\n      model: gpt-5.4\n',
    [
      '4:13 error agents[0].backend.type: ag2 is a framework inside of MassGen itself and is not available here; name its models as agents of their own, or reach a program that speaks the Agent Client Protocol through type acp.',
    ],
  ],
  [
    'a type that is reached otherwise',
    'agents:\n  - id: a\n    backend:\n      type: gemini_cli\n      model: gpt-5.4\n',
    [
      '4:13 error agents[0].backend.type: gemini_cli is no type of its own here; write type: acp with command: [gemini, --acp].',
    ],
  ],
  [
    'a type that is not here',
    'agents:\n  - id: a\n    backend:\n      type: copilot\n      model: gpt-5.4\n',
    [`4:13 error agents[0].backend.type: copilot is not available here. Known types: ${types}.`],
  ],
  [
    'a number as a type',
    'agents:\n  - id: a\n    backend:\n      type: 5\n      model: gpt-5.4\n',
    ['4:13 error agents[0].backend.type: This must be a text, not 5. Put it in quotes. ["5"]'],
  ],
  [
    'a model of the editor outside of it',
    'agents:\n  - id: a\n    backend:\n      type: vscode_lm\n      model: gpt-5.4\n',
    [
      '4:13 error agents[0].backend.type: vscode_lm is a model of the editor: only VS Code can run a team with it. Run it there, or take this agent out.',
    ],
  ],
  [
    'no model where none is usual',
    'agents:\n  - id: a\n    backend: {type: openrouter}\n',
    ['3:5 error agents[0].backend: model is missing: Name of the model as the service knows it.'],
  ],
  [
    'a model that reads as a number',
    'agents:\n  - id: a\n    backend:\n      type: openai\n      model: 5.4\n',
    ['5:14 error agents[0].backend.model: This must be a text, not 5.4. Put it in quotes. ["5.4"]'],
  ],
  [
    'a typing error in a key',
    `${one}      temprature: 0.2\n`,
    [
      '6:7 error agents[0].backend.temprature: temprature is not a key that is known here. Did you mean temperature? [temperature]',
    ],
  ],
  [
    'a key of the agent in its backend',
    'agents:\n  - id: a\n    backend: {type: openai, system_message: hi}\n',
    [
      '3:29 error agents[0].backend.system_message: system_message is not a key that is known here. Its place is agents[].system_message.',
    ],
  ],
  [
    'a number as instructions',
    `${one}    system_message: 5\n`,
    ['6:21 error agents[0].system_message: This must be a text, not 5. Put it in quotes. ["5"]'],
  ],
  [
    'instructions in the backend',
    `${one}      system_prompt: hi\n`,
    [
      '6:7 error agents[0].backend.system_prompt: Instructions stand in system_message, beside backend.',
    ],
  ],
  [
    'a number in quotes',
    `${one}      temperature: "0.2"\n`,
    [
      '6:20 error agents[0].backend.temperature: This must be a number of at least 0 and of at most 2, not the text 0.2. [0.2]',
    ],
  ],
  [
    'a word for a number',
    `${one}      temperature: warm\n`,
    [
      '6:20 error agents[0].backend.temperature: This must be a number of at least 0 and of at most 2, not the text warm.',
    ],
  ],
  [
    'a number out of bounds',
    `${one}      temperature: 5\n`,
    ['6:20 error agents[0].backend.temperature: 5 is not a number of at least 0 and of at most 2.'],
  ],
  [
    'a truth word for a number',
    `${one}      temperature: true\n`,
    [
      '6:20 error agents[0].backend.temperature: This must be a number of at least 0 and of at most 2, not true.',
    ],
  ],
  [
    'a truth word in quotes',
    `${one}      enable_web_search: "true"\n`,
    [
      '6:26 error agents[0].backend.enable_web_search: This must be true or false, not the text true. [true]',
    ],
  ],
  [
    'a number for a truth word',
    `${one}      enable_web_search: 1\n`,
    ['6:26 error agents[0].backend.enable_web_search: This must be true or false, not 1. [true]'],
  ],
  [
    'a typing error in a truth word',
    `${one}      enable_web_search: ture\n`,
    [
      '6:26 error agents[0].backend.enable_web_search: This must be true or false, not the text ture. [true]',
    ],
  ],
  [
    'an address without its scheme',
    `${one}      base_url: api.openai.com/v1\n`,
    [
      '6:17 error agents[0].backend.base_url: api.openai.com/v1 is not a web address that begins with http:// or https://. Perhaps https:// is missing in front of it.',
    ],
  ],
  [
    'ids without or with too many characters, or with several lines',
    `agents:
  - {id: "", backend: {type: openai}}
  - {id: ${'a'.repeat(65)}, backend: {type: openai}}
  - {id: "a\\nb", backend: {type: openai}}
  - {id: ${'a'.repeat(64)}, backend: {type: openai}}
`,
    [
      '2:10 error agents[0].id: This must not be empty.',
      '3:10 error agents[1].id: An id is one line of at most 64 characters.',
      '4:10 error agents[2].id: An id is one line of at most 64 characters.',
    ],
  ],
  [
    'both lists of tools',
    `${one}      mcp_servers: {weather: {command: npx}}
      allowed_tools: [today]
      exclude_tools: [tomorrow]
`,
    [
      '8:22 warning agents[0].backend.exclude_tools: Of the tools in allowed_tools, those that stand here too are left out. One of the two lists is easier to read.',
    ],
  ],
  [
    'tools of a server that the agent does not have',
    `${one}      mcp_servers: {weather: {command: npx}}
      allowed_tools: [mcp__weather__today, today, mcp__wether__today, mcp__files__read]
`,
    [
      '7:51 warning agents[0].backend.allowed_tools[2]: No server of this agent is called wether, so this names no tool of it. Did you mean weather? [mcp__weather__today]',
      '7:71 warning agents[0].backend.allowed_tools[3]: No server of this agent is called files, so this names no tool of it.',
    ],
  ],
];

describe('a mistake in the value of an agent', () => {
  it.each(mistakes)('%s is told with its place and what to do', (_what, text, lines) => {
    expect(problemLines(text)).toEqual(lines);
  });
});
