import { approvalPlace } from '../../run/selectors/approval-place';
import { askedFor, reachOf, wishOf } from '../../run/selectors/approval-words';
import { agentName } from '../../run/selectors/names';
import type { ApprovalState, RunState } from '../../run/state';
import { type Line, oneLine, wrapped } from './text-cells';

/** What is asked is in sight for at least this long before a key answers it, ms. */
export const settling = 700;

/** What an agent asks for, as the first of those that wait: all of it, so that nothing is allowed unread. */
export function approvalLines(
  approval: ApprovalState,
  { contextRoots, approvals }: RunState,
  width: number,
): readonly Line[] {
  const room = width - 4;
  const more = approvals.length - 1;
  const place = approvalPlace(approval.cwd, contextRoots);
  const isCommand = approval.isRequest !== true && approval.isTool !== true;
  const indented = (text: string): string => `    ${text}`;
  return [
    [
      { text: `  ! ${agentName(approval.slot)} ${wishOf(approval)}`, style: 'yellow' },
      { text: more === 0 ? '' : `  (${more} more wait)`, style: 'dim' },
    ],
    ...wrapped(oneLine(askedFor(approval)), room).map((text): Line => [
      { text: indented(text), style: 'bold' },
    ]),
    ...wrapped(oneLine(`${isCommand ? `In ${place}. ` : ''}${reachOf(approval)}`), room).map(
      (text): Line => [{ text: indented(text) }],
    ),
  ];
}

export const approvalKeys = 'y allow once   a allow for this run   n or Enter deny';
/** Where the text does not fit on the screen it cannot have been read. */
export const approvalTooLong =
  'Too long for this window: make it larger to allow it.   n or Enter deny';
