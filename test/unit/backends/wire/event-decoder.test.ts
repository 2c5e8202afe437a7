import { describe, expect, it } from 'vitest';
import { EventDecoder, usualLimits } from '../../../../src/backends/wire/event-decoder';
import { WireError } from '../../../../src/backends/wire/wire-fault';

const small = { totalBytes: 60, eventLength: 30 };

function decoded(pieces: readonly (string | Uint8Array)[], limits = usualLimits): unknown[] {
  const decoder = new EventDecoder(limits);
  const encoder = new TextEncoder();
  const events = pieces.flatMap((piece) =>
    decoder.push(typeof piece === 'string' ? encoder.encode(piece) : piece),
  );
  return [...events, ...decoder.end()].map(({ name, data }) => [name, data]);
}

describe('the events of an answer', () => {
  it.each(['\n', '\r\n', '\r'])(
    'are the same in one piece and in many, with lines that end with %j',
    (end) => {
      const lines = [
        ...['\u{feff}: a comment', 'event: first', 'data: {"a":1,', 'data:"b":"Größe 🧑‍🚀"}', ''],
        ...['id: 7', 'data', '', 'event: without data', '', 'data:  two blanks', '', 'data: cut'],
      ];
      const text = lines.join(end);
      const expected = [
        ['first', '{"a":1,\n"b":"Größe 🧑‍🚀"}'],
        ['', ''],
        ['', ' two blanks'],
      ];
      expect(decoded([text])).toEqual(expected);
      const bytes = new TextEncoder().encode(text);
      expect(decoded([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
    },
  );

  it.each([
    ['an object', ['\n ', '{\n  "text":', ' "a\\nb"\r\n', '}\n'], '{\n  "text": "a\\nb"\r\n}\n'],
    ['a list', ['[{"a"', ':1}]'], '[{"a":1}]'],
  ])('are one when %s comes instead of a stream', (_what, sent, data) => {
    expect(decoded(sent)).toEqual([['', data]]);
  });

  it.each([
    ['a web page', ['  <!doctype html>'], 'a web page'],
    ['a line without an end', ['data: ', 'x'.repeat(20), 'y'.repeat(20)], 'no end'],
    ['an event without an end', Array<string>(9).fill('data: 1234\n'), 'no end'],
    ['an object without an end', ['{"a":"', 'x'.repeat(20), '\n', 'y'.repeat(20)], 'no end'],
    ['a stream without an end', Array<string>(10).fill('data: 1\n\n'), 'no end'],
    ['comments without an end', Array<string>(10).fill(': hello\n'), 'no end'],
    ['blanks without an end', Array<string>(10).fill('  \n \n  \n'), 'no end'],
  ])('are refused when they are %s', (_name, sent, said) => {
    let fault: unknown;
    try {
      decoded(sent, small);
    } catch (error) {
      fault = error instanceof WireError ? error.fault : undefined;
    }
    expect(fault).toMatchObject({ kind: 'malformed' });
    expect(JSON.stringify(fault)).toContain(said);
  });
});
