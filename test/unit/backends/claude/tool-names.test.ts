import { afterEach, expect, it } from 'vitest';
import { ToolNames } from '../../../../src/backends/wire/tool-names';
import { callsOf } from '../../../contract/backend-kit';
import {
  asJson,
  ask,
  askInTurn,
  bodiesOf,
  closeAll,
  contentsOf,
  listOf,
  openClaude,
  serve,
} from './claude-fixture';

afterEach(closeAll);

const tools = ['files.read file', 'files_read_file', `mcp__${'x'.repeat(150)}`].map((name) => ({
  ...{ name, description: '', inputSchema: { type: 'object' } },
}));

it.each(tools.map(({ name }) => name))('a tool is called by its own name: %s', async (name) => {
  const wireName = new ToolNames(tools).toWire(name);
  const call = { kind: 'tool-call', name: wireName, arguments: {} } as const;
  const service = await serve([{ steps: [call] }, { steps: [{ kind: 'text', text: 'Done.' }] }]);
  const backend = await openClaude(service);
  const withTools = <T extends object>(request: T): T => ({ ...request, tools });
  const [first = []] = await askInTurn(backend, [withTools, withTools]);
  expect(callsOf(first).map((one) => one.name)).toEqual([name]);
  const [body, next] = bodiesOf(service);
  const offered = listOf(body?.['tools']).map((tool) => asJson(tool)['name']);
  expect(new Set(offered).size).toBe(tools.length);
  expect(contentsOf(next)[1]).toMatchObject([{ type: 'tool_use', name: wireName }]);
});

it('a call that another model has made goes by the name that is offered', async () => {
  const service = await serve([{ steps: [{ kind: 'text', text: 'Done.' }] }]);
  const [{ name } = { name: '' }] = tools;
  const toolCalls = [{ id: 'call_1', name, argumentsJson: '{}' }];
  const results = [{ toolCallId: 'call_1', name, text: 'It is empty.', isError: false }];
  await ask(await openClaude(service), {
    tools,
    messages: [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '', toolCalls },
      { role: 'tool', results },
    ],
  });
  const [body] = bodiesOf(service);
  const [offered] = listOf(body?.['tools']).map((tool) => asJson(tool)['name']);
  expect(contentsOf(body)[1]).toMatchObject([{ type: 'tool_use', name: offered }]);
});
