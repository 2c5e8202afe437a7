import { type ExitCode, exitCodes } from '../exit-codes';
import { UsageError } from '../failure';
import { systemClock } from '../system-clock';
import { proposedModel } from '../../app/services-table';
import type { World } from '../world';
import { shortPath } from './found';
import { isThere, withoutTilde } from './paths';
import { type PlannedMember, usualLimits } from './team-plan';
import type { GenerateOptions } from './wizard-options';
import type { WizardApp } from './wizard';
import { checkedText, teamPath, writeUnasked } from './write-team';

const mostAgents = 10;

/** Writes a team file from the arguments alone. Throws `UsageError` for whatever makes no valid team. */
export async function generate(
  app: WizardApp,
  options: GenerateOptions,
  world: World,
): Promise<ExitCode> {
  if (options.isDocker) {
    throw new UsageError(
      'Docker is not used here: commands run confined by the operating system, with the project as agents see it.',
      'Leave --config-docker out.',
    );
  }
  const file = teamPath(options.path, world);
  const plan = {
    ...{ name: 'Team', members: membersOf(app, options), limits: usualLimits(false) },
    paths:
      options.contextPath === undefined
        ? []
        : [{ path: await existing(options.contextPath, world), permission: 'read' as const }],
  };
  const warn = (line: string): void => world.notes.write(`${line}\n`);
  const origin = 'Written by massgen --generate-config';
  const text = checkedText(app, plan, { file, origin, warn });
  await writeUnasked(file, text, { force: options.force, world });
  world.output.write(`Saved in ${shortPath(file, world)}.\n`);
  return exitCodes.done;
}

function membersOf(
  { backendKinds }: WizardApp,
  { backend, model, agents, agentId }: GenerateOptions,
): readonly PlannedMember[] {
  if (backend === undefined && model === undefined) {
    throw new UsageError(
      'A team needs --config-backend or --config-model.',
      'massgen models lists both.',
    );
  }
  const count = countOf(agents);
  const kind = backendKinds.find(
    ({ type, aliases = [] }) => type === backend || aliases.some((each) => each === backend),
  );
  const named = model ?? (kind === undefined ? undefined : proposedModel(kind, systemClock.now()));
  const start = agentId ?? 'agent';
  return Array.from({ length: count }, (_, index) => ({
    // Letters, because names such as agent1 are what the answers of a run are called.
    id: count === 1 ? start : `${start}_${letters.charAt(index)}`,
    ...(backend === undefined ? {} : { type: backend }),
    ...(named === undefined || named === '' ? {} : { model: named }),
  }));
}

const letters = 'abcdefghij';

function countOf(agents: string | undefined): number {
  const count = Number(agents ?? '1');
  if (!Number.isInteger(count) || count < 1 || count > mostAgents) {
    throw new UsageError(`--config-agents needs a whole number from 1 to ${mostAgents}.`);
  }
  return count;
}

/** Relative paths of a team file start at the project, so that they stay as they are. */
async function existing(written: string, world: World): Promise<string> {
  const path = withoutTilde(written, world);
  if (!(await isThere(path, world))) {
    throw new UsageError(`--config-context-path: ${written} is not there.`);
  }
  return path;
}
