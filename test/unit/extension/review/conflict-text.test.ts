import { describe, expect, it } from 'vitest';
import {
  hasOpenMarkers,
  takeProposedSides,
  toFileBytes,
} from '../../../../src/extension/review/conflict-text';

const conflict = [
  ...['mine above', '<<<<<<< your file', 'mine', '=======', 'theirs', 'too', '>>>>>>> agent2.1'],
  ...['between', '<<<<<<< your file', '=======', 'added', '>>>>>>> agent2.1', 'mine below', ''],
].join('\n');

describe('the text of a conflict', () => {
  it('keeps the user’s edits outside of the conflicts when the proposal is taken', () => {
    expect(takeProposedSides(conflict)).toBe(
      'mine above\ntheirs\ntoo\nbetween\nadded\nmine below\n',
    );
    expect(takeProposedSides(conflict.replaceAll('\n', '\r\n'))).toBe(
      'mine above\r\ntheirs\r\ntoo\r\nbetween\r\nadded\r\nmine below\r\n',
    );
  });

  it('is not taken apart when its markers do not fit together', () => {
    expect(takeProposedSides('a\n=======\nb\n')).toBeUndefined();
    expect(takeProposedSides('<<<<<<< your file\na\n=======\n=======\nb\n>>>>>>> x\n')).toBe(
      undefined,
    );
    expect(takeProposedSides('<<<<<<< your file\na\n')).toBeUndefined();
    expect(takeProposedSides('no conflict\n')).toBeUndefined();
  });

  it('knows what is still to be settled', () => {
    expect(hasOpenMarkers(conflict)).toBe(true);
    expect(hasOpenMarkers('a title\n=======\nand text\n')).toBe(false);
  });

  it('has a byte order mark once where the file has one, and none else', () => {
    const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
    const marked = Buffer.concat([mark, Buffer.from('ä\n')]);
    expect(Buffer.from(toFileBytes('ä\n', marked))).toEqual(marked);
    expect(Buffer.from(toFileBytes('\ufeffä\n', marked))).toEqual(marked);
    expect(Buffer.from(toFileBytes('\ufeffä\n', Buffer.from('a')))).toEqual(Buffer.from('ä\n'));
    expect(Buffer.from(toFileBytes('ä\n', undefined))).toEqual(Buffer.from('ä\n'));
  });
});
