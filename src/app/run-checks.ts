import type { RunConfig } from '../config/run-config';
import { toCommand } from '../core/agent/approval';
import type { CommandPolicy } from '../core/ports/approvals';
import type { CheckRunner } from '../core/ports/checks';
import type { CheckSpec } from '../run/check-facts';
import type { RunStarted } from '../run/events';
import type { ContextFolder } from './app-contract';
import type { CheckParts, RunFiles } from './run-files';
import type { Services } from './services';

/** Those of the team; where it says nothing, those of the user. Without a folder there is nothing to check. */
export function chosenChecks(
  { checks: ofTeam }: RunConfig['settings'],
  ofUser: readonly CheckSpec[] | undefined,
  folders: readonly ContextFolder[],
): { readonly checks?: readonly CheckSpec[] } {
  const checks = folders.length === 0 ? [] : (ofTeam ?? ofUser ?? []);
  return checks.length === 0 && ofTeam === undefined ? {} : { checks };
}

interface RunToCheck {
  readonly started: Pick<RunStarted, 'runId' | 'settings'>;
  readonly files: Pick<RunFiles, 'checkRunner'>;
  readonly policy: CommandPolicy;
}

/** `undefined` for a run without checks. */
export function checksOfRun(
  services: Services,
  { started, files, policy }: RunToCheck,
): CheckRunner | undefined {
  const { checks = [] } = started.settings;
  return checks.length === 0
    ? undefined
    : files.checkRunner(checkParts(services, { ...started, decide: policyOf(policy) }));
}

export function checkParts(
  services: Services,
  { runId, settings, decide }: Pick<RunStarted, 'runId' | 'settings'> & Pick<CheckParts, 'decide'>,
): CheckParts {
  return {
    specs: settings.checks ?? [],
    payloads: services.payloadsOf(runId),
    redact: (text) => services.redactor.redact(text),
    ...{ clock: services.clock, decide },
  };
}

/** The same rules as for commands of agents, without a person who could be asked. */
export function policyOf(policy: CommandPolicy): CheckParts['decide'] {
  return (command) => policy.decide(toCommand(command))?.isAllowed;
}
