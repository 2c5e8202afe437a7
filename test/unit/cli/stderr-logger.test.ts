import { expect, it } from 'vitest';
import { stderrLogger } from '../../../src/cli/stderr-logger';

const stack =
  'cannot be written: Error: no space left\n    at write (cli.js:1:2)\ncaused by Error: full';

function noted(isVerbose: boolean): string {
  let text = '';
  const notes = { write: (piece: string) => void (text += piece), hasColor: false, width: 80 };
  stderrLogger(notes, isVerbose).error('storage', stack);
  return text;
}

it('a failure is told with its causes and without stacks', () => {
  expect(noted(false)).toBe(
    '[error] storage: cannot be written: Error: no space left\ncaused by Error: full\n',
  );
});

it('stacks are there for whoever asks for details', () => {
  expect(noted(true)).toContain('at write (cli.js:1:2)');
});
