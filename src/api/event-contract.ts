// What programs are told while a run works; part of the published types.
import type { ChangedFile, ErrorFacts, Outcome } from './contract';

interface Happened {
  /** Counts up within the run, with gaps. */
  readonly seq: number;
  /** Unix ms. */
  readonly at: number;
}

/** Take no notice of types that you do not know. */
export type RunEvent = Happened & Happening;

/** What can happen. `agent` is always the id of the team file. */
export type Happening =
  | {
      readonly type: 'started';
      readonly runId: string;
      readonly task: string;
      readonly agents: readonly {
        readonly id: string;
        readonly backend: string;
        readonly model: string;
      }[];
      readonly folders: readonly { readonly name: string; readonly path: string }[];
    }
  | {
      readonly type: 'text';
      readonly agent: string;
      readonly text: string;
      /** What it thinks aloud. */
      readonly isThinking: boolean;
    }
  | {
      readonly type: 'tool-started';
      readonly agent: string;
      readonly tool: string;
      /** What it acts on, in one line. */
      readonly subject: string;
    }
  | {
      readonly type: 'tool-ended';
      readonly agent: string;
      readonly tool: string;
      readonly isError: boolean;
      /** Beginning of what it answered. */
      readonly preview: string;
    }
  | {
      readonly type: 'command-decided';
      readonly agent: string;
      readonly command: string;
      readonly isAllowed: boolean;
    }
  | {
      readonly type: 'answer';
      readonly agent: string;
      readonly label: string;
      readonly text: string;
      readonly files: readonly { readonly root: string; readonly path: string }[];
    }
  | {
      readonly type: 'vote';
      readonly agent: string;
      readonly votedFor: string;
      readonly label: string;
      readonly reason: string;
    }
  | { readonly type: 'votes-void'; readonly agents: readonly string[] }
  | {
      readonly type: 'checks-ended';
      /** Of an answer; `null`: of the untouched project, or of a mixture. */
      readonly label: string | null;
      /** Names of the checks that did not pass. */
      readonly failed: readonly string[];
    }
  | { readonly type: 'restart'; readonly attempt: number; readonly reason: string }
  | { readonly type: 'agent-failed'; readonly agent: string; readonly error: ErrorFacts }
  | { readonly type: 'warning'; readonly code: string; readonly message: string }
  | {
      readonly type: 'decided';
      readonly winner: { readonly agent: string; readonly label: string } | null;
      readonly decidedBy: string;
    }
  | { readonly type: 'final-answer'; readonly agent: string; readonly text: string }
  | {
      readonly type: 'changes';
      readonly files: readonly Pick<ChangedFile, 'root' | 'path' | 'kind'>[];
    }
  | { readonly type: 'ended'; readonly outcome: Outcome };
