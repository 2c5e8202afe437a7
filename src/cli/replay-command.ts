import type { RecordedEvent } from '../run/events';
import { apply } from '../run/reducer';
import { counted } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { RunState } from '../run/state';
import type { CommonOptions } from './arguments';
import { type ExitCode, exitCodes } from './exit-codes';
import { withRun } from './find-run';
import { printSection } from './result-printer';
import { RunPrinter } from './run-printer';
import { styled } from './terminal';
import type { World } from './world';

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
    const { difference, events, changedFiles } = report;
    if (difference === null && changedFiles.length === 0) {
      const count = counted(events, 'event', 'events');
      printSection('Replay', [`identical: ${count}, nobody was asked.`], output);
      return exitCodes.done;
    }
    const lines =
      difference === null
        ? []
        : [
            `different from event ${difference.seq} on`,
            `recorded  ${shortened(difference.expected)}`,
            `replayed  ${shortened(difference.actual)}`,
          ];
    const files = changedFiles.map((path) => `different file  ${revealOnOneLine(path)}`);
    printSection('Replay', [...lines, ...files], output);
    return exitCodes.failed;
  });
}

const longest = 2000;

function shortened(text: string): string {
  const line = revealOnOneLine(text);
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
