// Carries out what the user did in the run panel. Ids come from the view and are checked against what is known here.
import * as vscode from 'vscode';
import type { RunId } from '../../base/ids';
import type { FromView, HostAction } from '../../protocol/webview';
import { setKeyOfTeam } from '../commands/keys';
import { commandTable } from '../commands/table';
import { chooseAnswer } from '../runs/choose-answer';
import { leaveRun } from '../runs/restore-run';
import { startRun } from '../runs/start-run';
import type { CommandAction, Services } from '../services';
import { answerToClipboard, answerAtCursor, answerToNewFile, openLink } from './answer-actions';
import { isReviewMessage, onReviewMessage } from './review-messages';

export async function onPanelMessage(services: Services, message: FromView): Promise<void> {
  if (isReviewMessage(message)) {
    return onReviewMessage(services, message);
  }
  switch (message.type) {
    case 'ready':
    case 'pong':
    case 'resync':
      return; // answered by the view's host side itself
    case 'start-run':
      return startRun(services, message.task);
    case 'stop-run':
    case 'answer-now':
    case 'steer':
    case 'revive-agent':
      return tellRun(services, message);
    case 'override':
      return chooseAnswer(services, message.runId, message.label);
    case 'follow-up':
      return startRun(services, message.task, message.runId);
    case 'replay-run':
    case 'close-replay':
    case 'resume-run':
    case 'open-instructions':
    case 'open-artifacts':
      return useRecord(services, message);
    case 'show-run':
      return showRun(services, message.runId);
    case 'select-team':
      return commandTable['massgen.selectTeam'](services, [message.teamId]);
    case 'set-permission':
      return setPermission(services, message.folder, message.permission);
    case 'resolve-approval':
      return resolveApproval(services, message);
    case 'open-review':
      return commandTable['massgen.openReview'](services, [message.runId]);
    case 'answer-to-clipboard':
    case 'answer-at-cursor':
    case 'answer-to-new-file':
      return takeAnswer(services, message);
    case 'open-agent-text':
    case 'open-answer':
    case 'show-as-text':
      return showText(services, message);
    case 'open-link':
      return openLink(message.href);
    case 'action':
      return actionTable[message.action](services, []);
  }
}

type ApprovalMessage = Extract<FromView, { readonly type: 'resolve-approval' }>;

async function resolveApproval({ runs }: Services, message: ApprovalMessage): Promise<void> {
  const { runId, approvalId, hash, decision } = message;
  runs.get(runId)?.resolveApproval(approvalId, hash, decision);
}

type Wish = Extract<
  FromView,
  { readonly type: 'stop-run' | 'answer-now' | 'steer' | 'revive-agent' }
>;

/** A wish that came too late, e.g. for a turn that is over, changes nothing. */
async function tellRun({ runs }: Services, message: Wish): Promise<void> {
  const known = runs.get(message.runId);
  switch (message.type) {
    case 'stop-run':
      known?.stop();
      return;
    case 'answer-now':
      known?.answerNow(message.slot);
      return;
    case 'steer':
      known?.steer(message.text, message.slots);
      return;
    case 'revive-agent':
      known?.revive(message.slot);
      return;
  }
}

type RecordMessage = Extract<
  FromView,
  {
    readonly type:
      'replay-run' | 'close-replay' | 'resume-run' | 'open-instructions' | 'open-artifacts';
  }
>;

async function useRecord(services: Services, message: RecordMessage): Promise<void> {
  switch (message.type) {
    case 'replay-run':
      return commandTable['massgen.replayRun'](services, [message.runId]);
    case 'close-replay':
      services.panel.closeReplay();
      return;
    case 'resume-run':
      return commandTable['massgen.resumeRun'](services, [message.runId]);
    case 'open-instructions':
      return openInstructions(services, message);
    case 'open-artifacts':
      return commandTable['massgen.openRunFolder'](services, [message.runId]);
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
  // The panel has the focus already, so nothing is revealed.
  'new-run': leaveRun,
  'open-history': commandTable['massgen.openHistory'],
  'reload-view': commandTable['massgen.reloadView'],
  'manage-trust': () => run('workbench.trust.manage'),
  'open-folder': () => run('workbench.action.files.openFolder'),
  'open-locally': () => run('workbench.action.files.openFolder'),
  'change-caps': () => run('workbench.action.openSettings', 'massgen.limits'),
  'change-privacy-setting': () => run('workbench.action.openSettings', 'massgen.privacy'),
  'change-team-setting': () => run('workbench.action.openSettings', 'massgen.team'),
  'open-team-file': openTeamFile,
};

/** Earlier turns of a session may not have been opened in this window yet. */
async function showRun({ runs }: Services, runId: RunId | null): Promise<void> {
  if (runId !== null) {
    await runs.open(runId);
  }
  runs.show(runId);
}

async function openInstructions({ runs, texts }: Services, file: NamedFile): Promise<void> {
  const { runId, root, path } = file;
  const given = runs.get(runId)?.state().instructions ?? [];
  if (given.some((each) => each.root === root && each.path === path)) {
    await texts.show(runId, { kind: 'instructions', root, path });
  }
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

type TextMessage = Extract<
  FromView,
  { readonly type: 'open-agent-text' | 'open-answer' | 'show-as-text' }
>;

async function showText({ texts }: Services, message: TextMessage): Promise<void> {
  switch (message.type) {
    case 'open-agent-text':
      return texts.show(message.runId, { kind: 'agent', slot: message.slot });
    case 'open-answer':
      return texts.show(message.runId, { kind: 'answer', label: message.label });
    case 'show-as-text':
      return texts.show(message.runId, { kind: 'run' });
  }
}

type AnswerMessage = Extract<FromView, { readonly type: `answer-${'to' | 'at'}-${string}` }>;

async function takeAnswer({ runs }: Services, { type, runId }: AnswerMessage): Promise<void> {
  const text = runs.get(runId)?.state().finalAnswer?.text ?? '';
  switch (type) {
    case 'answer-to-clipboard':
      return answerToClipboard(text);
    case 'answer-at-cursor':
      return answerAtCursor(text);
    case 'answer-to-new-file':
      return answerToNewFile(text);
  }
}
