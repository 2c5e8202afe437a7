// A team of a scripted agent program and a scripted model, in the whole product.
import { join } from 'node:path';
import type { RunHandle, StartRunRequest } from '../../../../src/app/app-contract';
import type { RunConfig } from '../../../../src/config/run-config';
import type { OptionValue } from '../../../../src/core/ports/backend-kind';
import type { RecordedEvent } from '../../../../src/run/events';
import { appBench } from '../../../support/app-bench';
import { askEveryTime } from '../../../support/run-harness';
import { teamOf } from '../../../support/scripted-kind';
import type { AgentScript } from './acp-bench';

const agentFile = join(import.meta.dirname, '../../../support/scripted-programs/acp-agent.mjs');

/** The first member is the agent, the second a model with the script `b`. */
export function teamWith(
  script: AgentScript,
  more: Readonly<Record<string, OptionValue>> = {},
): RunConfig {
  const team = teamOf(['program', 'b']);
  const command = [process.execPath, agentFile, JSON.stringify(script)];
  const agents = team.agents.map((agent, i) =>
    i === 0
      ? {
          ...agent,
          backend: { type: 'acp', model: '', apiKeyName: undefined, options: { command, ...more } },
        }
      : agent,
  );
  return { ...team, agents };
}

export function requestFor(project: string, config: RunConfig): StartRunRequest {
  return {
    ...{ task: 'Make the greeting polite.', config, unsaved: new Map() },
    folders: [{ name: 'project', path: project, permission: 'write' }],
    commandPolicy: askEveryTime,
  };
}

export { appBench };

/** Calls back, once, while the first event is told that this is true of. */
export function once(
  run: RunHandle,
  isIt: (event: RecordedEvent['event']) => boolean,
  then: (event: RecordedEvent['event']) => void,
): void {
  let isDone = false;
  run.onEvents((events) => {
    const found = events.map(({ event }) => event).find((event) => !isDone && isIt(event));
    if (found !== undefined) {
      isDone = true;
      then(found);
    }
  });
}
