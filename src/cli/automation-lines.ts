import { join } from 'node:path';
import type { RunHandle } from '../app/app-contract';
import { automationHead, automationRestart, automationTail } from '../protocol/cli-output';
import { finalAnswerPath } from '../protocol/artifacts/places';
import { elapsedMs } from '../run/selectors/time';
import type { Ending, Places, ScriptOutput } from './script-output';
import type { Terminal } from './terminal';

/** What a script reads from standard output: where the files are before any model is asked, and what came of it. */
export class AutomationLines implements ScriptOutput {
  readonly #output: Terminal;
  readonly #hasTimeline: boolean;
  #dir: string | undefined;

  constructor(output: Terminal, hasTimeline: boolean) {
    this.#output = output;
    this.#hasTimeline = hasTimeline;
  }

  begin(task: string, places: Places): void {
    this.#dir = places.dir;
    this.#write(automationHead(task, places));
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

  end({ state, now, outputFile }: Ending): void {
    const path = finalAnswerPath(state);
    const answerFile =
      path === undefined || this.#dir === undefined ? undefined : join(this.#dir, path);
    this.#write(
      automationTail(state, {
        ...{ answerFile, outputFile, hasTimeline: this.#hasTimeline },
        elapsedMs: elapsedMs(state, now),
      }),
    );
  }

  #write(lines: readonly string[]): void {
    this.#output.write(`${lines.join('\n')}\n`);
  }
}
