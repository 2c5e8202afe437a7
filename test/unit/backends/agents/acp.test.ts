// Programs that speak the Agent Client Protocol, with a scripted one in a confined view.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MassGenError, isMassGenError } from '../../../../src/core/errors';
import type {
  ApprovalQuestion,
  BackendPart,
  ModelRequest,
} from '../../../../src/core/ports/model-backend';
import { collect, endOf, requestOf, textOf } from '../../../contract/backend-kit';
import { oddSleep } from '../../../support/running-processes';
import { isLayered, named } from '../../workspace/confinement/confined-run';
import { never } from '../../workspace/temp-project';
import { type Step, acpBench, hostedTools, processesWith, workflowTools } from './acp-bench';

const request = requestOf({ tools: workflowTools });

/** Each call of a turn has a message more than the one before. */
function messagesAt(call: number): ModelRequest['messages'] {
  const more = Array.from({ length: call - 1 }, () => ({ role: 'user' as const, text: 'Go on.' }));
  return [...request.messages, ...more];
}

function later(turnNo: number, call: number, messages = messagesAt(call)) {
  return { ...request, step: { attempt: 1, slot: 1, turnNo, call }, messages };
}

const callsOf = (parts: readonly BackendPart[]) =>
  parts.filter((part) => part.type === 'tool-call').map((part) => part.call);

describe.skipIf(!isLayered)(named('an agent of the protocol'), () => {
  test('works in its own view, and hands in its answer through the workflow tools', async () => {
    const { backend, workspace, project } = await acpBench({
      prompts: [
        [
          ...[{ say: 'I look.' }, { think: 'Hm.' }, { list: 'massgen' }],
          { write: ['b.txt', 'b\n'] },
          { call: ['new_answer', { content: 'Done.' }] },
          { end: { usage: { inputTokens: 30, outputTokens: 4, totalTokens: 34 } } },
        ],
      ],
    });
    const parts = await collect(backend.stream(request, never));
    expect(textOf(parts)).toBe('I look.[new_answer vote][taken: Recorded. End your turn now.]');
    expect(parts).toContainEqual({ type: 'thinking-delta', text: 'Hm.' });
    expect(parts.slice(-3)).toMatchObject([
      {
        type: 'tool-call',
        call: { name: 'new_answer', argumentsJson: '{"content":"Done."}' },
      },
      { type: 'usage' },
      { type: 'end', reason: 'tool-calls' },
    ]);
    const { changes } = await workspace.takeSnapshot(never);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['add b.txt']);
    expect(existsSync(join(project, 'b.txt'))).toBe(false);
  });

  test('is told everything when a turn begins, and only what is new afterwards', async () => {
    const echo = [{ echo: null }];
    const { backend } = await acpBench({ prompts: [echo, echo, echo] });
    const first = textOf(await collect(backend.stream(request, never)));
    expect(first).toContain('You are one of several agents.');
    expect(first).toContain('new_answer, vote');
    expect(first).toContain('Fix the parser.');
    const messages = [
      ...request.messages,
      { role: 'assistant' as const, text: 'My words.', toolCalls: [] },
      { role: 'user' as const, text: 'Vote now.' },
    ];
    expect(textOf(await collect(backend.stream(later(1, 2, messages), never)))).toBe('Vote now.');
    const next = textOf(await collect(backend.stream(later(2, 1), never)));
    expect(next).toContain('You are one of several agents.');
  });

  test('may call only what is offered now', async () => {
    const { backend } = await acpBench({
      prompts: [
        [{ call: ['stop', {}] }, { call: ['vote', { agent: 'agent1.1' }] }],
        [{ list: 'massgen' }, { call: ['vote', {}] }],
      ],
    });
    const first = await collect(backend.stream(request, never));
    expect(textOf(first)).toContain(
      '[refused: There is no tool stop. Offered now: new_answer, vote.]',
    );
    expect(callsOf(first)).toMatchObject([{ name: 'vote' }]);
    const less = { ...later(1, 2), tools: workflowTools.slice(0, 1) };
    const second = await collect(backend.stream(less, never));
    expect(textOf(second)).toContain('[new_answer][refused: There is no tool vote.');
    expect(endOf(second).reason).toBe('stop');
  });

  test('shows what its own tools do', async () => {
    const call = { toolCallId: 't1', title: 'npm test', kind: 'execute', status: 'in_progress' };
    const content = [{ type: 'content', content: { type: 'text', text: '3 passed' } }];
    const { backend } = await acpBench({
      prompts: [
        [
          { tool: call },
          { toolUpdate: { toolCallId: 't1', status: 'completed', content } },
          { toolUpdate: { toolCallId: 't2', title: 'Edit', kind: 'edit', status: 'failed' } },
          { tool: { toolCallId: 't3', title: 'vote (massgen MCP Server)', kind: 'other' } },
          { update: { sessionUpdate: 'unheard_of', anything: [1] } },
          { raw: '[STARTUP] a note\n' },
          { say: 'ok' },
        ],
      ],
    });
    const parts = await collect(backend.stream(request, never));
    expect(hostedTools(parts)).toEqual([
      { type: 'hosted-tool', id: 't1', tool: 'execute', subject: 'npm test', status: 'started' },
      {
        ...{ type: 'hosted-tool', id: 't1', tool: 'execute', subject: 'npm test' },
        ...{ status: 'done', preview: '3 passed' },
      },
      { type: 'hosted-tool', id: 't2', tool: 'edit', subject: 'Edit', status: 'failed' },
    ]);
    expect(textOf(parts)).toBe('ok');
    expect(endOf(parts).reason).toBe('stop');
  });

  test('asks before it acts, and is answered by kind and for once', async () => {
    const toolCall = {
      ...{ toolCallId: 't', title: 'harmless', kind: 'execute', rawInput: { command: 'rm -r x' } },
    };
    const edit = { toolCallId: 'u', title: 'Write b', kind: 'edit', rawInput: { path: 'b' } };
    const asked: ApprovalQuestion[] = [];
    const { backend, workspace } = await acpBench({
      prompts: [
        [
          ...[{ permission: { toolCall } }, { permission: { toolCall: edit } }],
          { permission: { toolCall, options: ['allow_always'] } },
        ],
        [{ permission: { toolCall } }],
      ],
    });
    const approve = async (question: ApprovalQuestion): Promise<boolean> => {
      asked.push(question);
      return asked.length === 1;
    };
    const parts = await collect(backend.stream({ ...request, approve }, never));
    expect(textOf(parts)).toBe('[allow_once][reject_once][cancelled]');
    const cwd = workspace.roots[0]?.shownPath;
    expect(asked).toEqual([
      { command: 'rm -r x', cwd, isConfined: true },
      { command: 'Write b {"path":"b"}', cwd, isConfined: true },
      { command: 'rm -r x', cwd, isConfined: true },
    ]);
    // Where nobody can be asked, nothing is allowed.
    expect(textOf(await collect(backend.stream(later(1, 2), never)))).toBe('[reject_once]');
  });

  test('leaves off when it is asked to, and its session goes on', async () => {
    const late = oddSleep();
    const { backend } = await acpBench({
      prompts: [[{ say: 'Let me' }, { hang: null }, { say: late }], [{ say: 'again' }]],
    });
    const abort = new AbortController();
    const reason = new MassGenError('cancelled/superseded', 'News.');
    const parts: BackendPart[] = [];
    for await (const part of backend.stream(request, abort.signal)) {
      parts.push(part);
      abort.abort(reason);
    }
    expect(parts).toEqual([
      { type: 'text-delta', text: 'Let me' },
      { type: 'end', reason: 'cancelled', error: reason },
    ]);
    const before = processesWith('acp-agent.mjs', late);
    expect(textOf(await collect(backend.stream(later(2, 1), never)))).toBe('again');
    expect(processesWith('acp-agent.mjs', late)).toEqual(before);
  });

  test('that does not listen is ended with everything it has started', async () => {
    const mark = oddSleep();
    const { backend } = await acpBench({
      prompts: [[{ fork: mark }, { say: 'Let me' }, { ignoreCancel: null }]],
    });
    const abort = new AbortController();
    for await (const part of backend.stream(request, abort.signal)) {
      if (part.type === 'text-delta') {
        expect(processesWith('sleep', mark)).not.toEqual([]);
        abort.abort(new MassGenError('cancelled/user', 'Stopped.'));
      }
    }
    await backend.close();
    expect(processesWith('sleep', mark)).toEqual([]);
    expect(processesWith('acp-agent.mjs', mark)).toEqual([]);
  });

  test('that dies is a failure that can be retried, and goes on with its session', async () => {
    const { backend } = await acpBench({
      prompts: [[{ say: 'one' }], [{ stderr: 'out of memory\n' }, { die: 3 }], [{ echo: null }]],
    });
    await collect(backend.stream(request, never));
    const messages = [...request.messages, { role: 'user' as const, text: 'Go on.' }];
    const died = endOf(await collect(backend.stream(later(1, 2, messages), never)));
    expect(died).toMatchObject({
      reason: 'error',
      error: { code: 'backend/bad-response', retryable: true },
    });
    expect('error' in died ? died.error.message : '').toContain('out of memory');
    const again = textOf(await collect(backend.stream(later(1, 2, messages), never)));
    // What it had said before is not told twice, and it needs to be told only what it has not heard.
    expect(again).not.toContain('old words');
    expect(again).toContain('Go on.');
  });

  test('whose session is lost is told the whole conversation', async () => {
    const { backend } = await acpBench({ canLoad: false, prompts: [[{ echo: null }, { die: 1 }]] });
    const messages = [
      ...request.messages,
      {
        ...{ role: 'assistant' as const, text: 'Half done.' },
        toolCalls: [{ id: 'c', name: 'vote', argumentsJson: '{}' }],
      },
      {
        role: 'tool' as const,
        results: [{ toolCallId: 'c', name: 'vote', text: 'Not now.', isError: true }],
      },
    ];
    const told = textOf(await collect(backend.stream(later(1, 2, messages), never)));
    for (const words of ['You are one of', 'Half done.', 'You called vote with {}', 'Not now.']) {
      expect(told).toContain(words);
    }
  });

  test.each([
    [{ code: -32000, message: 'Authentication required' }, 'backend/auth', false],
    [{ code: 429, message: 'Slow down.' }, 'backend/rate-limited', true],
    [
      { code: -32603, message: 'Internal error', data: { details: '503 overloaded' } },
      'backend/overloaded',
      true,
    ],
    [{ code: -32603, message: 'Internal error' }, 'backend/bad-response', true],
  ])('that refuses with %j ends as %s', async (fail, code, retryable) => {
    const { backend } = await acpBench({ prompts: [[{ fail }]] });
    const end = endOf(await collect(backend.stream(request, never)));
    expect(end).toMatchObject({ reason: 'error', error: { code, retryable } });
  });

  test('writes each message apart from the one before', async () => {
    const chunk = (messageId: string, text: string): Step => ({
      update: {
        ...{ sessionUpdate: 'agent_message_chunk', messageId },
        content: { type: 'text', text },
      },
    });
    const look = { toolCallId: 't', title: 'Look', kind: 'read' };
    const { backend } = await acpBench({
      prompts: [
        [
          ...[{ say: 'I lo' }, { say: 'ok.' }, { think: 'Hm.' }, { tool: look }, { say: 'It' }],
          ...[{ toolUpdate: { ...look, status: 'completed' } }, { say: ' is.' }, { think: 'Yes.' }],
        ],
        [chunk('1', 'One'), chunk('1', '.'), chunk('2', 'Two.')],
      ],
    });
    const parts = await collect(backend.stream(request, never));
    expect(textOf(parts)).toBe('I look.\n\nIt is.');
    const thoughts = parts.flatMap((part) => (part.type === 'thinking-delta' ? [part.text] : []));
    expect(thoughts).toEqual(['Hm.', '\n\nYes.']);
    expect(textOf(await collect(backend.stream(later(1, 2), never)))).toBe('One.\n\nTwo.');
  });

  test('cannot show a sign-in that it has renewed, nor leave it spoiled', async () => {
    const before = 'token: first-secret-of-some\n';
    const concealed: string[] = [];
    const path = '~/sign-in.yaml';
    const { backend, home } = await acpBench(
      {
        prompts: [
          [{ write: [path, 'token: second-secret-of-some\n'] }, { say: 'second-secret-of-some' }],
          [{ write: [path, ''] }],
        ],
      },
      {
        ...{ options: { credentials: [path] }, files: { 'sign-in.yaml': before } },
        conceal: (secret) => concealed.push(secret),
      },
    );
    expect(concealed).toEqual(['first-secret-of-some']);
    const known: boolean[] = [];
    for await (const part of backend.stream(request, never)) {
      if (part.type === 'text-delta') {
        known.push(concealed.includes(part.text));
      }
    }
    expect(known).toEqual([true]);
    await collect(backend.stream(later(1, 2), never));
    await backend.close();
    expect(readFileSync(join(home, 'sign-in.yaml'), 'utf8')).toBe(before);
  });

  test('tells its stop reasons and its costs', async () => {
    const cost = (amount: number) => ({
      update: {
        sessionUpdate: 'usage_update',
        used: 1,
        size: 9,
        cost: { amount, currency: 'USD' },
      },
    });
    const { backend } = await acpBench({
      prompts: [
        [cost(0.5), { end: { stopReason: 'max_tokens' } }],
        [cost(0.75), { end: { stopReason: 'refusal' } }],
        [cost(1), { end: { stopReason: 'max_turn_requests' } }],
      ],
    });
    const first = await collect(backend.stream(request, never));
    expect(first).toContainEqual({ type: 'usage', usage: {}, costUsd: 0.5 });
    expect(endOf(first).reason).toBe('length');
    const second = await collect(backend.stream(later(1, 2), never));
    expect(endOf(second)).toMatchObject({ error: { code: 'backend/refused' } });
    const third = await collect(backend.stream(later(1, 3), never));
    expect(third).toContainEqual({ type: 'usage', usage: {}, costUsd: 0.25 });
    expect(third[0]).toMatchObject({ type: 'notice', code: 'program-limit' });
  });

  test.each([
    ['goes on', true, 0.25],
    ['is lost', false, 0.5],
  ])(
    'states no cost twice when its session %s in a new process',
    async (_how, canLoad, costUsd) => {
      const cost = (amount: number) => ({
        update: {
          sessionUpdate: 'usage_update',
          used: 1,
          size: 9,
          cost: { amount, currency: 'USD' },
        },
      });
      const { backend } = await acpBench({
        canLoad,
        prompts: [[cost(0.5)], [{ die: 3 }], [cost(0.75)]],
      });
      await collect(backend.stream(request, never));
      await collect(backend.stream(later(1, 2), never));
      const parts = await collect(backend.stream(later(1, 2), never));
      expect(parts).toContainEqual({ type: 'usage', usage: {}, costUsd });
    },
  );

  test('gets the servers of its agent, with their secrets', async () => {
    const file = join(import.meta.dirname, '../../../support/scripted-programs/tool-server.mjs');
    const { backend } = await acpBench(
      { prompts: [[{ list: 'extra' }]] },
      {
        keys: { MARK: 'secret_mark' },
        toolServers: [
          {
            name: 'extra',
            transport: {
              ...{ type: 'stdio', command: [process.execPath, file] },
              ...{ environment: { TOOL_NAME: '${MARK}' }, cwd: '/' },
            },
            excludedTools: [],
          },
        ],
      },
    );
    expect(textOf(await collect(backend.stream(request, never)))).toBe('[secret_mark in /]');
  });

  test('that is not there is told with where it was looked for, before a run begins', async () => {
    await expect(
      acpBench({ prompts: [] }, { options: { command: 'no-such-agent' } }),
    ).rejects.toSatisfy(
      (error) =>
        isMassGenError(error, 'backend/unavailable') &&
        /^no-such-agent cannot be started: .*PATH \(\/.*\)\.$/.test(error.message) &&
        error.hint?.includes('`command`') === true,
    );
  });

  test('of another version, or not signed in, is told so', async () => {
    const newer = await acpBench({ prompts: [], protocolVersion: 7 });
    const unlike = endOf(await collect(newer.backend.stream(request, never)));
    expect(unlike).toMatchObject({ error: { code: 'backend/unavailable' } });
    expect('error' in unlike ? unlike.error.message : '').toContain('version 7');
    const locked = await acpBench({ prompts: [], mustSignIn: true });
    const closed = endOf(await collect(locked.backend.stream(request, never)));
    expect(closed).toMatchObject({ error: { code: 'backend/auth', retryable: false } });
    expect('error' in closed ? closed.error.hint : '').toContain('sign in');
  });

  test('never sees the folder of the user change', async () => {
    const { backend, project } = await acpBench({
      prompts: [[{ write: ['a.txt', 'changed\n'] }, { remove: 'a.txt' }]],
    });
    await collect(backend.stream(request, never));
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('a\n');
  });
});
