import type { ReplayReport } from '../app/app-contract';
import type { RecordedEvent } from '../run/events';
import { apply } from '../run/reducer';
import { counted } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { RunState } from '../run/state';
import type { CommonOptions } from './invocation';
import { type ExitCode, exitCodes } from './exit-codes';
import { withRun } from './find-run';
import { printSection } from './print-section';
import { RunPrinter } from './run-printer';
import { styled } from './terminal';
import type { World } from './world';

type Difference = NonNullable<ReplayReport['difference']>;

/** Plays a stored run again, prints it as it was printed then, and says whether it came out the same. */
export function replayCommand(
  run: string,
  options: CommonOptions,
  world: World,
): Promise<ExitCode> {
  const { output } = world;
  return withRun(run, { options, world }, async ({ app, runId }) => {
    const printer = new RunPrinter(output);
    let state: RunState | undefined;
    const show = (recorded: RecordedEvent): void => {
      if (state === undefined && recorded.event.type === 'run-started') {
        output.write(`${styled(`Replay of ${runId}`, 'bold', output)}\n`);
        output.write(`  ${revealOnOneLine(recorded.event.task)}\n\n`);
      }
      state = apply(state, recorded);
      printer.update([recorded], state);
    };
    const report = await app.replayRun(runId, world.interrupted, show);
    const { difference, events, changedFiles, damage } = report;
    if (difference === null && changedFiles.length === 0 && damage === undefined) {
      const count = counted(events, 'event', 'events');
      printSection('Replay', [`identical: ${count}, nobody was asked.`], output);
      return exitCodes.done;
    }
    const lines = difference === null ? [] : differenceLines(difference);
    const files = changedFiles.map((path) => `different file  ${revealOnOneLine(path)}`);
    const whatIsGone = damage === undefined ? [] : [damage];
    printSection('Replay', [...whatIsGone, ...lines, ...files], output);
    return exitCodes.failed;
  });
}

function differenceLines({ seq, expected, actual }: Difference): readonly string[] {
  const [recorded, replayed] = fromDifference(expected, actual);
  return [`different from event ${seq} on`, `recorded  ${recorded}`, `replayed  ${replayed}`];
}

/** Two texts from a little before the place on where they begin to differ. */
function fromDifference(a: string, b: string): readonly [string, string] {
  let same = 0;
  while (same < a.length && a[same] === b[same]) {
    same++;
  }
  const start = same > longestSame ? same - keptSame : 0;
  return [shortened(a, start), shortened(b, start)];
}

const longest = 2000;
/** More than this that is the same in front of a difference hides it. */
const longestSame = 400;
const keptSame = 100;

function shortened(text: string, start: number): string {
  const line = revealOnOneLine(text.slice(start, start + longest));
  return `${start > 0 ? '…' : ''}${line}${text.length - start > longest ? '…' : ''}`;
}
