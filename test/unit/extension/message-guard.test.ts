import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFromView } from '../../../src/extension/views/message-guard';
import type { FromView } from '../../../src/protocol/webview';

const file = { runId: 'r1', root: 'app', path: 'src/a.ts' };
const valid: readonly FromView[] = [
  { type: 'ready', protocolVersion: 1 },
  { type: 'show-run', runId: null },
  { type: 'start-run', task: 'Fix it' },
  { type: 'set-permission', folder: 'app', permission: 'read' },
  { type: 'accept-file', ...file },
  {
    type: 'resolve-approval',
    runId: 'r1',
    approvalId: 'a1',
    hash: 'h',
    decision: 'deny',
  },
  { type: 'open-answer', runId: 'r1', label: 'agent2.1' },
  { type: 'action', action: 'open-sample' },
  { type: 'follow-up', runId: 'r1', task: 'And now the tests' },
  { type: 'steer', runId: 'r1', text: 'Keep the API', slots: null },
  { type: 'steer', runId: 'r1', text: 'Keep the API', slots: [2] },
  { type: 'close-replay', runId: 'r1' },
  { type: 'open-instructions', ...file },
];

describe('messages of the panel', () => {
  it.each(valid)('lets a well-formed $type through', (message) => {
    expect(isFromView(message)).toBe(true);
  });

  it.each([
    ['an unknown type', { type: 'run-command', command: 'x' }],
    ['a name that every object has', { type: 'constructor' }],
    ['a missing field', { type: 'accept-file', runId: 'r1', root: 'app' }],
    ['a wrong type of field', { type: 'start-run', task: 7 }],
    ['a decision that does not exist', { ...valid[5], decision: 'allow-all' }],
    ['a label that is none', { type: 'open-answer', runId: 'r1', label: '../../etc/passwd' }],
    ['an action that does not exist', { type: 'action', action: 'delete-everything' }],
    ['a task beyond all measure', { type: 'start-run', task: 'x'.repeat(1_000_001) }],
    ['a message to an agent that cannot be', { type: 'steer', runId: 'r', text: 'x', slots: [0] }],
    ['null', null],
    ['a text', 'ready'],
  ])('drops %s', (_what, message) => {
    expect(isFromView(message)).toBe(false);
  });

  it('never throws, whatever arrives', () => {
    fc.assert(
      fc.property(fc.anything(), (message) => {
        expect(typeof isFromView(message)).toBe('boolean');
      }),
      { seed: 11 },
    );
  });
});
