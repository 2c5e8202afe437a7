import { expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/core/ports/model-backend';
import { appBench } from '../../support/app-bench';
import { askEveryTime } from '../../support/run-harness';
import { say } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const bench = appBench({ 'customers.dump': 'Ada, Grace\n', 'notes.txt': 'Ask Grace.\n' });

function lastResult({ messages }: ModelRequest): string {
  const last = messages.findLast(({ role }) => role === 'tool');
  return last?.role === 'tool' ? (last.results[0]?.text ?? '') : '';
}

it('what the user hides is read by no agent, as the shell says it when the run begins', async () => {
  const read: string[] = [];
  const then = (call: string, input: Readonly<Record<string, unknown>>) => {
    return (request: ModelRequest) => {
      read.push(lastResult(request));
      return [{ call, input }];
    };
  };
  const kind = new ScriptedKind({
    a: [
      [{ call: 'read_file', input: { path: 'customers.dump' } }],
      then('list_directory', { path: '.' }),
      then('search_text', { pattern: 'Grace' }),
      (request) => {
        read.push(lastResult(request));
        return [say.answer('Nothing is there.')];
      },
      [say.vote('agent1')],
    ],
    b: [[say.answer('Nothing.')], [say.vote('agent1')]],
  });
  let patterns: readonly string[] = [];
  const app = bench.open(kind, { hiddenPaths: () => patterns });
  patterns = ['*.dump'];
  const config = teamOf(['a', 'b']);
  const run = await app.startRun(
    {
      ...{ task: 'Look around.', unsaved: new Map(), commandPolicy: askEveryTime },
      config: {
        ...config,
        settings: { ...config.settings, finalAnswerStrategy: 'winner_reuse' },
      },
      folders: [{ name: 'project', path: bench.project, permission: 'write' }],
    },
    new AbortController().signal,
  );
  expect((await run.ended).outcome).toBe('completed');
  const [file = '', list = '', found = ''] = read;
  expect(file).toContain('hidden');
  expect(file).not.toContain('Ada');
  expect(list).toContain('notes.txt');
  expect(list).not.toContain('customers.dump');
  expect(found).toContain('notes.txt');
  expect(found).not.toContain('customers.dump');
});
