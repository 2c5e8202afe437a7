import { describe, expect, test } from 'vitest';
import type { ToolContext } from '../../../src/core/ports/tool';
import { taskPlanTools } from '../../../src/tools/task-plan/plan-tools';
import { bytes, fill, never, startRun, tempFolder, text } from '../workspace/temp-project';

async function bench(limit = 10, slot = 1) {
  const project = tempFolder();
  fill(project, { 'a.txt': 'a\n' });
  const agent = await startRun(project).agent(slot);
  const context: ToolContext = {
    workspace: agent,
    slot,
    seenPaths: new Set(),
    approveCommand: async () => true,
  };
  const file = `${agent.roots[1]?.shownPath}/tasks/plan.json`;
  return {
    agent,
    file,
    call: async (name: string, input: unknown = {}): Promise<string> => {
      const tool = taskPlanTools(limit).find((each) => each.name === name);
      const result = await tool?.run(input, context, never);
      return `${result?.isError === true ? 'error: ' : ''}${result?.text}`;
    },
  };
}

const steps = ['Read', { id: 'fix', description: 'Fix', depends_on: [0] }, 'Test'];

describe('a task plan', () => {
  test('has eight tools, of which those that only show change nothing', () => {
    expect(taskPlanTools(10).map(({ name, effect }) => [name, effect])).toEqual([
      ['create_task_plan', 'workspace'],
      ['add_task', 'workspace'],
      ['update_task_status', 'workspace'],
      ['edit_task', 'workspace'],
      ['get_task_plan', 'read'],
      ['delete_task', 'workspace'],
      ['get_ready_tasks', 'read'],
      ['get_blocked_tasks', 'read'],
    ]);
  });

  test('is a file in the folder of its agent', async () => {
    const { call, agent, file } = await bench();
    expect(await call('create_task_plan', { tasks: steps })).toBe(
      'Your plan:\n- task-1 [pending] Read\n- fix [pending] Fix (waits for task-1)\n- task-2 [pending] Test',
    );
    expect(JSON.parse(text(await agent.readFile(file, never)))).toEqual({
      agent: 'agent1',
      tasks: [
        { id: 'task-1', description: 'Read', status: 'pending', depends_on: [] },
        { id: 'fix', description: 'Fix', status: 'pending', depends_on: ['task-1'] },
        { id: 'task-2', description: 'Test', status: 'pending', depends_on: [] },
      ],
    });
  });

  test('tells what can be begun, what waits, and what a finished task sets free', async () => {
    const { call } = await bench();
    await call('create_task_plan', { tasks: steps });
    expect(await call('get_ready_tasks')).toBe('- task-1 [pending] Read\n- task-2 [pending] Test');
    await call('update_task_status', { task_id: 'task-2', status: 'blocked' });
    expect(await call('get_blocked_tasks')).toBe(
      '- fix [pending] Fix (waits for task-1)\n- task-2 [blocked] Test',
    );
    expect(await call('update_task_status', { task_id: 'task-1', status: 'completed' })).toBe(
      'task-1 is completed.\nCan be begun now:\n- fix [pending] Fix',
    );
    expect(await call('update_task_status', { task_id: 'fix', status: 'in_progress' })).toBe(
      'fix is in_progress.',
    );
  });

  test('can be added to, edited and cut, but not below what others depend on', async () => {
    const { call } = await bench();
    await call('create_task_plan', { tasks: steps });
    const added = await call('add_task', {
      description: 'Think',
      after_task_id: 'task-1',
      depends_on: ['task-1'],
    });
    expect(added).toContain('Read\n- task-3 [pending] Think (waits for task-1)\n- fix');
    expect(await call('edit_task', { task_id: 'fix', description: 'Repair' })).toContain(
      '- fix [pending] Repair',
    );
    expect(await call('delete_task', { task_id: 'task-1' })).toBe(
      'error: Nothing was done: task-1 cannot be deleted while other tasks depend on it: task-3, fix.',
    );
    expect(await call('delete_task', { task_id: 'fix' })).not.toContain('fix');
    expect(await call('get_task_plan')).not.toContain('fix');
  });

  test.each([
    ['M3: a forward index', [{ description: 'A', depends_on: [1] }, 'B'], 'not before it'],
    ['an index to itself', [{ description: 'A', depends_on: [0] }], 'not before it'],
    [
      'M3: a circle',
      [
        { id: 'a', description: 'A', depends_on: ['b'] },
        { id: 'b', description: 'B', depends_on: ['a'] },
        'C',
      ],
      'these tasks depend on one another: a, b',
    ],
    ['M3: more tasks than allowed', ['A', 'B', 'C', 'D'], 'at most 3 tasks'],
    ['an unknown id', [{ description: 'A', depends_on: ['x'] }], 'there is no task x'],
    [
      'an id twice',
      [
        { id: 'a', description: 'A' },
        { id: 'a', description: 'B' },
      ],
      'two tasks have the id a',
    ],
    ['no task', [], 'at least one task'],
    ['an empty description', [' '], 'needs a description'],
    ['a number for a task', [7], 'task 0 is neither a text nor an object'],
    ['a text for the dependencies', [{ description: 'A', depends_on: 'b' }], 'must be a list'],
  ])('is refused with %s, and the one there was stays', async (_what, tasks, why) => {
    const { call } = await bench(3);
    await call('create_task_plan', { tasks: ['First'] });
    const refusal = await call('create_task_plan', { tasks });
    expect(refusal).toMatch(/^error: Nothing was done: /);
    expect(refusal).toContain(why);
    expect(await call('get_task_plan')).toBe('- task-1 [pending] First');
  });

  test('takes later tasks by their ids when there is no circle', async () => {
    const { call } = await bench();
    const tasks = [
      { description: 'A', depends_on: ['late'] },
      { id: 'late', description: 'B' },
    ];
    expect(await call('create_task_plan', { tasks })).toContain('A (waits for late)');
  });

  test('is full at its limit, also for later tasks', async () => {
    const { call } = await bench(2);
    await call('create_task_plan', { tasks: ['A', 'B'] });
    expect(await call('add_task', { description: 'C' })).toContain('at most 2 tasks');
  });

  test('refuses unknown ids and states', async () => {
    const { call } = await bench();
    await call('create_task_plan', { tasks: ['A'] });
    expect(await call('add_task', { description: 'B', depends_on: ['x'] })).toContain('no task x');
    expect(await call('edit_task', { task_id: 'x', description: 'B' })).toContain('no task x');
    expect(await call('update_task_status', { task_id: 'task-1', status: 'done' })).toContain(
      'status is one of pending, in_progress, completed, blocked',
    );
  });

  test('of another agent is not taken over', async () => {
    const { call, agent, file } = await bench();
    await agent.writeFile(file, bytes('{"agent":"agent2","tasks":[]}'), never);
    expect(await call('get_task_plan')).toBe(
      'error: You have no plan yet. Make one with create_task_plan.',
    );
    await agent.writeFile(file, bytes('{"tasks":'), never);
    expect(await call('get_ready_tasks')).toContain('cannot be read');
    expect(await call('create_task_plan', { tasks: ['A'] })).toContain('task-1');
  });
});
