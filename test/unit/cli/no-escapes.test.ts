// Whatever models, services and files say: nothing of it reaches a terminal that the terminal would obey.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from '../../../src/cli/diff-lines';
import { failureOf, UsageError } from '../../../src/cli/failure';
import { frameOf } from '../../../src/cli/live-view/frame';
import { firstView, type Page } from '../../../src/cli/live-view/view';
import { printDecision, printResult } from '../../../src/cli/result-printer';
import { RunPrinter } from '../../../src/cli/run-printer';
import { stderrLogger } from '../../../src/cli/stderr-logger';
import type { Terminal } from '../../../src/cli/terminal';
import type { RunState } from '../../../src/run/state';
import { furtherWords, runWithText } from '../../support/hostile-run';
import { record, sampleChange, sampleRunEvents, stateAfter } from '../../support/sample-run';

/** Controls but tab and line feed, and what hides, joins or turns around what stands beside it. */
const obeyed =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

class Paper implements Terminal {
  text = '';
  readonly hasColor = false;
  readonly width = 72;
  write(text: string): void {
    this.text += text;
  }
}

const escapes = [
  ...[
    '\u001B[2J',
    '\u001B]0;title\u0007',
    '\u001B]52;c;AAAA\u001B\\',
    '\u009B31m',
    '\u0090q\u009C',
  ],
  ...['\r', '\b\b', '\u202E', '\u2066', '\u200B', '\u2028', '\u001BP1$r0m\u001B\\', '\u0000', '\t'],
];
const words = fc
  .array(fc.oneof(fc.constantFrom(...escapes), fc.string({ unit: 'binary', maxLength: 40 })))
  .map((parts) => parts.join(''));

type Writer = (text: string) => string;

/** A run with these words, at its end and while something is asked for. */
function states(text: string): readonly RunState[] {
  const begun = runWithText(text, sampleRunEvents.slice(0, 5));
  return [stateAfter(runWithText(text)), stateAfter([...begun, ...furtherWords(text)])];
}

function printed(print: (state: RunState, paper: Paper) => void): Writer {
  return (text) => {
    const paper = new Paper();
    states(text).forEach((state) => print(state, paper));
    return paper.text;
  };
}

const pages: readonly Page[] = [
  ...([{ kind: 'team' }, { kind: 'votes' }, { kind: 'answer' }, { kind: 'status' }] as const),
  ...([
    { kind: 'agent', slot: 1 },
    { kind: 'agent', slot: 2 },
  ] as const),
];

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

const writers: Readonly<Record<string, Writer>> = {
  'the lines of a run': (text) => {
    const paper = new Paper();
    const printer = new RunPrinter(paper);
    const events = [...runWithText(text, sampleRunEvents.slice(0, 5)), ...furtherWords(text)];
    record(events).forEach((event, i) =>
      printer.update([event], stateAfter(events.slice(0, i + 1))),
    );
    printer.update([], stateAfter(runWithText(text)));
    return paper.text;
  },
  'the result': printed((state, paper) => printResult(state, [], paper)),
  'the end of a turn': printed((state, paper) => printDecision(state, paper)),
  'every page of the view': (text) =>
    states(text)
      .flatMap((state) =>
        pages.map((page) => {
          const size = { width: 72, height: 60, now: state.lastEventAt };
          const view = { ...firstView, page };
          return frameOf({ state, artifactsDir: text }, view, size)
            .lines.map((line) => line.map((span) => span.text).join(''))
            .join('\n');
        }),
      )
      .join('\n'),
  'a difference': (text) =>
    diffLines(
      { ...sampleChange, decision: 'pending', path: text },
      { before: encoded('old\n'), after: encoded(text) },
    )
      .map((line) => line.text)
      .join('\n'),
  'an error': (text) => {
    const plain = failureOf(new Error(text));
    const usage = failureOf(new UsageError(text, text));
    return `${plain.message}${usage.message}${usage.hint ?? ''}`;
  },
  'a warning': (text) => {
    const paper = new Paper();
    stderrLogger(paper, true).error('storage', text, new Error(text));
    return paper.text;
  },
};

describe('no word of a model moves the cursor, hides text or turns it around in', () => {
  it.each(Object.entries(writers))('%s', (_name, write) => {
    fc.assert(
      fc.property(words, (text) => {
        const shown = obeyed.exec(write(text));
        expect(shown?.[0]).toBeUndefined();
      }),
      { seed: 11, numRuns: 40 },
    );
  });
});
