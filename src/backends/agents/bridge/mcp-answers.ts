import { asObject, asText } from '../../wire/json-reading';
import { jsonText } from '../json-text';
import type { ToolDesk } from './tool-desk';

/** Name under which programs know the server of the workflow tools. */
export const bridgeName = 'massgen';

const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

type Message = Readonly<Record<string, unknown>>;

/** Sent when the offered tools have changed. */
export const toolsChanged: Message = {
  jsonrpc: '2.0',
  method: 'notifications/tools/list_changed',
};

/** The answer to one message of a program, unchecked; `undefined` for what is not answered. */
export function answerTo(message: unknown, desk: ToolDesk): Message | undefined {
  const request = asObject(message);
  const id = request?.['id'];
  const method = asText(request?.['method']);
  if ((typeof id !== 'string' && typeof id !== 'number') || method === '') {
    return undefined;
  }
  const params = asObject(request?.['params']);
  const result = resultOf(method, params, desk);
  return result === undefined
    ? { jsonrpc: '2.0', id, error: { code: -32601, message: `${method} is not known here.` } }
    : { jsonrpc: '2.0', id, result };
}

function resultOf(method: string, params: Message | undefined, desk: ToolDesk): unknown {
  switch (method) {
    case 'initialize': {
      const asked = asText(params?.['protocolVersion']);
      return {
        protocolVersion: versions.includes(asked) ? asked : versions[0],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: bridgeName, version: '1' },
      };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: desk.offered };
    case 'tools/call': {
      const input = jsonText(asObject(params?.['arguments']) ?? {});
      const { text, isError } = desk.call(asText(params?.['name']), input ?? '');
      return { content: [{ type: 'text', text }], isError };
    }
    default:
      return undefined;
  }
}
