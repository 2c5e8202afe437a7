import type { CommandAction } from '../services';
import { ask, askAboutSelection, fixProblems } from './ask';
import type { CommandId } from './ids';
import { moveKeyToSecrets } from './move-key';
import { removeApiKey, setApiKey, testApiKey } from './keys';
import { addKeyOrServer, selectTeam, trustTeamFile, useEditorModels } from './models';
import {
  acceptAll,
  acceptFile,
  keepMine,
  openConflict,
  openFileDiff,
  openReview,
  rejectAll,
  rejectFile,
  saveDeliverable,
  takeMergedText,
  takeProposed,
  undoAccept,
  undoFile,
} from './review';
import { openRunFolder, replay, resume, showInstructions, whatIf } from './record';
import { openHistory, showRun, showRunAsText, stopRun } from './runs';
import { manageAllowedCommands, openSampleProject, reloadView, showLogs } from './window';

/** What each command does. */
export const commandTable: Readonly<Record<CommandId, CommandAction>> = {
  'massgen.ask': ask,
  'massgen.askAboutSelection': askAboutSelection,
  'massgen.fixProblems': fixProblems,
  'massgen.newRun': (services) => ask(services, []),
  'massgen.stopRun': stopRun,
  'massgen.showRun': showRun,
  'massgen.showRunAsText': showRunAsText,
  'massgen.whatIf': whatIf,
  'massgen.replayRun': replay,
  'massgen.resumeRun': resume,
  'massgen.openRunFolder': openRunFolder,
  'massgen.showInstructions': showInstructions,
  'massgen.openHistory': openHistory,
  'massgen.openReview': openReview,
  'massgen.openFileDiff': openFileDiff,
  'massgen.acceptFile': acceptFile,
  'massgen.rejectFile': rejectFile,
  'massgen.undoFile': undoFile,
  'massgen.acceptAll': acceptAll,
  'massgen.rejectAll': rejectAll,
  'massgen.undoAccept': undoAccept,
  'massgen.openConflict': openConflict,
  'massgen.keepMine': keepMine,
  'massgen.takeProposed': takeProposed,
  'massgen.takeMergedText': takeMergedText,
  'massgen.saveDeliverable': saveDeliverable,
  'massgen.useEditorModels': useEditorModels,
  'massgen.addKeyOrServer': addKeyOrServer,
  'massgen.selectTeam': selectTeam,
  'massgen.trustTeamFile': trustTeamFile,
  'massgen.setApiKey': setApiKey,
  'massgen.testApiKey': testApiKey,
  'massgen.removeApiKey': removeApiKey,
  'massgen.moveKeyToSecrets': moveKeyToSecrets,
  'massgen.manageAllowedCommands': manageAllowedCommands,
  'massgen.openSampleProject': openSampleProject,
  'massgen.showLogs': showLogs,
  'massgen.reloadView': reloadView,
};
