import { join } from 'node:path';
import type { RunHandle } from '../app/app-contract';
import { automationHead, automationRestart, automationTail } from '../protocol/cli-output';
import { finalAnswerPath } from '../protocol/artifacts/places';
import { elapsedMs } from '../run/selectors/time';
import type { RunState } from '../run/state';
import type { Terminal } from './terminal';

/** What a script reads from standard output: where the files are before any model is asked, and what came of it. */
export class AutomationLines {
  readonly #output: Terminal;
  #dir = '';

  constructor(output: Terminal) {
    this.#output = output;
  }

  begin(task: string, artifactsDir: string): void {
    this.#dir = artifactsDir;
    const statusFile = join(artifactsDir, 'status.json');
    this.#write(automationHead(task, { logDir: artifactsDir, statusFile }));
  }

  follow(handle: RunHandle): void {
    handle.onEvents((events, state) => {
      for (const { event } of events) {
        if (event.type === 'orchestration-restarted') {
          this.#write([automationRestart(event, state)]);
        }
      }
    });
  }

  /** `now`: Unix ms. */
  end(state: RunState, now: number): void {
    const path = finalAnswerPath(state);
    const answerFile = path === undefined ? undefined : join(this.#dir, path);
    this.#write(automationTail(state, { answerFile, elapsedMs: elapsedMs(state, now) }));
  }

  #write(lines: readonly string[]): void {
    this.#output.write(`${lines.join('\n')}\n`);
  }
}
