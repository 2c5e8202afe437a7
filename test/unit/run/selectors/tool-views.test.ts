// What is shown of agent programs, servers of tools, tools of services, sources and cut responses.
import { describe, expect, test } from 'vitest';
import { apply } from '../../../../src/run/reducer';
import { applyAll } from '../../../../src/run/reducer';
import { selectCards } from '../../../../src/run/selectors/cards';
import type { AgentCard } from '../../../../src/run/selectors/cards';
import { toPlainText } from '../../../../src/run/selectors/plain-text';
import { selectSources } from '../../../../src/run/selectors/sources';
import { selectTimeline } from '../../../../src/run/selectors/timeline';
import { toolName, toolWords } from '../../../../src/run/selectors/tool-words';
import type { RecordedEvent, RunEvent } from '../../../../src/run/events';
import type { RunState } from '../../../../src/run/state';
import { modelCall, started, turn } from '../../../webview/fixtures/events';
import { createLog, startedAt } from '../../../webview/fixtures/log';
import * as runs from '../../../webview/fixtures/tool-runs';

const en = 'en-US';

function cardsOf(state: RunState): readonly AgentCard[] {
  return selectCards(state, startedAt + 24_000, en);
}

describe('a tool', () => {
  test.each([
    ['run_command', 'Running a command'],
    ['Bash', 'Running a command'],
    ['Edit', 'Editing'],
    ['apply_patch', 'Editing'],
    ['Read', 'Reading'],
    ['web_search', 'Searching the web'],
    ['code_execution', 'Running code'],
    ['mcp__weather__get_forecast', 'Using a tool'],
    ['constructor', 'Using a tool'],
  ])('called %s is told as: %s, whoever runs it', (tool, status) => {
    expect(toolWords(tool).status).toBe(status);
  });

  test('of a server is named with the server', () => {
    expect(toolName('mcp__weather__get_forecast')).toBe('weather: get_forecast');
    expect(toolName('custom_tool__lint')).toBe('lint');
    expect(toolName('read_file')).toBe('read_file');
  });
});

describe('the card of an agent', () => {
  test('says that it needs a person as long as it is asked about, whatever its program tells', () => {
    const state = runs.toolsAtWork().state();
    const approval = {
      ...{ approvalId: 'approval-1', slot: 1, command: 'ls src', cwd: '/project', hash: 'h' },
      ...{ isConfined: true, requestedAt: startedAt },
    };
    const [program] = cardsOf({ ...state, approvals: [approval] });
    expect(program).toMatchObject({ status: 'Needs you', now: { code: 'run_command ls src' } });
  });

  test('shows the own tools of a program and of a service as it shows ours', () => {
    const [program, , searching] = cardsOf(runs.toolsAtWork().state());
    expect(program).toMatchObject({ model: 'Claude Code', status: 'Editing' });
    expect(program?.now).toMatchObject({ icon: 'edit', code: 'Edit src/duration.ts' });
    expect(searching).toMatchObject({ status: 'Searching the web' });
    expect(searching?.now).toMatchObject({ icon: 'web', since: '0:04' });
  });

  test('says of a program whether it is confined', () => {
    const state = runs.toolsAtWork().state();
    expect(cardsOf(state)[0]?.details).toMatchObject({
      summary: 'Not confined, 1 tool server',
      program: 'An agent program with tools of its own. It is not confined: bubblewrap is missing.',
    });
    expect(cardsOf({ ...state, unconfinedReason: null })[0]?.details).toMatchObject({
      summary: 'Program, 1 tool server',
      program: 'An agent program with tools of its own, confined to its copy of your files.',
    });
    // Where commands can be confined, but programs cannot.
    const agents = state.agents.map((agent) => ({ ...agent, isUnconfined: true }));
    expect(cardsOf({ ...state, agents, unconfinedReason: null })[0]?.details).toMatchObject({
      summary: 'Not confined, 1 tool server',
      program:
        'An agent program with tools of its own. It is not confined, as was allowed: it can reach all that you can.',
    });
  });

  test('shows a program that waits for a permission by its own words', () => {
    const state = runs.toolsAtWork().state();
    const approval = {
      ...{ approvalId: 'approval-1', slot: 1, command: 'claude', cwd: '/project', hash: 'h' },
      ...{ isConfined: false, isProgram: true as const, requestedAt: startedAt },
    };
    const [program] = cardsOf({ ...state, approvals: [approval] });
    expect(program).toMatchObject({ status: 'Needs you', now: { code: 'claude' } });
  });

  test('puts a server that is missing before the others', () => {
    const [, card] = cardsOf(runs.toolsAtWork().state());
    expect(card?.details).toMatchObject({
      summary: 'weather failed',
      isTrouble: true,
      servers: [
        {
          server: 'filesystem',
          text: 'ready, 4 tools',
          tools: 'list_directory, read_text_file, search_files, get_file_info',
        },
        {
          server: 'weather',
          text: 'The program "uvx" was not found. Install it, or correct the command.',
          tools: '',
        },
      ],
    });
  });

  test('says that a limit is shared', () => {
    const [, card] = cardsOf(runs.toolsAtWork().state());
    expect(card?.now.text).toBe('Shares a limit with another agent.');
  });

  test('keeps what was thought aloud apart from what was said, until the next turn', () => {
    const log = runs.toolsAtWork();
    const [, , card] = cardsOf(log.state());
    expect(card?.text).toBe('');
    expect(card?.details?.thinking).toMatch(/^The task says[^]*two units in a row\?$/);
    const next = log.at(
      50,
      turn(3, 2),
      ...modelCall(3, 2, 'Anew.', { fresh: 1, output: 1, costUsd: 0 }),
    );
    expect(cardsOf(next.state())[2]?.details).toBe(null);
  });

  test('says that a response was cut off, until the next one begins', () => {
    const log = runs.cutOff();
    expect(cardsOf(log.state())[2]?.now.text).toBe('cut off at the length limit');
    const next = log.at(40, { type: 'model-call-started', slot: 3, turnNo: 1, call: 2 });
    expect(cardsOf(next.state())[2]?.now.text).toBe('');
  });

  test('has no details when there is nothing to tell', () => {
    const plain = createLog().at(0, started(), turn(1));
    expect(cardsOf(plain.state()).map(({ details }) => details)).toEqual([null, null, null]);
  });
});

describe('the timeline', () => {
  const sentences = (state: RunState): readonly string[] =>
    selectTimeline(state, en).map(({ sentence }) => sentence);

  test('tells of a response that was cut off and of a server that is missing', () => {
    expect(sentences(runs.cutOff().state()).slice(1)).toEqual([
      '0:04, Agent 2: Tools missing: weather: The program "uvx" was not found. Install it, or correct the command.',
      '0:30, Agent 3: Cut off, at the length limit of the model',
    ]);
  });

  test('tells once of a server that fails again in the same way', () => {
    const failed: RunEvent = {
      ...{ type: 'tool-server-changed', slot: 1, server: 'weather', status: 'failed' },
      message: 'It is not there.',
    };
    const log = createLog().at(0, started(), failed, failed, { ...failed, slot: 2 });
    expect(sentences(log.state()).slice(1)).toEqual([
      '0:00, Agent 1: Tools missing: weather: It is not there.',
      '0:00, Agent 2: Tools missing: weather: It is not there.',
    ]);
  });

  test('and the card tell what is to be known of a server that works all the same', () => {
    const ready: RunEvent = {
      ...{ type: 'tool-server-changed', slot: 1, server: 'weather', status: 'ready' },
      tools: [{ name: 'mcp__weather__now', effect: 'unknown' }],
      message: 'Of its tools 3 are left out.',
    };
    const { message: _message, ...silent } = ready;
    const log = createLog().at(0, started(), turn(1), ready, ready, { ...silent, slot: 2 });
    expect(sentences(log.state()).filter((line) => line.includes('weather'))).toEqual([
      '0:00, Agent 1: About tools: weather: Of its tools 3 are left out.',
    ]);
    const [card, other] = cardsOf(log.state());
    expect(card?.details?.servers[0]?.text).toBe('ready, 1 tool. Of its tools 3 are left out.');
    expect(other?.details?.servers[0]?.text).toBe('ready, 1 tool');
  });

  test('is the same whether events are reduced one by one or many at once', () => {
    const { events } = runs.decidedWithSources();
    const each = events.reduce<RunState | undefined>(
      (state, event: RecordedEvent) => apply(state, event),
      undefined,
    );
    expect(applyAll(undefined, events)).toEqual(each);
  });
});

describe('sources', () => {
  test('stay with the answer that they were named for, and come with the final one', () => {
    const state = runs.decidedWithSources().state();
    expect(state.agents[2]?.revisions[0]?.citations).toHaveLength(3);
    expect(state.agents[0]?.revisions[0]?.citations).toBe(undefined);
    expect(state.finalAnswer).toMatchObject({ isCut: true });
    expect(state.finalAnswer?.citations?.map(({ url }) => new URL(url).host)).toEqual([
      'www.iso.org',
      'docs.example.org',
      'blog.example.org',
    ]);
  });

  test('are named by their path where they have no title, always with their host', () => {
    expect(
      selectSources([
        { url: 'https://docs.example.org/duration/parsing', title: ' ' },
        { url: 'javascript:alert(1)', title: 'No page' },
        { url: 'https://', title: 'No address' },
      ]),
    ).toEqual([
      {
        url: 'https://docs.example.org/duration/parsing',
        host: 'docs.example.org',
        name: '/duration/parsing',
      },
    ]);
  });

  test('stand below the answer in plain text', () => {
    const text = toPlainText(runs.decidedWithSources().state(), startedAt + 90_000, en);
    expect(text).toContain(
      `and it rejects
It was cut off at the length limit of the model.
Sources, as the model names them
  1. ISO 8601 durations: https://www.iso.org/iso-8601-date-and-time-format.html
  2. /duration/parsing: https://docs.example.org/duration/parsing
`,
    );
  });
});
