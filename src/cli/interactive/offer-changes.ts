import type { RunHandle } from '../../app/app-contract';
import { counted } from '../../run/selectors/formats';
import { selectChangedFiles } from '../../run/selectors/changed-files';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import { language } from '../language';
import { printSection } from '../print-section';
import { applyProposal, readDiff } from '../proposal';
import { styled, type Style, type Terminal } from '../terminal';
import type { Conversation } from './conversation';

/** Asks whether the changes of an answer are written; nothing is without a yes. */
export async function offerChanges(talk: Conversation, handle: RunHandle): Promise<void> {
  const { prompt, terminal, options, world } = talk.setting;
  const { pendingForAll } = selectChangedFiles(handle.state(), language);
  if (pendingForAll === 0) {
    return;
  }
  if (options.apply) {
    return applyChanges(handle, terminal, world.interrupted);
  }
  const places = talk.folders
    .filter(({ permission }) => permission === 'write')
    .map(({ path }) => revealOnOneLine(path));
  for (;;) {
    const question = `Write ${counted(pendingForAll, 'file', 'files')} into ${places.join(', ')}? [y/N/diff] `;
    const said = (await prompt.choose(question, world.interrupted))?.toLowerCase();
    if (said === 'y' || said === 'yes') {
      return applyChanges(handle, terminal, world.interrupted);
    }
    if (said !== 'd' && said !== 'diff') {
      terminal.write('Nothing was written. /apply writes it later, /diff shows it.\n');
      return;
    }
    await printDiff(handle, terminal, world.interrupted);
  }
}

/** Which files an answer would change. */
export function listChanges(handle: RunHandle, terminal: Terminal): void {
  const { files, count, added, removed } = selectChangedFiles(handle.state(), language);
  if (files.length === 0) {
    return;
  }
  const lines = files.map((file) => {
    const apart = file.waitsApart ? 'needs your own word in VS Code' : '';
    const words = [file.path, file.added, file.removed, ...file.tags, file.decisionText, apart];
    return revealOnOneLine(words.filter((word) => word !== '').join('  '));
  });
  printSection(`Proposed changes: ${count} ${added} ${removed}`, lines, terminal);
}

const styles: Readonly<Record<string, Style>> = {
  head: 'bold',
  hunk: 'cyan',
  added: 'green',
  removed: 'red',
  note: 'dim',
};

export async function printDiff(
  handle: RunHandle,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const diffs = await readDiff(handle, signal);
  if (diffs.length === 0) {
    terminal.write('No file would be changed.\n');
  }
  for (const { kind, text } of diffs.flat()) {
    const style = styles[kind];
    terminal.write(`${style === undefined ? text : styled(text, style, terminal)}\n`);
  }
}

/** Writes what needs no decision of its own, and says of each file what became of it. */
export async function applyChanges(
  handle: RunHandle,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const results = await applyProposal(handle, signal);
  if (results.length === 0) {
    terminal.write('There is nothing to write.\n');
  }
  for (const { path, outcome, detail } of results) {
    const note = detail === '' ? '' : `: ${revealOnOneLine(detail)}`;
    const words = outcome === 'done' ? 'Written' : 'Not written';
    terminal.write(`${words}: ${revealOnOneLine(path)}${note}\n`);
  }
}
