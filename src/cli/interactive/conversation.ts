import type { App, ContextFolder, RunHandle } from '../../app/app-contract';
import type { CliOptions } from '../invocation';
import type { Plan } from '../plan';
import type { Terminal } from '../terminal';
import type { World } from '../world';
import type { Prompt } from './prompt';

/** What all turns of one conversation share. */
export interface Setting {
  readonly app: App;
  readonly options: CliOptions;
  readonly world: World;
  readonly storageDir: string;
  readonly prompt: Prompt;
  readonly terminal: Terminal;
}

export type Team = Plan['request']['config'];

/** Where the conversation stands; changed by turns and commands. */
export class Conversation {
  readonly setting: Setting;
  /** As it was read last. */
  team: Team;
  /** Folders that the user added here, beside those of the team file. */
  added: readonly ContextFolder[] = [];
  /** The folders of the last plan, `added` included. */
  folders: readonly ContextFolder[] = [];
  /** The newest run that has an answer: the next turn goes on from it. */
  last: RunHandle | undefined;
  /** `/reset` was asked for: nothing that the command line named is gone on from either. */
  isReset = false;
  turns = 0;
  costUsd = 0;
  hasUnknownCost = false;

  constructor(setting: Setting, team: Team) {
    this.setting = setting;
    this.team = team;
  }

  reset(): void {
    this.last = undefined;
    this.isReset = true;
    this.turns = 0;
  }
}
