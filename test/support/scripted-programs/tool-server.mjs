// A server of tools with a single tool, whose name tells what it was given.
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { id, method } = JSON.parse(line);
    const results = {
      initialize: {
        ...{ protocolVersion: '2025-06-18', capabilities: { tools: {} } },
        serverInfo: { name: 'extra', version: '1' },
      },
      'tools/list': {
        tools: [
          {
            name: `${process.env.TOOL_NAME} in ${process.cwd()}`,
            ...{ description: 'x', inputSchema: { type: 'object' } },
          },
        ],
      },
    };
    if (id !== undefined) {
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] })}\n`);
    }
  }
});
