// What the votes say about a file or a part of it. Reasons are untrusted: they are shown as plain text.
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import type { Label } from '../../base/ids';
import { agentName } from '../../run/selectors/names';
import { revealHidden, revealOnOneLine } from '../../run/selectors/visible-text';
import type { ProposalTarget } from './proposal-uri';
import { type VoteReason, votesAbout } from './reasons';
import type { ReviewDesk } from './review-desk';
import { partOf } from './review-targets';
import { linesOf, withoutIcons } from './review-words';

interface WhyItem extends vscode.QuickPickItem {
  readonly answer?: Label;
}

/** Votes about the target, those that name something of it first. */
export async function reasonsFor(
  desk: ReviewDesk,
  run: RunHandle,
  target: ProposalTarget,
  signal: AbortSignal,
): Promise<readonly VoteReason[]> {
  const part = partOf(run, target);
  return votesAbout(run.state(), {
    path: target.path,
    ...(part === undefined ? {} : { hunk: part.hunk }),
    changedText: await changedText(desk, run, target, signal),
  });
}

/** Answers with the label of an answer that the user wants to read. */
export async function pickReason(
  desk: ReviewDesk,
  run: RunHandle,
  target: ProposalTarget,
  signal: AbortSignal,
): Promise<Label | undefined> {
  const votes = await reasonsFor(desk, run, target, signal);
  const named = votes.filter(({ names }) => names.length > 0);
  const others = votes.filter(({ names }) => names.length === 0);
  const part = partOf(run, target);
  const name = posix.basename(target.path);
  const where = part === undefined ? name : `${name}, ${linesOf(part.hunk)}`;
  const items: readonly WhyItem[] = [
    separator(
      named.length === 0 ? vscode.l10n.t('No vote names it') : vscode.l10n.t('Votes that name it'),
    ),
    ...named.map(toItem),
    ...(others.length === 0 ? [] : [separator(vscode.l10n.t('Votes about the whole answer'))]),
    ...others.map(toItem),
  ];
  const options = {
    title: vscode.l10n.t('Why: {0}', where),
    placeHolder:
      votes.length === 0
        ? vscode.l10n.t('No vote gave a reason.')
        : vscode.l10n.t('Choose a vote to read the answer it is for'),
    matchOnDetail: true,
  };
  return (await vscode.window.showQuickPick(items, options))?.answer;
}

/** For a hover: no links, no HTML, nothing of it is ever run. */
export function reasonsAsMarkdown(votes: readonly VoteReason[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  for (const { voter, target, reason, names } of votes.filter((vote) => vote.names.length > 0)) {
    text.appendText(`${votedInWords(voter, target)} (${names.join(', ')})`);
    text.appendCodeblock(revealHidden(reason), 'text');
  }
  return text;
}

function toItem({ voter, target, reason, names }: VoteReason): WhyItem {
  return {
    label: votedInWords(voter, target),
    description: withoutIcons(names.join(', ')),
    detail: withoutIcons(revealOnOneLine(reason)),
    answer: target,
  };
}

function votedInWords(voter: number, target: Label): string {
  return vscode.l10n.t('{0} voted {1}', agentName(voter), target);
}

function separator(label: string): WhyItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** The changed lines of the part, or the whole file before and after. */
async function changedText(
  desk: ReviewDesk,
  run: RunHandle,
  target: ProposalTarget,
  signal: AbortSignal,
): Promise<string> {
  const versions = await desk.versions(target, signal);
  const [before, after] = [versions?.base, versions?.proposed].map((bytes) =>
    Buffer.from(bytes ?? []).toString('utf8'),
  );
  const hunk = partOf(run, target)?.hunk;
  if (hunk === undefined) {
    return `${before ?? ''}\n${after ?? ''}`;
  }
  const lines = (text: string | undefined, start: number, count: number): readonly string[] =>
    (text ?? '').split(/\r\n|\r|\n/).slice(start, start + count);
  return [
    ...lines(before, hunk.baseStart, hunk.baseLines),
    ...lines(after, hunk.newStart, hunk.newLines),
    hunk.title,
  ].join('\n');
}
