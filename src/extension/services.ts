import type * as vscode from 'vscode';
import type { App } from '../app/app-contract';
import type { Clock } from '../core/ports/clock';
import type { Logger } from '../core/ports/logger';
import type { EditorSecrets } from './editor-secrets';
import type { HostChecks } from './host/host-checks';
import type { HostModel } from './host/host-model';
import type { TeamFiles } from './host/team-files';
import type { Teams } from './host/teams';
import type { EditorModels } from './lm/editor-models';
import type { Memory } from './memory';
import type { Problems } from './problems';
import type { Conflicts } from './review/conflicts';
import type { PartEditors } from './review/part-editors';
import type { ReviewDesk } from './review/review-desk';
import type { RunTexts } from './runs/run-texts';
import type { WindowRuns } from './runs/window-runs';
import type { RunView } from './views/run-view';

/** What commands and the panel's buttons work with. */
export interface Services {
  readonly app: App;
  readonly context: vscode.ExtensionContext;
  readonly installDir: string;
  readonly log: vscode.LogOutputChannel;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly problems: Problems;
  readonly memory: Memory;
  readonly secrets: EditorSecrets;
  readonly models: EditorModels;
  readonly teams: Teams;
  readonly teamFiles: TeamFiles;
  readonly host: HostModel;
  readonly runs: WindowRuns;
  readonly texts: RunTexts;
  readonly desk: ReviewDesk;
  readonly conflicts: Conflicts;
  readonly editors: PartEditors;
  readonly checks: HostChecks;
  readonly panel: RunView;
  /** Aborts when the window closes. */
  readonly signal: AbortSignal;
}

/** One command. It may reject; the failure is then shown to the user. */
export type CommandAction = (services: Services, args: readonly unknown[]) => Promise<void>;
