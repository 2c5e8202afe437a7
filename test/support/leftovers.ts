import { getEventListeners } from 'node:events';
import type { FakeClock } from './fake-clock';
import type { InMemoryWorkspace } from './in-memory-workspace';
import type { ScriptedBackend } from './scripted-backend';

/** The far ends of a run that only this run uses, models and files by slot. */
export interface FarEnds {
  readonly clock: FakeClock;
  readonly backends: ReadonlyMap<number, ScriptedBackend>;
  readonly workspaces: ReadonlyMap<number, InMemoryWorkspace>;
}

/** Throws when a run that is over has left anything that waits, listens, works or is open. */
export function checkLeftovers({ clock, backends, workspaces }: FarEnds): void {
  const left = [
    ...(clock.pending === 0 ? [] : [`${clock.pending} timers`]),
    ...[...backends].flatMap(([slot, backend]) => ofBackend(`agent${slot}`, backend)),
    ...[...workspaces].flatMap(([slot, { isClosed }]) =>
      isClosed ? [] : [`the files of agent${slot}`],
    ),
  ];
  if (left.length > 0) {
    throw new Error(`the run is over and has left behind: ${left.join(', ')}`);
  }
}

function ofBackend(agent: string, { open, isClosed, signals }: ScriptedBackend): readonly string[] {
  const listeners = [...signals].reduce(
    (sum, signal) => sum + getEventListeners(signal, 'abort').length,
    0,
  );
  return [
    ...(open > 0 ? [`${open} calls of ${agent}`] : []),
    ...(isClosed ? [] : [`the model of ${agent}`]),
    ...(listeners > 0 ? [`${listeners} listeners of ${agent}`] : []),
  ];
}
