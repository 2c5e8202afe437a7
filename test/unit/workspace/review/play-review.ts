// Plays a random story on a real project and looks after each step whether anything was lost.
import { expect } from 'vitest';
import type { ReviewResult, ReviewSession } from '../../../../src/core/ports/review';
import type { ReviewFile } from '../../../../src/run/state';
import { never } from '../temp-project';
import type { Step, Story } from './random-reviews';
import { crashingFiles, userStep } from './random-reviews';
import type { ReviewBench } from './review-bench';
import { readTree, reviewOf, target } from './review-bench';

interface Play {
  readonly bench: ReviewBench;
  session: ReviewSession;
}

/** Answers the bench as the story left it. */
export async function playReview(story: Story): Promise<Play> {
  const { base, answers, moves, steps } = story;
  const bench = reviewOf(base, answers[0], { moves, others: { 'agent2.1': answers[1] } });
  const play: Play = { bench, session: bench.session };
  for (const step of steps) {
    await playStep(play, step);
  }
  return play;
}

async function playStep(play: Play, step: Step): Promise<void> {
  const { project } = play.bench;
  switch (step.kind) {
    case 'edit':
    case 'delete':
    case 'move':
    case 'chmod':
      userStep(project, pathNow(play, step.file), step);
      return;
    case 'accept':
    case 'undo':
    case 'reject':
    case 'accept-all':
    case 'undo-all': {
      const before = readTree(project);
      const results = await decide(play, step);
      keepsUserLines(project, before);
      // A decision that is only noted, or that was refused for all it was asked for, touches no byte.
      const isIdle = results.every(({ outcome }) => outcome === 'skipped' || outcome === 'failed');
      if (step.kind === 'reject' || isIdle) {
        expect(readTree(project)).toEqual(before);
      }
      return;
    }
    case 'there-and-back':
      return thereAndBack(play, step);
    case 'crash':
      return crash(play, step);
    default:
      return lookAround(play, step);
  }
}

/** Looking, picking and reopening change nothing. */
async function lookAround(
  play: Play,
  step: Extract<Step, { readonly kind: 'reopen' | 'look' | 'pick' }>,
): Promise<void> {
  const before = readTree(play.bench.project);
  if (step.kind === 'reopen') {
    play.session = play.bench.reopen();
  } else if (step.kind === 'pick') {
    await pick(play, step);
  } else {
    for (const file of play.session.subject.files) {
      await play.session.versions(file, never);
    }
    await play.session.composed(never);
    await play.session.patch(never);
  }
  expect(readTree(play.bench.project)).toEqual(before);
}

async function decide(
  play: Play,
  step: Extract<Step, { readonly kind: 'accept' | 'undo' | 'reject' | 'accept-all' | 'undo-all' }>,
): Promise<readonly ReviewResult[]> {
  switch (step.kind) {
    case 'accept-all':
      return play.session.accept(undefined, never);
    case 'undo-all':
      return play.session.undo(undefined, never);
    case 'accept':
      return play.session.accept([targetOf(play, step)], never);
    case 'undo':
      return play.session.undo([targetOf(play, step)], never);
    case 'reject':
      return play.session.reject([targetOf(play, step)]);
  }
}

/** What was just accepted and taken back leaves the project as it was, whatever the user did before. */
async function thereAndBack(
  play: Play,
  step: { readonly file: number; readonly part: number },
): Promise<void> {
  const { project } = play.bench;
  const asked = targetOf(play, step);
  const file = fileAt(play, step.file);
  const before = readTree(project);
  if (file === undefined || (await isTouched(play, file))) {
    return;
  }
  const [accepted] = await play.session.accept([asked], never);
  keepsUserLines(project, before);
  play.session = play.bench.reopen();
  const [undone] = await play.session.undo([asked], never);
  if (accepted?.outcome === 'done') {
    expect(undone?.outcome).toBe('done');
  }
  expect(readTree(project)).toEqual(before);
}

/** Whether something of a file was accepted before. */
async function isTouched(play: Play, file: ReviewFile): Promise<boolean> {
  const { hunks } = await play.session.versions(file, never);
  const isPart = hunks.some(({ decision }) => decision === 'accepted' || decision === 'rejected');
  return isPart || play.bench.events.some(({ path }) => path === file.path);
}

async function crash(
  play: Play,
  { file, at, isAfter }: { readonly file: number; readonly at: number; readonly isAfter: boolean },
): Promise<void> {
  const { project } = play.bench;
  const asked = [targetOf(play, { file, part: 99 })];
  const before = readTree(project);
  await play.bench.reopen(crashingFiles(at, isAfter)).accept(asked, never);
  const torn = readTree(project);
  keepsUserLines(project, before, 'twice');
  play.session = play.bench.reopen();
  await play.session.accept(asked, never);
  const whole = readTree(project);
  for (const [path, now] of Object.entries(torn)) {
    expect([before[path], whole[path]]).toContain(now);
  }
  keepsUserLines(project, before);
}

async function pick(
  play: Play,
  {
    file,
    part,
    isWhole,
  }: { readonly file: number; readonly part: number; readonly isWhole: boolean },
): Promise<void> {
  const asked = fileAt(play, file);
  const found = asked === undefined ? [] : await play.session.alternatives(asked, never);
  const [one] = found;
  if (asked === undefined || one === undefined) {
    return;
  }
  const hunk = one.hunks[part % Math.max(1, one.hunks.length)];
  const { hunks } = await play.session.versions(asked, never);
  const own = hunks.map(({ info, from }) => ({ label: from, hunk: info }));
  const parts =
    isWhole || hunk === undefined ? [{ label: one.label }] : [...own, { label: one.label, hunk }];
  const result = await play.session.pick({ root: asked.root, path: asked.path }, parts, never);
  expect(['picked', 'overlap', 'refused']).toContain(result.kind);
}

function fileAt({ session }: Play, index: number): ReviewFile | undefined {
  const { files } = session.subject;
  return files[index % Math.max(1, files.length)];
}

/** The place of a file of the review now: moves that were accepted included. */
function pathNow(play: Play, index: number): string {
  const file = fileAt(play, index);
  const tree = readTree(play.bench.project);
  return file === undefined ? 'none' : file.path in tree ? file.path : (file.from ?? file.path);
}

function targetOf(
  play: Play,
  { file, part }: { readonly file: number; readonly part: number },
): ReturnType<typeof target> {
  const found = fileAt(play, file);
  const hunk = found?.hunks?.[part];
  return target(found?.path ?? 'none', hunk?.id);
}

/** Lines that only the user wrote stay in their order, each once; `twice`: a file in mid-move is in two places. */
function keepsUserLines(
  project: string,
  before: Readonly<Record<string, string>>,
  mode: 'once' | 'twice' = 'once',
): void {
  const [old, now] = [userLines(before), userLines(readTree(project))];
  expect(mode === 'once' ? now : [...new Set(now)]).toEqual(old);
}

function userLines(tree: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(tree)
    .map((text) => (text.match(/mine \d+/g) ?? []).join(','))
    .filter((lines) => lines !== '')
    .sort();
}
