import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../../support/fake-clock';
import { type McpBench, mcpBench, stub } from './mcp-bench';

const textOf = async (bench: McpBench, name: string, input: unknown = {}): Promise<string> =>
  (await bench.call(`mcp__stub__${name}`, input)).text;

describe('a call of a tool of a server', () => {
  it('brings its text back, after a person was asked about exactly that call', async () => {
    const bench = await mcpBench([stub()]);
    expect(await bench.call('mcp__stub__echo', { text: 'hello' })).toEqual({
      text: 'you said hello',
      isError: false,
    });
    expect(bench.asked).toEqual([
      { command: 'mcp__stub__echo {"text":"hello"}', isConfined: false },
    ]);
  });

  it('is not made when the person denies it', async () => {
    const bench = await mcpBench([stub([`log=/dev/null`])]);
    bench.isAllowed = false;
    const { text, isError } = await bench.call('mcp__stub__crash');
    expect({ text, isError }).toEqual({
      isError: true,
      text: 'mcp__stub__crash was not called: it was not allowed. Go on without it, or tell in your answer what could not be done.',
    });
    bench.isAllowed = true;
    expect(await textOf(bench, 'echo', { text: 'still here' })).toBe('you said still here');
    expect(bench.changes.map(({ status }) => status)).toEqual(['connecting', 'ready']);
  });

  it('can bring pictures, sound, resources and links; what is neither is named and never shown as text', async () => {
    const bench = await mcpBench([stub()]);
    const { text, media } = await bench.call('mcp__stub__kinds');
    expect(text.split('\n\n')).toEqual([
      'See:',
      '[image 1: image/png, 70 bytes]',
      '[audio 2: audio/wav, 4 bytes]',
      '[note://1]\na note',
      '[application/zip, zip://1, 4 bytes: not shown, because it is no picture, sound or text]',
      '[resource: second note, note://2]',
      '[image/png, 1 bytes: damaged]',
      '[something of a kind that is not known here was left out]',
    ]);
    expect(media?.map(({ kind, mediaType, name }) => `${kind} ${mediaType} ${name}`)).toEqual([
      'image image/png image1.png',
      'audio audio/wav audio2.wav',
    ]);
  });

  it('can bring members alone, or nothing', async () => {
    const bench = await mcpBench([stub()]);
    expect(await textOf(bench, 'structured')).toBe('{\n  "sum": 3\n}');
    expect(await textOf(bench, 'empty')).toBe('(no output)');
  });

  it('brings no sequences that a terminal would obey', async () => {
    const bench = await mcpBench([stub()]);
    expect(await textOf(bench, 'noisy')).toBe('red and plain');
  });

  it('that the server fails or refuses is an error in the server’s own words', async () => {
    const bench = await mcpBench([stub()]);
    expect(await bench.call('mcp__stub__fails')).toEqual({ text: 'No such city.', isError: true });
    expect(await bench.call('mcp__stub__refuses')).toEqual({ text: 'Not today.', isError: true });
  });

  it('that the server wants something of us for is declined plainly', async () => {
    const bench = await mcpBench([stub()]);
    for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list']) {
      expect(await textOf(bench, 'ask', { method })).toBe(
        '{"code":-32601,"message":"Method not found"}',
      );
    }
  });

  it('gives the server the variables that are set for it and nothing else of ours, and their values to nobody', async () => {
    process.env['MASSGEN_TEST_SECRET'] = 'secret-of-the-host';
    onTestFinished(() => {
      delete process.env['MASSGEN_TEST_SECRET'];
    });
    const bench = await mcpBench([stub([], {}, { STUB_TOKEN: '${MY_TOKEN}', MODE: 'plain' })], {
      secrets: { get: async (name) => (name === 'MY_TOKEN' ? 'token-of-the-user' : undefined) },
      redact: (text) => text.replaceAll('token-of-the-user', '[secret removed]'),
    });
    const text = await textOf(bench, 'environment');
    expect(JSON.parse(text)).toMatchObject({ STUB_TOKEN: '[secret removed]', MODE: 'plain' });
    expect(text).not.toContain('secret-of-the-host');
  });

  it('that takes too long without a sign of life is given up, and the server is told', async () => {
    const clock = new FakeClock();
    const bench = await mcpBench([stub(['log=LOG'], { callTimeoutMs: 2000 })], { clock });
    const calling = bench.call('mcp__stub__hang');
    while (bench.asked.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expectPending(clock);
    clock.advance(2000);
    const { text, isError } = await calling;
    expect(isError).toBe(true);
    expect(text).toMatch(/^stub gave no sign of life for 2 s; the call was given up\./);
    expect(await textOf(bench, 'echo', { text: 'next' })).toBe('you said next');
  });

  it.each(['flood', 'asks'])(
    'ends with a server that says without end what nobody asked for: %s',
    async (name) => {
      const bench = await mcpBench([stub()], { mostUnasked: 4 * 1024 * 1024 });
      const { text, isError } = await bench.call(`mcp__stub__${name}`);
      expect({ text, isError }).toEqual({
        isError: true,
        text: 'The server has ended. It may have been carried out or not. With the next call the server is started again.',
      });
    },
  );

  it('that fails with half of a secret at the end of what is shown shows none of it', async () => {
    const bench = await mcpBench([stub([], {}, { STUB_TOKEN: '${TOKEN}' })], {
      secrets: { get: async () => 'token-of-the-user' },
      redact: (text) => text.replaceAll('token-of-the-user', '[secret removed]'),
    });
    const { text } = await bench.call('mcp__stub__leaks');
    expect(text).toContain('xxx');
    expect(text).not.toMatch(/token|\p{Cc}/u);
  });

  it('lives on as long as the server tells of its progress', async () => {
    const bench = await mcpBench([stub([], { callTimeoutMs: 2000 })]);
    expect(await textOf(bench, 'work', { steps: 20 })).toBe('worked');
  });

  it('ends with its turn, and the server is told', async () => {
    const bench = await mcpBench([stub(['log=LOG'])]);
    await bench.tools();
    const stopped = new AbortController();
    const calling = bench.call('mcp__stub__hang', {}, stopped.signal);
    await bench.sees('call hang');
    stopped.abort(new Error('the turn is over'));
    await expect(calling).rejects.toThrow('the turn is over');
    await bench.sees('cancelled');
    expect(await textOf(bench, 'echo', { text: 'next' })).toBe('you said next');
  });
});

/** Both limits of a call are set once it is made. */
async function expectPending(clock: FakeClock): Promise<void> {
  while (clock.pending < 2) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('what a server keeps for reading', () => {
  it('is listed and read with a tool of its own', async () => {
    const bench = await mcpBench([stub()]);
    expect(await textOf(bench, 'read_resource')).toBe('note://1 - first note');
    expect(await textOf(bench, 'read_resource', { uri: 'note://1' })).toBe('[note://1]\na note');
    expect(await textOf(bench, 'get_prompt')).toBe('greet - asks for who');
    expect(await textOf(bench, 'get_prompt', { name: 'greet', arguments: { who: 'Ann' } })).toBe(
      'Greet Ann.',
    );
  });
});
