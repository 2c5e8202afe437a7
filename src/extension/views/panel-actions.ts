// Carries out what the user did in the run panel. Ids come from the view and are checked against what is known here.
import * as vscode from 'vscode';
import type { RunId } from '../../base/ids';
import type { FromView, HostAction } from '../../protocol/webview';
import { isDeliverable } from '../../run/selectors/deliverables';
import { setKeyOfTeam } from '../commands/keys';
import { commandTable } from '../commands/table';
import { openFileDiff } from '../review/diff-editors';
import type { Decision } from '../review/review-desk';
import type { ProposalTarget } from '../review/proposal-uri';
import { targetsOf } from '../review/review-desk';
import { startRun } from '../runs/start-run';
import type { CommandAction, Services } from '../services';
import { answerToClipboard, answerAtCursor, answerToNewFile, openLink } from './answer-actions';

export async function onPanelMessage(services: Services, message: FromView): Promise<void> {
  const { runs, texts } = services;
  switch (message.type) {
    case 'ready':
    case 'pong':
    case 'resync':
      return; // answered by the view's host side itself
    case 'start-run':
      return startRun(services, message.task);
    case 'stop-run':
      runs.get(message.runId)?.stop();
      return;
    case 'answer-now':
      runs.get(message.runId)?.answerNow(message.slot);
      return;
    case 'steer':
      runs.get(message.runId)?.steer(message.text, message.slots);
      return;
    case 'override':
      runs.get(message.runId)?.override(message.label);
      return;
    case 'revive-agent':
      runs.get(message.runId)?.revive(message.slot);
      return;
    case 'follow-up':
    case 'replay-run':
    case 'resume-run':
    case 'open-instructions':
    case 'open-artifacts':
      return;
    case 'show-run':
      runs.show(message.runId);
      return;
    case 'select-team':
      return commandTable['massgen.selectTeam'](services, [message.teamId]);
    case 'set-permission':
      return setPermission(services, message.folder, message.permission);
    case 'resolve-approval':
      runs.get(message.runId)?.resolveApproval(message.approvalId, message.hash, message.decision);
      return;
    case 'open-diff':
      return openDiff(services, message);
    case 'open-conflict':
      return openConflict(services, message);
    case 'accept-file':
    case 'reject-file':
    case 'undo-file':
    case 'accept-all':
    case 'reject-all':
    case 'undo-all':
      return decide(services, message);
    case 'open-review':
      return commandTable['massgen.openReview'](services, [message.runId]);
    case 'answer-to-clipboard':
      return answerToClipboard(answerOf(services, message.runId));
    case 'answer-at-cursor':
      return answerAtCursor(answerOf(services, message.runId));
    case 'answer-to-new-file':
      return answerToNewFile(answerOf(services, message.runId));
    case 'open-agent-text':
      return texts.show(message.runId, { kind: 'agent', slot: message.slot });
    case 'open-answer':
      return texts.show(message.runId, { kind: 'answer', label: message.label });
    case 'show-as-text':
      return texts.show(message.runId, { kind: 'run' });
    case 'open-link':
      return openLink(message.href);
    case 'action':
      return actionTable[message.action](services, []);
  }
}

/** What each button of the panel does that is not about one run. */
const actionTable: Readonly<Record<HostAction, CommandAction>> = {
  'use-editor-models': commandTable['massgen.useEditorModels'],
  'add-key': commandTable['massgen.addKeyOrServer'],
  'set-key': setKeyOfTeam,
  'open-sample': commandTable['massgen.openSampleProject'],
  'trust-team-file': commandTable['massgen.trustTeamFile'],
  'show-logs': commandTable['massgen.showLogs'],
  'new-run': newRun,
  'open-history': commandTable['massgen.openHistory'],
  'reload-view': commandTable['massgen.reloadView'],
  'manage-trust': () => run('workbench.trust.manage'),
  'open-folder': () => run('workbench.action.files.openFolder'),
  'open-locally': () => run('workbench.action.files.openFolder'),
  'change-caps': () => run('workbench.action.openSettings', 'massgen.limits'),
  'change-team-setting': () => run('workbench.action.openSettings', 'massgen.team'),
  'open-team-file': openTeamFile,
};

/** The panel has the focus already, so nothing is revealed. */
async function newRun({ host, runs }: Services): Promise<void> {
  host.setStartFailure(undefined);
  runs.show(null);
}

async function run(command: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

/** Opens the chosen team's file at its first problem. */
async function openTeamFile({ host }: Services): Promise<void> {
  const team = await host.chosenTeam();
  if (team?.file !== undefined) {
    const [problem] = team.problems;
    const at = new vscode.Position((problem?.line ?? 1) - 1, (problem?.column ?? 1) - 1);
    await vscode.window.showTextDocument(vscode.Uri.file(team.file.path), {
      selection: new vscode.Range(at, at),
    });
  }
}

async function setPermission(
  { host, memory }: Services,
  folder: string,
  permission: 'read' | 'write',
): Promise<void> {
  const known = (await host.read()).folders.find(
    ({ name, path }) => name === folder || path === folder,
  );
  if (known !== undefined) {
    await memory.setPermission(known.path, permission);
    host.touch();
  }
}

interface NamedFile {
  readonly runId: RunId;
  readonly root: string;
  readonly path: string;
}

function targetNamed({ runs }: Services, file: NamedFile): ProposalTarget | undefined {
  const known = runs.get(file.runId);
  return (known === undefined ? [] : targetsOf(known)).find(
    ({ root, path }) => root === file.root && path === file.path,
  );
}

async function openDiff(services: Services, file: NamedFile): Promise<void> {
  const known = services.runs.get(file.runId);
  const target = targetNamed(services, file);
  if (known !== undefined && target !== undefined) {
    await openFileDiff(known, target);
  }
}

async function openConflict(services: Services, file: NamedFile): Promise<void> {
  const target = targetNamed(services, file);
  if (target !== undefined) {
    await commandTable['massgen.openConflict'](services, [target]);
  }
}

type DecisionMessage = Extract<FromView, { readonly type: `${Decision}-file` | `${Decision}-all` }>;

async function decide(services: Services, message: DecisionMessage): Promise<void> {
  const { desk, runs, signal } = services;
  const known = message.type === 'accept-file' ? runs.get(message.runId) : undefined;
  if (message.type === 'accept-file' && known && isDeliverable(known.state(), message.root)) {
    // A file of the agent's own folder has no place yet: accepting it means choosing one.
    return commandTable['massgen.saveDeliverable'](services, [targetNamed(services, message)]);
  }
  const targets = 'path' in message ? [{ root: message.root, path: message.path }] : undefined;
  const decisions: Readonly<Record<DecisionMessage['type'], Decision>> = {
    'accept-file': 'accept',
    'accept-all': 'accept',
    'reject-file': 'reject',
    'reject-all': 'reject',
    'undo-file': 'undo',
    'undo-all': 'undo',
  };
  await desk.decide(message.runId, decisions[message.type], targets, signal);
}

function answerOf({ runs }: Services, runId: RunId): string {
  return runs.get(runId)?.state().finalAnswer?.text ?? '';
}
