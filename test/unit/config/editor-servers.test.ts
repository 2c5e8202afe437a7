import { describe, expect, it } from 'vitest';
import { serversOfEditor } from '../../../src/config/editor-servers';

const file = '/project/.vscode/mcp.json';

describe("the editor's servers of a project", () => {
  it('are read with their comments and trailing commas', () => {
    const text = `{
  // Notes for everybody.
  "servers": {
    "memory": { "type": "stdio", "command": "npx", "args": ["-y", "server // memory"], },
    /* Runs already. */
    "docs": { "type": "http", "url": "https://docs.example.org/mcp", "headers": { "X-Key": "\${env:DOCS_KEY}" } },
  },
}`;
    expect(serversOfEditor(text, file)).toEqual({
      problems: [],
      servers: [
        {
          name: 'memory',
          transport: {
            type: 'stdio',
            command: ['npx', '-y', 'server // memory'],
            environment: {},
          },
          excludedTools: [],
        },
        {
          name: 'docs',
          transport: {
            type: 'http',
            url: 'https://docs.example.org/mcp',
            headers: { 'X-Key': '\${env:DOCS_KEY}' },
          },
          excludedTools: [],
        },
      ],
    });
  });

  it('are left out, each with a sentence, where only the editor could ask for something', () => {
    const text = `{
  "inputs": [{ "id": "token", "type": "promptString", "password": true }],
  "servers": {
    "asking": { "command": "one", "env": { "TOKEN": "\${input:token}" } },
    "plain": { "command": "two" }
  }
}`;
    const { servers, problems } = serversOfEditor(text, file);
    expect(servers.map(({ name }) => name)).toEqual(['plain']);
    expect(problems).toMatchObject([{ severity: 'warning', line: 4, code: 'not-supported' }]);
  });

  it('are none at all when one of them is wrong, and nothing keeps a team from running', () => {
    const text = '{"servers": {"a": {"command": "one"}, "b": {"type": "http"}}}';
    const { servers, problems } = serversOfEditor(text, file);
    expect(servers).toEqual([]);
    expect(problems.map(({ severity, file: at }) => [severity, at])).toEqual([['warning', file]]);
  });

  it.each(['', '{', 'null', '[]', '{"servers": []}', '{"servers": null}', '// only words'])(
    'are none in %j',
    (text) => {
      expect(serversOfEditor(text, file).servers).toEqual([]);
    },
  );
});
