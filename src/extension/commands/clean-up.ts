import * as vscode from 'vscode';
import type { StoredItem } from '../../app/app-contract';
import { clip } from '../../base/text';
import { formatWhen } from '../../run/selectors/formats';
import { withoutIcons } from '../review/review-words';
import type { CommandAction } from '../services';

interface UseItem extends vscode.QuickPickItem {
  readonly id?: string;
}

/** Shows what the product keeps on the disk, and removes what the user ticks. What is still needed cannot be ticked. */
export const cleanUp: CommandAction = async ({ app, host, signal }) => {
  const use = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('MassGen: reading sizes') },
    () => app.storageUse(signal),
  );
  const free = use.items.filter(({ keptBecause }) => keptBecause === undefined);
  const kept = use.items.filter(({ keptBecause }) => keptBecause !== undefined);
  const total = sizeInWords(use.bytes);
  if (free.length === 0) {
    void vscode.window.showInformationMessage(
      kept.length === 0
        ? vscode.l10n.t('Nothing is stored that could be removed.')
        : vscode.l10n.t(
            '{0} in use. All of it is at work, or has files that you have not decided about.',
            total,
          ),
    );
    return;
  }
  const ids = await pickItems(
    [
      ...free.map(toItem),
      { label: vscode.l10n.t('Kept'), kind: vscode.QuickPickItemKind.Separator },
      ...kept.map(toItem),
    ],
    vscode.l10n.t('Clean Up: {0} in use', total),
  );
  if (ids.length === 0) {
    return;
  }
  const freed = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('MassGen: cleaning up') },
    () => app.cleanUp(ids, signal),
  );
  host.touch();
  vscode.window.setStatusBarMessage(vscode.l10n.t('MassGen: {0} freed', sizeInWords(freed)), 5_000);
};

/** The ids that were ticked; empty when the list was closed. What has no id cannot be ticked. */
async function pickItems(items: readonly UseItem[], title: string): Promise<readonly string[]> {
  const picker = vscode.window.createQuickPick<UseItem>();
  picker.items = items;
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Tick what shall be removed for good');
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  const idsOf = (chosen: readonly UseItem[]): readonly string[] =>
    chosen.flatMap(({ id }) => (id === undefined ? [] : [id]));
  picker.onDidChangeSelection((chosen) => {
    const allowed = chosen.filter(({ id }) => id !== undefined);
    if (allowed.length < chosen.length) picker.selectedItems = allowed;
  });
  try {
    return await new Promise<readonly string[]>((resolve) => {
      picker.onDidAccept(() => resolve(idsOf(picker.selectedItems)));
      picker.onDidHide(() => resolve([]));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

/** What is kept has no id, and says why. */
function toItem({ id, kind, title, bytes, changedAt, keptBecause }: StoredItem): UseItem {
  const when = formatWhen(changedAt, Date.now(), vscode.env.language);
  const words = { run: '', tried: vscode.l10n.t('copy'), leftover: vscode.l10n.t('left over') };
  return {
    label: withoutIcons(clip(title.replace(/\s+/g, ' '), 80)),
    description: [sizeInWords(bytes), when, words[kind]].filter((word) => word !== '').join(' · '),
    ...(keptBecause === undefined ? { id } : { detail: keptBecause }),
  };
}

/** `1.4 MB`; sizes below one kilobyte are told as bytes. */
function sizeInWords(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 0), 4);
  return new Intl.NumberFormat(vscode.env.language, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}
