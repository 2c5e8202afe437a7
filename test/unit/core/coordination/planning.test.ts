import { describe, expect, it } from 'vitest';
import { handle } from '../../../../src/core/coordination/handle';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { toolsetFor } from '../../../../src/core/coordination/toolset';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';
import type { ToolInfo } from '../../../../src/run/facts';
import { Engine, directive, effectsOf, eventOf, startedBy, types } from '../../../support/engine';

const tools: readonly ToolInfo[] = [
  { name: 'read_file', effect: 'read' },
  { name: 'write_file', effect: 'workspace' },
  { name: 'send_mail', effect: 'external' },
  { name: 'look_up', effect: 'unknown' },
  { name: 'book_room', effect: 'unknown' },
];

function run(planning: CoordinationSettings['planning'], given = tools): Engine {
  return new Engine({ settings: compatSettings({ planning }), tools: given });
}

describe('tools with an effect outside of the workspaces', () => {
  it('stay open when nothing is configured', () => {
    const engine = run('off');
    expect(engine.state.planning).toBeNull();
    expect(toolsetFor(engine.state, 1).blockedTools).toBeUndefined();
  });

  it('are closed for everybody until an answer is chosen', () => {
    const engine = run('external');
    expect(engine.log[1]?.event).toEqual({
      type: 'planning-decided',
      isOn: true,
      blockedTools: ['send_mail'],
      by: 'setting',
    });
    const [first] = effectsOf(engine, 'start-turn');
    expect(first?.toolset.blockedTools).toEqual(['send_mail']);
    expect(directive(engine.tool(1, 'send_mail'))).toMatchObject({
      toolset: { blockedTools: ['send_mail'] },
    });
  });

  it('are open to the presenter', () => {
    const engine = run('external');
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(1, 'agent1');
    engine.vote(2, 'agent1');
    const given = directive(engine.tool(1, 'send_mail'));
    expect(given.kind === 'continue' ? given.toolset.blockedTools : ['?']).toBeUndefined();
  });
});

describe('an agent with a planning mode of its own', () => {
  const blocked = (engine: Engine): readonly unknown[] =>
    effectsOf(engine, 'start-turn').map(({ toolset }) => toolset.blockedTools);

  it('has its tools open where those of the others are closed', () => {
    const settings = compatSettings({ planning: 'external' });
    const engine = new Engine({ settings, tools, planningModes: { 2: 'off' } });
    expect(blocked(engine)).toEqual([['send_mail'], undefined]);
  });

  it('has them closed where those of the others are open', () => {
    const settings = compatSettings({ planning: 'off' });
    const engine = new Engine({ settings, tools, planningModes: { 1: 'on' } });
    expect(blocked(engine)).toEqual([['send_mail'], undefined]);
  });
});

describe('tools of unknown effect', () => {
  it('are asked about once, and nobody starts before the answer', () => {
    const engine = run('classify');
    expect(effectsOf(engine, 'classify-tools')).toEqual([{ kind: 'classify-tools', call: 1 }]);
    expect(effectsOf(engine, 'start-turn')).toEqual([]);
    engine.put({ kind: 'planned', blockedTools: ['book_room', 'read_file'] });
    expect(engine.state.planning).toEqual({
      isOn: true,
      blockedTools: ['send_mail', 'book_room'],
      by: 'classification',
    });
    expect(effectsOf(engine.settle(), 'start-turn')).toHaveLength(2);
    expect(types(engine.put({ kind: 'planned', blockedTools: [] }))).toEqual([]);
  });

  it('M1: are closed with the external ones when no answer can be read, and reading goes on', () => {
    const engine = run('classify');
    const said = engine.put({ kind: 'planned', blockedTools: null });
    expect(eventOf(said, 'planning-decided')).toMatchObject({
      blockedTools: ['send_mail', 'look_up', 'book_room'],
      by: 'failure',
    });
  });

  it('need no question when there are none', () => {
    const engine = run('classify', tools.slice(0, 3));
    expect(effectsOf(engine, 'classify-tools')).toEqual([]);
    expect(engine.state.planning?.by).toBe('setting');
  });

  it('do not keep a run from being stopped or running out of time', () => {
    for (const input of [
      { kind: 'cancel' },
      { kind: 'timer', timer: { kind: 'deadline' } },
    ] as const) {
      const engine = run('classify');
      engine.put(input);
      expect(engine.state.outcome).not.toBeNull();
    }
  });
});

describe('tools that a server brings after it was decided', () => {
  const brought = (planning: CoordinationSettings['planning']): readonly string[] | undefined => {
    const engine = run(planning);
    engine.put({
      kind: 'observed',
      event: {
        type: 'tool-server-changed',
        ...{ slot: 1, server: 'office', status: 'ready' },
        tools: [
          { name: 'mcp__office__look', effect: 'unknown' },
          { name: 'mcp__office__send', effect: 'external' },
        ],
      },
    });
    return toolsetFor(engine.state, 1).blockedTools;
  };

  it('are closed when they reach outside', () => {
    expect(brought('external')).toEqual(['send_mail', 'mcp__office__send']);
  });

  it('stay open when nothing is configured', () => {
    expect(brought('off')).toBeUndefined();
  });
});

it('a run without a list of tools starts at once', () => {
  const started = startedBy({ settings: compatSettings({ planning: 'classify' }) });
  const { events } = handle(undefined, { at: 1, input: { kind: 'start', started } });
  expect(events.map(({ type }) => type)).toContain('planning-decided');
});
