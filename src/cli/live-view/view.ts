// What the screen shows and what a key does to it: plain data and functions.
import type { Label, Slot } from '../../base/ids';
import type { ApprovalState, RunState } from '../../run/state';
import type { Key } from './keys';

export type Page =
  | { readonly kind: 'team' }
  | { readonly kind: 'agent'; readonly slot: Slot }
  | { readonly kind: 'status' }
  | { readonly kind: 'votes' }
  | { readonly kind: 'answer' }
  | { readonly kind: 'help' };

export interface View {
  readonly page: Page;
  /** Lines of the page above the screen; `end`: its end stays in sight as it grows. */
  readonly scroll: number | 'end';
  /** A question at the lower edge instead of the keys. */
  readonly asks: 'leave' | 'choice' | null;
  /** The user wanted the run to stop. */
  readonly isStopping: boolean;
  /** The whole text of what an agent asks for has been on the screen. */
  readonly readApproval: string | null;
}

export const firstView: View = {
  page: { kind: 'team' },
  scroll: 0,
  asks: null,
  isStopping: false,
  readApproval: null,
};

export type Effect =
  | { readonly kind: 'interrupt' | 'stop' | 'leave' | 'suspend' }
  | {
      readonly kind: 'decide';
      readonly approval: ApprovalState;
      readonly decision: 'allow-once' | 'allow-run' | 'deny';
    }
  | { readonly kind: 'choose'; readonly label: Label };

export interface Answer {
  readonly view: View;
  readonly effect?: Effect;
}

/** What the screen knows while a key is pressed. */
export interface Circumstances {
  readonly state: RunState;
  /** Lines of the page, and how many of them are in sight. */
  readonly lines: number;
  readonly rows: number;
  /** What an agent asks for has been in sight long enough to be meant by the key. */
  readonly isApprovalSettled: boolean;
}

/** Keys that the view does not know change nothing. */
export function press(view: View, key: Key, now: Circumstances): Answer {
  switch (key) {
    case 'ctrl+c':
      return { view: { ...view, isStopping: true }, effect: { kind: 'interrupt' } };
    case 'ctrl+z':
      return { view, effect: { kind: 'suspend' } };
  }
  if (view.asks === 'leave') {
    return answerLeaving(view, key);
  }
  const [approval] = now.state.approvals;
  return (
    (approval === undefined ? undefined : decide(view, key, approval, now)) ??
    (view.asks === 'choice' ? choose(view, key, now.state) : undefined) ??
    turnPage(view, key, now) ?? { view }
  );
}

function answerLeaving(view: View, key: Key): Answer {
  const closed: View = { ...view, asks: null };
  return key === 's'
    ? { view: { ...closed, isStopping: true }, effect: { kind: 'stop' } }
    : key === 'l'
      ? { view: closed, effect: { kind: 'leave' } }
      : { view: closed };
}

/** Nothing is allowed by a key that was on its way before the question could be read. */
function decide(
  view: View,
  key: Key,
  approval: ApprovalState,
  { isApprovalSettled }: Circumstances,
): Answer | undefined {
  const isReadable = isApprovalSettled && view.readApproval === approval.approvalId;
  switch (key) {
    case 'y':
      return isReadable ? withDecision(view, approval, 'allow-once') : { view };
    case 'a':
      return isReadable ? withDecision(view, approval, 'allow-run') : { view };
    case 'n':
    case 'return':
      return isApprovalSettled ? withDecision(view, approval, 'deny') : { view };
    default:
      return undefined;
  }
}

function withDecision(
  view: View,
  approval: ApprovalState,
  decision: 'allow-once' | 'allow-run' | 'deny',
): Answer {
  return { view, effect: { kind: 'decide', approval, decision } };
}

function choose(view: View, key: Key, state: RunState): Answer {
  const closed: View = { ...view, asks: null };
  const label = state.agents[Number(key) - 1]?.revisions.at(-1)?.label;
  return label === undefined
    ? { view: closed }
    : { view: closed, effect: { kind: 'choose', label } };
}

const pages: Readonly<Record<Key, Page>> = {
  t: { kind: 'team' },
  escape: { kind: 'team' },
  s: { kind: 'status' },
  r: { kind: 'votes' },
  f: { kind: 'answer' },
  '?': { kind: 'help' },
  h: { kind: 'help' },
};

function turnPage(view: View, key: Key, now: Circumstances): Answer | undefined {
  const { state } = now;
  if (key === 'q') {
    return view.page.kind === 'team'
      ? { view: { ...view, asks: 'leave' } }
      : { view: open(view, { kind: 'team' }) };
  }
  if (key === 'c' && canChooseNow(state)) {
    return { view: { ...view, asks: 'choice' } };
  }
  if (/^[1-9]$/.test(key)) {
    const agent = state.agents[Number(key) - 1];
    return agent === undefined
      ? undefined
      : { view: open(view, { kind: 'agent', slot: agent.info.slot }) };
  }
  const page = pages[key];
  return page === undefined ? scrolled(view, key, now) : { view: open(view, page) };
}

/** The team cannot agree, and its rule says that the user is asked. */
export function canChooseNow({ poll, settings }: RunState): boolean {
  return poll.kind === 'judge' && settings.onSplit === 'human';
}

/** Where an agent is at work the newest is looked for, elsewhere the beginning. The same key again leads back. */
function open(view: View, page: Page): View {
  const isSame =
    page.kind === view.page.kind &&
    (page.kind !== 'agent' || view.page.kind !== 'agent' || page.slot === view.page.slot);
  const next: Page = isSame ? { kind: 'team' } : page;
  return { ...view, page: next, scroll: next.kind === 'agent' ? 'end' : 0 };
}

function scrolled(view: View, key: Key, { lines, rows }: Circumstances): Answer | undefined {
  const last = Math.max(0, lines - rows);
  const at = view.scroll === 'end' ? last : Math.min(view.scroll, last);
  const steps: Readonly<Record<Key, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageup: 1 - rows,
    b: 1 - rows,
    pagedown: rows - 1,
    space: rows - 1,
    home: -last,
    g: -last,
    end: last,
    G: last,
  };
  const step = steps[key];
  if (step === undefined) {
    return undefined;
  }
  const to = Math.max(0, Math.min(last, at + step));
  return { view: { ...view, scroll: to === last && view.page.kind === 'agent' ? 'end' : to } };
}
