// Keys that say the same thing in two ways, or that mean nothing beside the others.
import type { AgentBlock } from './schema/agent-block';
import type { OrchestratorBlock, TeamFile } from './schema/team-file';
import { agentsOf, judgeOf } from './team-members';
import type { TeamReport } from './team-report';
import { checkTimeouts, timeoutsOf } from './timeouts';

type Path = readonly (string | number)[];

const orchestratorPath: Path = ['orchestrator'];
const consensusPath: Path = ['orchestrator', 'consensus'];

/** Each contradiction is one warning at the key that does not hold; nothing here keeps a file from being used. */
export function checkConflicts(team: TeamFile, report: TeamReport): void {
  const orchestrator = team.orchestrator ?? {};
  const find = { team, orchestrator, consensus: orchestrator.consensus ?? {} };
  for (const { path, message } of [
    ...textConflicts(find),
    ...deliveryConflicts(find),
    ...ruleConflicts(find),
    ...limitConflicts(find),
    ...weightConflicts(find),
  ]) {
    report.at(path, { code: 'duplicate', severity: 'warning', message });
  }
  for (const { path, message } of [...unusedByRule(find), ...unusedByCourse(find)]) {
    report.at(path, { code: 'no-effect', severity: 'warning', message });
  }
  checkTimeouts(team, report);
}

interface Finding {
  readonly path: Path;
  readonly message: string;
}

interface Find {
  readonly team: TeamFile;
  readonly orchestrator: OrchestratorBlock;
  readonly consensus: NonNullable<OrchestratorBlock['consensus']>;
}

function when(isSo: boolean, path: Path, message: string): readonly Finding[] {
  return isSo ? [{ path, message }] : [];
}

function textConflicts({ orchestrator }: Find): readonly Finding[] {
  const { final_answer_strategy: strategy, skip_final_presentation: isSkipped } = orchestrator;
  const isContrary = isSkipped === true && (strategy ?? 'winner_reuse') !== 'winner_reuse';
  return when(
    isContrary,
    [...orchestratorPath, 'skip_final_presentation'],
    `final_answer_strategy is ${strategy ?? ''}, and that holds.`,
  );
}

function deliveryConflicts({ orchestrator }: Find): readonly Finding[] {
  const { update_delivery: delivery, disable_injection: isOff } = orchestrator;
  const { defer_peer_updates_until_restart: isDeferred } = orchestrator;
  const winner = delivery ?? (isOff === true ? 'off' : 'defer');
  const holds = `update_delivery is ${winner}, and that holds.`;
  return [
    ...when(isOff === true && winner !== 'off', [...orchestratorPath, 'disable_injection'], holds),
    ...when(
      isDeferred === true && winner !== 'defer',
      [...orchestratorPath, 'defer_peer_updates_until_restart'],
      delivery === undefined ? 'disable_injection switches updates off, and that holds.' : holds,
    ),
    ...when(
      orchestrator.fairness_enabled === false &&
        orchestrator.fairness_lead_cap_answers !== undefined,
      [...orchestratorPath, 'fairness_lead_cap_answers'],
      'fairness_enabled is false, so nobody waits for slower agents.',
    ),
  ];
}

function ruleConflicts({ consensus }: Find): readonly Finding[] {
  const { early_stop: early, stop } = consensus;
  const isContrary = early !== undefined && stop !== undefined && early !== (stop !== 'full');
  return when(
    isContrary,
    [...consensusPath, 'early_stop'],
    `stop is ${stop ?? ''}, and that holds.`,
  );
}

function limitConflicts({ team, orchestrator }: Find): readonly Finding[] {
  const { model_calls: calls, cost_usd: cost, duration_minutes: minutes } = team.limits ?? {};
  const deadline = timeoutsOf(team).orchestrator_timeout_seconds;
  const isOther = (one: number | null | undefined, other: number | null | undefined): boolean =>
    one !== undefined && other !== undefined && one !== other;
  const ownMs = minutes === undefined || minutes === null ? minutes : minutes * 60_000;
  const place: Path =
    team.timeout_settings?.orchestrator_timeout_seconds === undefined
      ? ['orchestrator', 'timeout']
      : ['timeout_settings'];
  const holds = (key: string): string => `limits names another ${key}, and that one holds.`;
  return [
    ...when(
      isOther(calls, orchestrator.max_model_calls_per_run),
      [...orchestratorPath, 'max_model_calls_per_run'],
      holds('number of calls'),
    ),
    ...when(
      isOther(cost, orchestrator.max_cost_per_run),
      [...orchestratorPath, 'max_cost_per_run'],
      holds('cost'),
    ),
    ...when(isOther(ownMs, deadline), [...place, 'orchestrator_timeout_seconds'], holds('time')),
  ];
}

function weightConflicts({ team, consensus }: Find): readonly Finding[] {
  const { weights } = consensus;
  const isContrary = ({ id, weight }: AgentBlock): boolean => {
    const other = weights?.get(id ?? '');
    return weight !== undefined && other !== undefined && other !== weight;
  };
  return agentsOf(team).flatMap((agent, index) =>
    when(
      isContrary(agent),
      [...(team.agents === undefined ? ['agent'] : ['agents', index]), 'weight'],
      'consensus.weights names another weight, and that one holds.',
    ),
  );
}

/** Numbers that the rule of the file does not read. */
function unusedByRule({ orchestrator, consensus }: Find): readonly Finding[] {
  const rule =
    consensus.rule ?? (orchestrator.profile === 'recommended' ? 'majority' : 'plurality');
  const readsShare = rule === 'supermajority' || rule === 'weighted';
  const isStopped = consensus.stop === 'posterior';
  return [
    ...when(
      typeof consensus.threshold === 'number' && !readsShare,
      [...consensusPath, 'threshold'],
      `The rule ${rule} reads no threshold; supermajority and weighted do.`,
    ),
    ...when(
      consensus.min_agreement !== undefined && rule !== 'min_agreement',
      [...consensusPath, 'min_agreement'],
      `The rule ${rule} does not read min_agreement.`,
    ),
    ...when(
      consensus.posterior !== undefined && !isStopped,
      [...consensusPath, 'posterior'],
      'posterior has an effect with `stop: posterior` only.',
    ),
  ];
}

/** Whom nobody asks, and who is asked and not there. */
function unusedByCourse({ team, orchestrator, consensus }: Find): readonly Finding[] {
  const hasJudge = judgeOf(team) !== undefined;
  const isAsked = consensus.on_split === 'judge' || orchestrator.evaluator === 'judge';
  const { coordination_mode: mode, final_answer_strategy: strategy } = orchestrator;
  const isPresenting = mode === 'decomposition' || strategy === 'synthesize';
  return [
    ...when(
      consensus.on_split === 'judge' && !hasJudge,
      [...consensusPath, 'on_split'],
      'There is no consensus.judge, so a split goes to the tie break.',
    ),
    ...when(
      orchestrator.evaluator === 'judge' && !hasJudge,
      [...orchestratorPath, 'evaluator'],
      'There is no consensus.judge, so another agent looks at the work.',
    ),
    ...when(
      hasJudge && !isAsked,
      [...consensusPath, 'judge'],
      'Nobody asks the judge: neither on_split nor evaluator is judge.',
    ),
    ...when(
      consensus.human_timeout !== undefined && consensus.on_split !== 'human',
      [...consensusPath, 'human_timeout'],
      'human_timeout has an effect with `on_split: human` only.',
    ),
    ...when(
      orchestrator.reopen_on_update === true && mode !== 'decomposition',
      [...orchestratorPath, 'reopen_on_update'],
      'reopen_on_update has an effect with `coordination_mode: decomposition` only.',
    ),
    ...when(
      orchestrator.presenter_agent !== undefined && !isPresenting,
      [...orchestratorPath, 'presenter_agent'],
      'presenter_agent has an effect with decomposition or synthesize only; the winner presents.',
    ),
  ];
}
