// From another agent: what other answers have in a place, and taking it over.
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import type { Alternative, PickResult, ReviewSession } from '../../core/ports/review';
import type { PickedPart } from '../../run/facts';
import { playerName } from '../../run/selectors/player-name';
import { checksOf } from './check-words';
import { openAlternativeDiff } from './diff-editors';
import { inOrder, offeredParts, withAlternative, withoutOverlapped } from './mixing';
import { pickedParts } from './parts';
import type { ProposalTarget } from './proposal-uri';
import { fileOf, partOf, toReviewTarget } from './review-targets';
import { capitalized, lineCounts, linesOf, withoutIcons } from './review-words';

type Choice =
  { readonly kind: 'take'; readonly alternative: Alternative } | { readonly kind: 'parts' };

interface Place {
  readonly run: RunHandle;
  readonly session: ReviewSession;
  readonly target: ProposalTarget;
  readonly now: readonly PickedPart[];
  readonly others: readonly Alternative[];
}

/** Asks which answer to take from and changes the proposal; writes nothing to the user's files. */
export async function takeFromAnother(
  run: RunHandle,
  target: ProposalTarget,
  signal: AbortSignal,
): Promise<void> {
  const session = run.review();
  const file = fileOf(run, target);
  const { review } = run.state();
  if (session === undefined || file === undefined || review === null) {
    return;
  }
  const others = await session.alternatives(toReviewTarget(target), signal);
  if (others.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No other answer changes this place of {0}.', posix.basename(target.path)),
    );
    return;
  }
  const now = pickedParts(file, review.label);
  const place: Place = { run, session, target, now, others };
  const choice = await chooseAnswer(place);
  if (choice === undefined) {
    return;
  }
  const wanted =
    choice.kind === 'take'
      ? withAlternative(now, choice.alternative, target.hunk)
      : await chooseParts(place);
  if (wanted !== undefined) {
    await propose(place, wanted, signal);
  }
}

async function propose(
  place: Place,
  wanted: readonly PickedPart[],
  signal: AbortSignal,
): Promise<void> {
  const { session, target, now } = place;
  const file = { root: target.root, path: target.path };
  const result = await session.pick(file, wanted, signal);
  if (result.kind !== 'overlap') {
    told(result);
    return;
  }
  const isNew = (part: PickedPart): boolean => now.every(({ hunk }) => hunk?.id !== part.hunk?.id);
  const rest = withoutOverlapped(wanted, result.pairs, isNew);
  const take = vscode.l10n.t('Take the New One');
  const canTake = rest.length < wanted.length;
  const text = overlapInWords(result.pairs);
  const choice = await vscode.window.showWarningMessage(text, ...(canTake ? [take] : []));
  if (choice === take) {
    told(await session.pick(file, rest, signal));
  }
}

function told(result: PickResult): void {
  switch (result.kind) {
    case 'picked':
      vscode.window.setStatusBarMessage(vscode.l10n.t('MassGen: proposal changed'), 5_000);
      return;
    case 'overlap':
      void vscode.window.showWarningMessage(overlapInWords(result.pairs));
      return;
    case 'refused':
      void vscode.window.showWarningMessage(result.detail);
      return;
  }
}

/** `agent1.1, lines 12–24, and agent2.1, lines 10–13, overlap: only one of them can be taken.` */
function overlapInWords(pairs: readonly (readonly [PickedPart, PickedPart])[]): string {
  const [first] = pairs;
  const name = (part: PickedPart | undefined): string =>
    part?.hunk === undefined
      ? (part?.label ?? '')
      : vscode.l10n.t('{0}, {1},', part.label, linesOf(part.hunk));
  return vscode.l10n.t(
    '{0} and {1} overlap: only one of them can be taken.',
    name(first?.[0]),
    name(first?.[1]),
  );
}

interface AnswerItem extends vscode.QuickPickItem {
  readonly choice: Choice;
}

/** The preview of an answer is opened by its button and by nothing else. */
async function chooseAnswer(place: Place): Promise<Choice | undefined> {
  const { run, target, others } = place;
  const picker = vscode.window.createQuickPick<AnswerItem>();
  const preview: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('diff'),
    tooltip: vscode.l10n.t('Show the Difference'),
  };
  const items = others.map((alternative): AnswerItem => ({
    ...answerInWords(place, alternative),
    buttons: [preview],
    choice: { kind: 'take', alternative },
  }));
  const canMix =
    target.hunk === undefined && others.some(({ change }) => (change.hunks ?? []).length > 0);
  picker.items = canMix ? [...items, partsItem] : items;
  const part = partOf(run, target);
  const name = posix.basename(target.path);
  picker.title = vscode.l10n.t(
    'From another agent: {0}',
    part === undefined ? name : `${name}, ${linesOf(part.hunk)}`,
  );
  picker.placeholder = vscode.l10n.t('Choose what to propose here; your file stays as it is');
  picker.onDidTriggerItemButton(({ item }) => {
    if (item.choice.kind === 'take') {
      picker.ignoreFocusOut = true;
      void openAlternativeDiff(run, target, item.choice.alternative.label);
    }
  });
  try {
    return await new Promise<Choice | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems[0]?.choice));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

const partsItem: AnswerItem = {
  label: vscode.l10n.t('Choose Hunks of All Answers…'),
  choice: { kind: 'parts' },
};

function answerInWords(
  { run, target }: Place,
  { label, change, hunks, isSame }: Alternative,
): vscode.QuickPickItem {
  const author = run
    .state()
    .agents.find(({ revisions }) => revisions.some((revision) => revision.label === label));
  const places = target.hunk === undefined ? [] : hunks.map(linesOf);
  return {
    label,
    description: [
      author === undefined ? '' : playerName(author.info),
      lineCounts(change),
      target.hunk === undefined ? vscode.l10n.t('whole file') : '',
      ...places,
      isSame ? vscode.l10n.t('the same as proposed now') : '',
    ]
      .filter((word) => word !== '')
      .join(' · '),
    detail: checksOf(run.state(), label) ?? vscode.l10n.t('Not checked.'),
  };
}

interface PartItem extends vscode.QuickPickItem {
  readonly part: PickedPart;
}

/** `undefined` when the user has thought better of it. Choosing none proposes to leave the file alone. */
async function chooseParts(place: Place): Promise<readonly PickedPart[] | undefined> {
  const items = offeredParts(place.now, place.others).map(
    ({ part, hunk, labels, isProposed }): PartItem => ({
      label: capitalized(linesOf(hunk)),
      description: `${lineCounts(hunk)} · ${labels.join(', ')}`,
      detail: withoutIcons(hunk.title),
      picked: isProposed,
      part,
    }),
  );
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Hunks to propose for {0}', posix.basename(place.target.path)),
    placeHolder: vscode.l10n.t('Tick what shall be proposed; your file stays as it is'),
    canPickMany: true,
  });
  return chosen === undefined ? undefined : inOrder(chosen.map(({ part }) => part));
}
