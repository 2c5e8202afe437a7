import type { AgentConfig, RunConfig } from '../config/run-config';
import { backendSystemModel } from '../core/orchestrator/backend-system-model';
import type { SystemModels } from '../core/orchestrator/system-calls';
import type { ModelBackend } from '../core/ports/model-backend';
import type { SystemModel } from '../core/ports/system-model';
import { costOfUsage } from './call-cost';
import { kindOf, modelKindOf } from './check-request';
import type { Member } from './members';
import { runTools } from './run-tools';
import type { Services } from './services';

/** Whom a run can ask on its own behalf; `close` gives back what was opened for it. */
export interface RunModels {
  readonly models: SystemModels;
  close(): Promise<void>;
}

/** The configured judge; about tools it is asked as well, or else the first agent's model. */
export async function openSystemModels(
  services: Services,
  config: RunConfig,
  [first]: readonly Member[],
  signal: AbortSignal,
): Promise<RunModels> {
  const { kinds, secrets, clock, logger } = services;
  const judging = config.judge === undefined ? undefined : asAgent(config.judge);
  const backend =
    judging === undefined
      ? undefined
      : await modelKindOf(judging, kinds).create(
          judging.backend,
          { secrets, clock, logger },
          signal,
        );
  const judge =
    judging === undefined || backend === undefined
      ? undefined
      : systemModel(services, judging, backend);
  const planner = judge ?? (first && systemModel(services, first.agent, first.backend));
  const tools = [...runTools(services.tools, config.settings), ...services.extraTools()];
  return {
    models: {
      ...(judge === undefined ? {} : { judge }),
      ...(planner === undefined ? {} : { planner }),
      toolDescriptions: new Map(tools.map(({ name, description }) => [name, description])),
    },
    close: async () => backend?.close(),
  };
}

/** A judge sits nowhere in the team. */
function asAgent(backend: AgentConfig['backend']): AgentConfig {
  return { id: 'judge', backend, systemMessage: undefined, weight: 0 };
}

function systemModel(
  { kinds, clock, redactor }: Services,
  agent: AgentConfig,
  backend: ModelBackend,
): SystemModel {
  const price = kindOf(agent, kinds).priceOf(agent.backend);
  return backendSystemModel({
    ...{ backend, clock, model: agent.backend.model },
    redact: (text) => redactor.redact(text),
    costOf: (usage) => costOfUsage(price, usage),
  });
}
