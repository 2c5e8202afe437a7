import { describe, expect, it } from 'vitest';
import { firstView, press, type View } from '../../../../src/cli/live-view/view';
import type { RunEvent } from '../../../../src/run/events';
import { stateAfter, sampleRunEvents, upTo } from '../../../support/sample-run';

const atWork = stateAfter(sampleRunEvents.slice(0, 3));
const asked: readonly RunEvent[] = [
  ...sampleRunEvents.slice(0, 3),
  {
    type: 'approval-requested',
    ...{ slot: 1, turnNo: 1, approvalId: 'a', command: 'npm test', cwd: '/w', isConfined: false },
    hash: 'h',
  },
];

const now = { state: atWork, lines: 100, rows: 20, isApprovalSettled: true };
const keys = (view: View, ...pressed: readonly string[]): View =>
  pressed.reduce((each, key) => press(each, key, now).view, view);

describe('a key in the view of a run', () => {
  it.each([
    ['1', { kind: 'agent', slot: 1 }],
    ['2', { kind: 'agent', slot: 2 }],
    ['s', { kind: 'status' }],
    ['r', { kind: 'votes' }],
    ['f', { kind: 'answer' }],
    ['?', { kind: 'help' }],
  ])('%s opens its page, and again leads back to the team', (key, page) => {
    expect(keys(firstView, key).page).toEqual(page);
    expect(keys(firstView, key, key).page).toEqual({ kind: 'team' });
    expect(keys(firstView, key, 'escape').page).toEqual({ kind: 'team' });
  });

  it('that means nothing changes nothing, and there is no agent 7', () => {
    expect(keys(firstView, 'x', '7', 'tab')).toEqual(firstView);
  });

  it('moves within a page, never beyond its ends', () => {
    expect(keys(firstView, 's', 'down', 'down', 'up').scroll).toBe(1);
    expect(keys(firstView, 's', 'up').scroll).toBe(0);
    expect(keys(firstView, 's', 'G').scroll).toBe(80);
    expect(keys(firstView, 's', 'pagedown').scroll).toBe(19);
    expect(keys(firstView, 's', 'G', 'down', 'g').scroll).toBe(0);
  });

  it('follows what an agent writes until the user moves up, and again at the end', () => {
    expect(keys(firstView, '1').scroll).toBe('end');
    expect(keys(firstView, '1', 'up').scroll).toBe(79);
    expect(keys(firstView, '1', 'up', 'down').scroll).toBe('end');
  });

  it('q asks first; s stops, l leaves the view, everything else stays', () => {
    const leaving = keys(firstView, 'q');
    expect(leaving.asks).toBe('leave');
    expect(press(leaving, 's', now).effect).toEqual({ kind: 'stop' });
    expect(press(leaving, 'l', now).effect).toEqual({ kind: 'leave' });
    expect(press(leaving, 'x', now)).toEqual({ view: firstView });
    expect(keys(firstView, 's', 'q').page).toEqual({ kind: 'team' });
  });

  it('Ctrl+C interrupts wherever the user is', () => {
    for (const view of [firstView, keys(firstView, 'q'), keys(firstView, '1')]) {
      expect(press(view, 'ctrl+c', now).effect).toEqual({ kind: 'interrupt' });
    }
  });
});

describe('what an agent asks for in the view', () => {
  const state = stateAfter(asked);
  const read: View = { ...firstView, readApproval: 'a' };
  const effectOf = (key: string, view: View, isApprovalSettled = true): unknown => {
    const effect = press(view, key, { ...now, state, isApprovalSettled }).effect;
    return effect?.kind === 'decide' ? effect.decision : effect;
  };

  it.each([
    ['y', 'allow-once'],
    ['a', 'allow-run'],
    ['n', 'deny'],
    ['return', 'deny'],
  ])('%s decides %s', (key, decision) => {
    expect(effectOf(key, read)).toBe(decision);
  });

  it('is not allowed by a key that was on its way before the question stood there', () => {
    for (const key of ['y', 'a', 'n', 'return']) {
      expect(effectOf(key, read, false)).toBeUndefined();
    }
  });

  it('cannot be allowed unread: not all of it fits on the screen', () => {
    expect(effectOf('y', firstView)).toBeUndefined();
    expect(effectOf('a', firstView)).toBeUndefined();
    expect(effectOf('n', firstView)).toBe('deny');
  });

  it('leaves the other keys as they are', () => {
    expect(press(read, '2', { ...now, state }).view.page).toEqual({ kind: 'agent', slot: 2 });
  });
});

describe('a vote that is left to the user', () => {
  const voted = stateAfter(upTo('vote-cast'));
  const split = {
    ...voted,
    settings: { ...voted.settings, onSplit: 'human' as const },
    poll: { kind: 'judge' as const, candidates: [1, 2] },
  };

  it('is decided with c and the number of an agent', () => {
    const { view } = press(firstView, 'c', { ...now, state: split });
    expect(view.asks).toBe('choice');
    expect(press(view, '2', { ...now, state: split }).effect).toEqual({
      kind: 'choose',
      label: 'agent2.1',
    });
    expect(press(view, '9', { ...now, state: split }).effect).toBeUndefined();
  });

  it('is not offered while the team decides', () => {
    expect(press(firstView, 'c', { ...now, state: voted })).toEqual({ view: firstView });
  });
});
