// What is left out of Accept All, and what to think about before it is accepted apart.
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ReviewFile } from '../../run/state';

type Cautioned = Pick<ReviewFile, 'path' | 'caution' | 'modes'>;

/** A few words for a row; empty where nothing is special. */
export function cautionInWords({ caution }: Cautioned): string {
  switch (caution) {
    case 'ignored':
      return vscode.l10n.t('Ignored file');
    case 'sensitive':
      return vscode.l10n.t('Needs its own Accept');
    default:
      return '';
  }
}

/** What accepting it may lead to, in one sentence. */
export function riskOf(file: Cautioned): string {
  if (file.caution === 'ignored') {
    return vscode.l10n.t('Git ignores it, so no later diff will show what was changed.');
  }
  if (becomesProgram(file)) {
    return vscode.l10n.t('It becomes a program that can be started.');
  }
  const kind = kinds.find(([pattern]) => pattern.test(file.path.toLowerCase()))?.[1] ?? 'runs';
  switch (kind) {
    case 'editor':
      return vscode.l10n.t('The editor reads it: it can change settings and start tasks.');
    case 'build':
      return vscode.l10n.t('It can run commands on a build server or in a container.');
    case 'agents':
      return vscode.l10n.t('Agents take it for instructions, or start programs that it names.');
    case 'runs':
      return vscode.l10n.t('Tools read it, and it can make them run commands later.');
  }
}

function becomesProgram({ modes }: Cautioned): boolean {
  const canRun = (mode: number | null): boolean => ((mode ?? 0) & 0o111) !== 0;
  return modes !== undefined && canRun(modes.after) && !canRun(modes.before);
}

const kinds: readonly (readonly [RegExp, 'editor' | 'build' | 'agents'])[] = [
  [/(^|\/)\.vscode\/|\.code-workspace$/, 'editor'],
  [
    /(^|\/)\.devcontainer|(^|\/)\.(github|circleci|ci)\/|\.gitlab-ci|pipelines|jenkinsfile/,
    'build',
  ],
  [/(^|\/)\.(mcp\.json|cursor|claude|roo|massgen)|(agents|claude|gemini)\.md$/, 'agents'],
];

/** Asks for each of the files in one question. Closing it accepts none. */
export async function confirmCautioned(files: readonly Cautioned[]): Promise<boolean> {
  const [first] = files;
  if (first === undefined) {
    return true;
  }
  const question =
    files.length === 1
      ? vscode.l10n.t('Accept {0}?', posix.basename(first.path))
      : vscode.l10n.t('Accept these {0} files?', files.length);
  const detail = files.map((file) => `${file.path}: ${riskOf(file)}`).join('\n');
  const accept = vscode.l10n.t('Accept');
  return (
    (await vscode.window.showWarningMessage(question, { modal: true, detail }, accept)) === accept
  );
}
