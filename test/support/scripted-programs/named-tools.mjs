// A server of tools (MCP) whose tools have the names of its arguments, and say so when they are called.
const names = process.argv.slice(2);

process.stdin.setEncoding('utf8');
let rest = '';
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines.filter((each) => each !== '')) {
    const { id, method, params } = JSON.parse(line);
    if (id !== undefined) {
      const result = resultOf(method, params);
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
    }
  }
});

function resultOf(method, params) {
  switch (method) {
    case 'initialize':
      return {
        ...{ protocolVersion: params.protocolVersion, capabilities: { tools: {} } },
        serverInfo: { name: 'named', version: '1' },
      };
    case 'tools/list':
      return {
        tools: names.map((name) => ({
          ...{ name, description: `Does ${name}.`, inputSchema: { type: 'object' } },
        })),
      };
    default:
      return { content: [{ type: 'text', text: `${params.name} was called` }] };
  }
}
