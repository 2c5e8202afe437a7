import type { RunHandle } from '../app/app-contract';
import { onAbort } from '../base/abort';
import { type Disposable, toDisposable } from '../base/disposable';
import type { RunState } from '../run/state';
import { isPersonThere, showsLiveView, type Watching } from './person';
import { RunPrinter } from './run-printer';
import { systemClock } from './system-clock';
import type { Terminal } from './terminal';
import type { World } from './world';

export interface Watch {
  readonly watching: Watching;
  /** Where lines are printed. */
  readonly screen: Terminal;
  readonly world: World;
  /** Ctrl+C while the keys are read; absent: like the signal. */
  readonly onInterrupt?: () => void;
  /** The lines of what was shown in the view are left out afterwards. */
  readonly isShownOnce?: boolean;
}

export interface Watched {
  readonly state: RunState;
  /** Commands that nobody allowed. */
  readonly refusedCommands: number;
}

/** Shows a run until it is over: on the whole screen where a person watches, else in lines. An interrupt stops it. */
export async function watchRun(handle: RunHandle, watch: Watch): Promise<Watched> {
  const { screen, world, watching, isShownOnce = false } = watch;
  const { interrupted, notes } = world;
  let isDrawing = showsLiveView(world, watching);
  const stopping = onAbort(interrupted, () => {
    if (!isDrawing) {
      notes.write('\nStopping; press Ctrl+C again to leave at once.\n');
    }
    handle.stop();
  });
  const printer = new RunPrinter(screen);
  // Every state that the view shows is printed in its turn afterwards.
  const first = handle.state();
  const missed: (() => void)[] = [() => printer.update([], first)];
  let print = (update: () => void): void => void missed.push(update);
  const listening = handle.onEvents((events, state) => print(() => printer.update(events, state)));
  const end = isDrawing ? await draw(handle, watch) : 'left';
  isDrawing = false;
  if (end === 'left' || !isShownOnce) {
    missed.forEach((update) => update());
  }
  print = (update) => update();
  const asking = await askInLines(handle, watch);
  const state = await handle.ended;
  [asking, stopping, listening].forEach((each) => each.dispose());
  if (end === 'left' || !isShownOnce) {
    printer.update([], state);
  }
  return { state, refusedCommands: printer.refusedCommands };
}

async function draw(handle: RunHandle, watch: Watch): Promise<'ended' | 'left'> {
  const { output, notes, input } = watch.world;
  if (output.screen === undefined) {
    return 'left';
  }
  const { watchLive } = await import('./live-view/live-view.lazy');
  return watchLive(handle, {
    ...{ screen: output.screen, terminal: output, keyboard: input, notes },
    clock: systemClock,
    onInterrupt: watch.onInterrupt ?? interruptSelf,
  });
}

async function askInLines(handle: RunHandle, watch: Watch): Promise<Disposable> {
  const { world, watching, screen } = watch;
  if (!isPersonThere(world, watching) || handle.state().outcome !== null) {
    return toDisposable(() => undefined);
  }
  const { LineQuestions } = await import('./live-view/live-view.lazy');
  const questions = new LineQuestions(handle, {
    keyboard: world.input,
    terminal: screen,
    clock: systemClock,
    onInterrupt: watch.onInterrupt ?? interruptSelf,
  });
  questions.update(handle.state());
  const listening = handle.onEvents((_events, state) => questions.update(state));
  return toDisposable(() => {
    listening.dispose();
    questions.dispose();
  });
}

/** While keys are read one by one, Ctrl+C is a key and no signal. */
function interruptSelf(): void {
  process.kill(process.pid, 'SIGINT');
}
