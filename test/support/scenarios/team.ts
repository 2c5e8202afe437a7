import { compatSettings, recommendedSettings } from '../../../src/core/coordination/profiles';
import type { RunStarted } from '../../../src/run/events';
import type { AgentInfo } from '../../../src/run/facts';
import type { Configuration } from './configuration';
import { agentLetter } from './notation';

/** The first event of a scripted run. Waits are 0, and the final text is the voted answer. */
export function startedRun(count: number, configuration: Configuration): RunStarted {
  const { settings, weights, deadline, modelCalls, judge } = configuration;
  const { profile, ...own } = settings;
  const overrides = {
    backoffMs: 0,
    finalAnswerStrategy: 'winner_reuse',
    hasJudge: judge !== null,
    ...own,
  } as const;
  return {
    type: 'run-started',
    runId: 'run',
    task: 'Settle on a letter.',
    agents: Array.from({ length: count }, (_unused, index): AgentInfo => {
      const slot = index + 1;
      const id = agentLetter(slot);
      const weight = weights[slot] ?? 1;
      return { slot, id, backend: 'offline', model: `model-${id}`, family: '', weight };
    }),
    contextRoots: [],
    settings:
      profile === 'recommended' ? recommendedSettings(overrides) : compatSettings(overrides),
    caps: { durationMs: deadline, modelCalls, costUsd: null },
    teamName: 'Scripted team',
    isScripted: true,
    unconfinedReason: null,
  };
}
