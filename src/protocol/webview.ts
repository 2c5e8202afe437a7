// Messages between the extension and the run panel. Owned by neither side; parsed at both ends.
import type { Label, RunId, Slot } from '../base/ids';
import type { RecordedEvent } from '../run/events';
import type { PathPermission, RunCaps } from '../run/facts';
import type { RunState } from '../run/state';

export const webviewProtocolVersion = 1;

/** A button of the panel that the host carries out; the view knows no commands. */
export type HostAction =
  | 'use-editor-models'
  | 'add-key'
  /** Sets the missing or refused key of the chosen team. */
  | 'set-key'
  | 'open-sample'
  | 'open-folder'
  | 'open-locally'
  | 'manage-trust'
  | 'open-team-file'
  | 'trust-team-file'
  | 'show-logs'
  | 'change-caps'
  | 'change-team-setting'
  | 'change-privacy-setting'
  | 'new-run'
  | 'open-history'
  | 'reload-view';

/** One clear sentence and what to do about it; nothing starts while there is one. */
export interface Blocker {
  readonly kind:
    | 'untrusted'
    | 'virtual'
    | 'no-model'
    | 'bad-team-file'
    | 'team-file-not-trusted'
    | 'leaves-this-machine'
    | 'failed-to-start';
  readonly heading: string;
  readonly text: string;
  /** More lines in a fixed-width font, e.g. problems with their lines. */
  readonly detail: readonly string[];
  /** The safest first. */
  readonly actions: readonly { readonly action: HostAction; readonly label: string }[];
}

export interface TeamChoice {
  readonly id: string;
  readonly name: string;
  readonly members: readonly {
    readonly slot: Slot;
    readonly model: string;
    readonly provider: string;
  }[];
  /** The rule in words, e.g. `Majority, 2 of 3 votes`. */
  readonly decides: string;
  /** A script made by hand plays the models. */
  readonly isScripted: boolean;
  readonly isPaid: boolean;
  /** What is to be known of the team before it runs, e.g. that a model ends soon, one sentence each; absent: nothing. */
  readonly notes?: readonly string[];
}

export interface FolderChoice {
  readonly name: string;
  readonly path: string;
  readonly permission: PathPermission;
}

/** A check before a run starts. */
export interface CheckChoice {
  readonly name: string;
  readonly command: string;
  readonly mode: 'gate' | 'inform';
  /** `team`: written in the team file, always on. Else where in the project it was found, e.g. `package.json`. */
  readonly source: string;
  readonly isOn: boolean;
}

/** Estimate before a run; ranges are [low, high]. */
export interface Forecast {
  readonly calls: readonly [number, number];
  readonly tokens: readonly [number, number];
  /** US dollars; `null` when a price is unknown. */
  readonly costUsd: readonly [number, number] | null;
  readonly oneAgentCostUsd: number | null;
  /** Services charge for searches and the like beside the tokens; the estimate is without that. */
  readonly hasFees: boolean;
}

/** What a run in the list is about now, or how it ended. */
export type RunMark = 'running' | 'needs-you' | 'ended' | 'failed' | 'stopped';

export interface RunListEntry {
  readonly runId: RunId;
  readonly task: string;
  readonly mark: RunMark;
}

/** Everything around runs that the panel shows. Replaced whole; `rev` rises. */
export interface HostState {
  readonly rev: number;
  readonly blocker: Blocker | null;
  readonly teams: readonly TeamChoice[];
  readonly teamId: string | null;
  /** True when no team can use a real model yet: the panel offers the ways to start. */
  readonly hasNoModel: boolean;
  readonly folders: readonly FolderChoice[];
  readonly forecast: Forecast | null;
  readonly caps: RunCaps;
  readonly unconfinedReason: string | null;
  /** How commands are confined, in words; `null` while that is not known yet or when they are not. */
  readonly confinement: string | null;
  /** The checks a run would have: those of the team file, or else what was found in the project. */
  readonly checks: readonly CheckChoice[];
  readonly unsavedFiles: number;
  /** Runs of this window, newest first. */
  readonly runs: readonly RunListEntry[];
  readonly shownRunId: RunId | null;
  /** Task of the sample project when it is the open folder. */
  readonly sampleTask: string | null;
  /** For number and date formats, e.g. `en`. */
  readonly language: string;
  /** The session of the shown run; `null` for a run on its own. */
  readonly session: ShownSession | null;
  /**
   * Only in a file that shows one run without a host: nobody can be asked for anything there. `notes` is what is to be
   * known of the file, one sentence each.
   */
  readonly file?: { readonly notes: readonly string[] };
}

/** All turns of a session as far as they are stored, oldest first, and what they used together. */
export interface ShownSession {
  readonly turns: readonly {
    readonly turn: number;
    readonly runId: RunId;
    readonly task: string;
  }[];
  readonly calls: number;
  readonly tokens: number;
  /** US dollars; the known part where `unpricedCalls` is above 0. */
  readonly costUsd: number;
  readonly unpricedCalls: number;
}

/** What came of playing a run again: the first event that differs, and files that do. */
export interface ReplayResult {
  readonly difference: {
    readonly seq: number;
    readonly expected: string;
    readonly actual: string;
  } | null;
  readonly changedFiles: readonly string[];
}

export type ToView =
  /** Sent after `ready` and whenever something around the runs changes. */
  | { readonly type: 'host'; readonly host: HostState }
  /** Sent when a run is shown first, after `resync`, and when the view becomes visible again. */
  | { readonly type: 'snapshot'; readonly runId: RunId; readonly state: RunState }
  /** Sent at most every 50 ms while visible; numbers follow the snapshot without a gap. */
  | { readonly type: 'events'; readonly runId: RunId; readonly events: readonly RecordedEvent[] }
  /** Sent when a command prefills the task box, e.g. Ask About Selection. */
  | { readonly type: 'compose'; readonly task: string; readonly isFocused: boolean }
  /** Sent when a stored run was played again: its events in order, to be looked at step by step. */
  | {
      readonly type: 'replay';
      readonly runId: RunId;
      readonly events: readonly RecordedEvent[];
      readonly result: ReplayResult;
    }
  /** Sent when a command leads to a part of the run that is shown; the part opens and takes the focus. */
  | { readonly type: 'reveal'; readonly part: 'what-if' }
  /** Sent every 5 s; the view answers with `pong`. */
  | { readonly type: 'ping'; readonly nonce: number };

interface ForRun {
  readonly runId: RunId;
}
interface ForFile extends ForRun {
  readonly root: string;
  readonly path: string;
  /** Id of a part; absent: the whole file. */
  readonly hunk?: string;
}

export type FromView =
  /** Sent once when the view's script has loaded. */
  | { readonly type: 'ready'; readonly protocolVersion: number }
  | { readonly type: 'pong'; readonly nonce: number }
  /** Sent when a number is missing. */
  | ({ readonly type: 'resync' } & ForRun)
  | { readonly type: 'start-run'; readonly task: string }
  /** A further task on top of the run that is shown; becomes the next turn of its session. */
  | ({ readonly type: 'follow-up'; readonly task: string } & ForRun)
  | ({ readonly type: 'answer-now'; readonly slot: Slot } & ForRun)
  /** `slots: null`: to all agents. */
  | ({
      readonly type: 'steer';
      readonly text: string;
      readonly slots: readonly Slot[] | null;
    } & ForRun)
  | ({ readonly type: 'override'; readonly label: Label } & ForRun)
  | ({ readonly type: 'revive-agent'; readonly slot: Slot } & ForRun)
  | ({ readonly type: 'replay-run' } & ForRun)
  | ({ readonly type: 'close-replay' } & ForRun)
  | ({ readonly type: 'resume-run' } & ForRun)
  | ({ readonly type: 'open-instructions'; readonly root: string; readonly path: string } & ForRun)
  | ({ readonly type: 'open-artifacts' } & ForRun)
  | ({ readonly type: 'stop-run' } & ForRun)
  | { readonly type: 'show-run'; readonly runId: RunId | null }
  | { readonly type: 'select-team'; readonly teamId: string }
  | {
      readonly type: 'set-permission';
      readonly folder: string;
      readonly permission: PathPermission;
    }
  /** The id and hash are those of the card that was shown. */
  | ({
      readonly type: 'resolve-approval';
      readonly approvalId: string;
      readonly hash: string;
      readonly decision: 'deny' | 'allow-once' | 'allow-run' | 'allow-workspace';
    } & ForRun)
  | ({ readonly type: 'open-diff' } & ForFile)
  | ({ readonly type: 'open-conflict' } & ForFile)
  | ({ readonly type: 'accept-file' } & ForFile)
  | ({ readonly type: 'reject-file' } & ForFile)
  | ({ readonly type: 'undo-file' } & ForFile)
  /** What other answers have in this place, to take from. */
  | ({ readonly type: 'open-alternatives' } & ForFile)
  /** Votes whose reasons speak of this file. */
  | ({ readonly type: 'open-why' } & ForFile)
  /** Runs the checks on what is proposed now. */
  | ({ readonly type: 'check-mix' } & ForRun)
  /** Opens an answer's files in a terminal or window of their own. */
  | ({ readonly type: 'try-answer'; readonly label: Label } & ForRun)
  | ({
      readonly type: 'open-check-output';
      readonly label: Label | null;
      readonly name: string;
    } & ForRun)
  /** Turns a check that was found in the project on or off for the next runs. */
  | { readonly type: 'choose-check'; readonly name: string; readonly isOn: boolean }
  | ({ readonly type: 'accept-all' } & ForRun)
  | ({ readonly type: 'reject-all' } & ForRun)
  | ({ readonly type: 'undo-all' } & ForRun)
  | ({ readonly type: 'open-review' } & ForRun)
  | ({ readonly type: 'answer-to-clipboard' } & ForRun)
  | ({ readonly type: 'answer-at-cursor' } & ForRun)
  | ({ readonly type: 'answer-to-new-file' } & ForRun)
  /** Opens the whole text as a read-only document. */
  | ({ readonly type: 'open-agent-text'; readonly slot: Slot } & ForRun)
  | ({ readonly type: 'open-answer'; readonly label: Label } & ForRun)
  | ({ readonly type: 'show-as-text' } & ForRun)
  /** A link of a rendered answer; the host shows the target and asks. */
  | { readonly type: 'open-link'; readonly href: string }
  | { readonly type: 'action'; readonly action: HostAction };
