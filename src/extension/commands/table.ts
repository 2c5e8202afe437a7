import type { CommandAction } from '../services';
import { commitAccepted, runChecksNow } from './after-accept';
import { ask, askAboutSelection, fixProblems } from './ask';
import { cleanUp } from './clean-up';
import {
  acceptHunk,
  fromAnotherAgent,
  nextHunk,
  previousHunk,
  rejectHunk,
  undoHunk,
  why,
} from './hunks';
import type { CommandId } from './ids';
import { moveKeyToSecrets } from './move-key';
import { removeApiKey, setApiKey, testApiKey } from './keys';
import { addKeyOrServer, selectTeam, trustTeamFile, useEditorModels } from './models';
import { checkProposal, copyPath, exportPatch, tryAnswer, undoDecisions } from './proposal';
import {
  acceptAll,
  acceptFile,
  acceptRest,
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
  'massgen.acceptHunk': acceptHunk,
  'massgen.rejectHunk': rejectHunk,
  'massgen.undoHunk': undoHunk,
  'massgen.nextHunk': nextHunk,
  'massgen.previousHunk': previousHunk,
  'massgen.why': why,
  'massgen.fromAnotherAgent': fromAnotherAgent,
  'massgen.acceptRest': acceptRest,
  'massgen.checkProposal': checkProposal,
  'massgen.exportPatch': exportPatch,
  'massgen.tryAnswer': tryAnswer,
  'massgen.undoDecisions': undoDecisions,
  'massgen.copyPath': copyPath,
  'massgen.runChecksNow': runChecksNow,
  'massgen.commitAccepted': commitAccepted,
  'massgen.cleanUp': cleanUp,
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
