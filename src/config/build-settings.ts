import type { CoordinationSettings, TieBreakElement } from '../run/coordination-settings';
import { compatProfile, type ProfileSettings, recommendedProfile } from '../run/profiles';
import { ballotKeys, type ConsensusBlock, consensusKeys } from './schema/consensus-block';
import { coordinationKeys } from './schema/coordination-block';
import { orchestratorKeys } from './schema/orchestrator-keys';
import { knownSensitivity } from './schema/sensitivity';
import { settingsIn } from './schema/settings';
import type { OrchestratorBlock, TeamFile, TimeoutBlock } from './schema/team-file';
import { timeoutKeys } from './schema/timeout-block';
import { judgeOf, membersOf } from './team-members';
import { checksOf } from './team-checks';
import type { TeamReport } from './team-report';
import { timeoutsOf } from './timeouts';

type Settings = Omit<CoordinationSettings, 'runSeed'> & { readonly runSeed: string | undefined };
type Some = Partial<ProfileSettings>;

/**
 * The rules of a run: the profile with what the file sets. A key that sets one thing says so where it is described;
 * here stands what several keys say together. Reports what cannot be done as it is written.
 */
export function buildSettings(team: TeamFile, report: TeamReport): Settings {
  const orchestrator = team.orchestrator ?? {};
  const { consensus = {}, coordination = {} } = orchestrator;
  const profile = orchestrator.profile === 'recommended' ? recommendedProfile : compatProfile;
  const timeouts = timeoutsOf(team);
  return {
    ...profile,
    ...settingsIn(orchestratorKeys, orchestrator),
    ...settingsIn(consensusKeys, consensus),
    ...settingsIn(ballotKeys, consensus.ballot ?? {}),
    ...settingsIn(coordinationKeys, coordination),
    ...settingsIn(timeoutKeys, timeouts),
    ...stopOf(consensus),
    ...tieBreakOf(consensus, profile, report),
    ...sensitivityOf(orchestrator, report),
    ...strategyOf(orchestrator, membersOf(team).length === 1),
    ...presenterOf(team),
    ...deliveryOf(orchestrator),
    ...fairnessOf(orchestrator, profile),
    ...planningOf(coordination),
    ...aloneOf(team),
    ...turnLimitsOf(timeouts, profile),
    ...checksOf(team),
    hasJudge: judgeOf(team) !== undefined,
    runSeed: orchestrator.run_seed,
  };
}

function stopOf({ early_stop: early, stop }: ConsensusBlock): Some {
  return early === undefined || stop !== undefined ? {} : { stop: early ? 'exact' : 'full' };
}

/** The order of the list decides last under `compat` and never under `recommended`. */
function tieBreakOf(
  { tie_break: written }: ConsensusBlock,
  { profile }: ProfileSettings,
  report: TeamReport,
): Some {
  if (written === undefined) {
    return {};
  }
  const last = profile === 'compat' ? 'config_order' : 'seeded_hash';
  const elements: TieBreakElement[] = [];
  for (const [index, element] of written.entries()) {
    if (element === 'config_order' && last === 'seeded_hash') {
      report.at(['orchestrator', 'consensus', 'tie_break', index], {
        code: 'wrong-value',
        severity: 'warning',
        message: 'The recommended profile never decides by the order of the list; left out.',
      });
    } else {
      elements.push(element === 'seeded_random' ? 'seeded_hash' : element);
    }
  }
  return { tieBreak: [...new Set<TieBreakElement>([...elements, last])] };
}

function sensitivityOf(
  { voting_sensitivity: written }: OrchestratorBlock,
  report: TeamReport,
): Some {
  if (written === undefined) {
    return {};
  }
  const known = knownSensitivity(written);
  if (known === undefined) {
    const reason = `${written} is not here yet, lenient is used`;
    report.noteNoEffect(['orchestrator', 'voting_sensitivity'], reason);
  }
  return { votingSensitivity: known ?? 'lenient' };
}

/** `null` is MassGen's way to say nothing about it. Who writes that one presents means it, also of one that works alone. */
function strategyOf(block: OrchestratorBlock, isAlone: boolean): Some {
  const { final_answer_strategy: written, skip_final_presentation: isSkipped } = block;
  const strategy = written ?? (isSkipped === true ? 'winner_reuse' : undefined);
  if (strategy === undefined) {
    return {};
  }
  const presentsAlone = isAlone && strategy !== 'winner_reuse';
  return { finalAnswerStrategy: strategy, ...(presentsAlone ? { presentsAlone } : {}) };
}

/** Without votes an agent that works alone answers directly. */
function aloneOf(team: TeamFile): Some {
  const isDirect =
    team.ui?.use_orchestrator_for_single_agent === false && membersOf(team).length === 1;
  return isDirect ? { singleAgentVote: false } : {};
}

/** Slots are the places of those that answer and vote, from 1 on. */
function presenterOf(team: TeamFile): Some {
  const wanted = team.orchestrator?.presenter_agent;
  const index = membersOf(team).findIndex(({ id }) => id === wanted);
  return wanted === undefined || index < 0 ? {} : { presenterSlot: index + 1 };
}

function deliveryOf(block: OrchestratorBlock): Some {
  if (block.update_delivery !== undefined) {
    return {};
  }
  if (block.disable_injection === true) {
    return { updateDelivery: 'off' };
  }
  return block.defer_peer_updates_until_restart === true ? { updateDelivery: 'defer' } : {};
}

const usualLead = 2;

/** A cap alone switches the waiting on, as an enabled one has the usual cap. */
function fairnessOf(block: OrchestratorBlock, { fairnessLeadCap }: ProfileSettings): Some {
  const { fairness_enabled: isOn, fairness_lead_cap_answers: cap } = block;
  if (isOn === false) {
    return { fairnessLeadCap: null };
  }
  const wanted = cap ?? (isOn === true ? (fairnessLeadCap ?? usualLead) : undefined);
  return wanted === undefined ? {} : { fairnessLeadCap: wanted };
}

function planningOf({
  enable_planning_mode: isOn,
}: NonNullable<OrchestratorBlock['coordination']>): Some {
  return isOn === undefined ? {} : { planning: isOn ? 'classify' : 'off' };
}

function turnLimitsOf(timeouts: TimeoutBlock, { softTurnMs }: ProfileSettings): Some {
  const { initial_round_timeout_seconds: first, subsequent_round_timeout_seconds: later } =
    timeouts;
  return {
    softTurnMs: {
      first: first === undefined ? softTurnMs.first : first,
      later: later === undefined ? softTurnMs.later : later,
    },
  };
}
