// Whether a person is there, and what that changes.
import type { StartRunRequest } from '../app/app-contract';
import type { World } from './world';

export interface Watching {
  /** `simple`: lines; `live`: the view, also without color; `undefined`: the view where it can be drawn in color. */
  readonly display: 'simple' | 'live' | undefined;
  /** A script reads the output; nobody is asked anything then. */
  readonly automation?: boolean;
}

export function isPersonThere({ input }: World, { automation = false }: Watching): boolean {
  return input.isInteractive && !automation;
}

/** Where a person watches on a terminal that can be drawn on. `NO_COLOR` and simple terminals get lines. */
export function showsLiveView(world: World, watching: Watching): boolean {
  const { output, environment } = world;
  const canDraw = output.screen !== undefined && environment['TERM'] !== 'dumb';
  return (
    canDraw &&
    isPersonThere(world, watching) &&
    (watching.display === 'live' || (watching.display === undefined && output.hasColor))
  );
}

/** The person is asked for each command that would be refused, and for the choice that a rule leaves to the user. */
export function withPerson(request: StartRunRequest): StartRunRequest {
  const { commandPolicy } = request;
  return {
    ...request,
    canAskPerson: true,
    commandPolicy: {
      decide(command) {
        const decided = commandPolicy.decide(command);
        return decided?.isAllowed === true ? decided : undefined;
      },
      remember: (command) => commandPolicy.remember(command),
    },
  };
}
