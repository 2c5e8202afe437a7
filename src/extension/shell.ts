// What the entry knows of the loaded extension.
import type * as vscode from 'vscode';
import type { CommandId } from './commands/ids';
import type { BuiltConfig, RunResult, TeamOptions } from '../api/contract';
import type { AskedRun } from './programs/asked-run';
import type { LazyFiles, ProposalSource } from './review/lazy-files';
import type { TreeRow, TreeSource } from './views/lazy-tree';

/** Made by the entry, before anything heavy is loaded; the entry also disposes them. */
export interface ShellParts {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly reviewView: vscode.TreeView<TreeRow>;
  readonly historyView: vscode.TreeView<TreeRow>;
  readonly files: { readonly base: LazyFiles; readonly proposed: LazyFiles };
}

export interface Shell {
  /** Runs a command; its failure is shown to the user, not thrown. */
  execute(id: CommandId, args: readonly unknown[]): Promise<void>;
  readonly panel: { attach(view: vscode.WebviewView): void };
  readonly reviewTree: TreeSource;
  readonly historyTree: TreeSource;
  readonly proposals: ProposalSource;
  /** What other extensions ask for; failures are theirs. */
  readonly programs: {
    run(asked: AskedRun, signal: AbortSignal): Promise<RunResult>;
    buildConfig(options: TeamOptions): Promise<BuiltConfig>;
  };
  /** Stops live runs and releases everything. Idempotent. */
  close(): Promise<void>;
}
