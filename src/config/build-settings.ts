import type { CoordinationSettings, TieBreakElement } from '../run/coordination-settings';
import { compatProfile, recommendedProfile, type ProfileSettings } from '../run/profiles';
import type { OrchestratorBlock, TeamFile, TimeoutBlock } from './schema/team-file';
import type { TeamReport } from './team-report';

type Settings = Omit<CoordinationSettings, 'runSeed'> & { readonly runSeed: string | undefined };
type Consensus = NonNullable<OrchestratorBlock['consensus']>;

/** The rules of a run: the profile with what the file sets. Reports what cannot be done as it is written. */
export function buildSettings(team: TeamFile, report: TeamReport): Settings {
  const orchestrator = team.orchestrator ?? {};
  const profile = orchestrator.profile === 'recommended' ? recommendedProfile : compatProfile;
  return {
    ...profile,
    ...consensusSettings(orchestrator.consensus ?? {}, profile, report),
    ...answerSettings(orchestrator, profile, report),
    ...deliverySettings(orchestrator, profile),
    ...faultSettings(orchestrator, profile),
    ...timeSettings(team.timeout_settings ?? {}, profile),
    runSeed: orchestrator.run_seed,
  };
}

/** `null` in a file means "no limit" and is kept; only what is absent leaves the profile's value. */
function orElse<T>(value: T | undefined, profileValue: T): T {
  return value === undefined ? profileValue : value;
}

function consensusSettings(
  consensus: Consensus,
  profile: ProfileSettings,
  report: TeamReport,
): Partial<ProfileSettings> {
  return {
    rule: orElse(consensus.rule, profile.rule),
    threshold: orElse(consensus.threshold, profile.threshold),
    minAgreement: orElse(consensus.min_agreement, profile.minAgreement),
    quorum: orElse(consensus.quorum, profile.quorum),
    electorate: orElse(consensus.electorate, profile.electorate),
    selfVote: orElse(consensus.self_vote, profile.selfVote),
    stop:
      consensus.early_stop === undefined ? profile.stop : consensus.early_stop ? 'exact' : 'full',
    onSplit: splitOf(consensus, report) ?? profile.onSplit,
    maxRunoffs: orElse(consensus.max_runoffs, profile.maxRunoffs),
    maxExtraRounds: orElse(consensus.max_extra_rounds, profile.maxExtraRounds),
    tieBreak: tieBreakOf(consensus, profile, report),
    onTimeout: orElse(consensus.on_timeout, profile.onTimeout),
  };
}

function splitOf(consensus: Consensus, report: TeamReport): ProfileSettings['onSplit'] | undefined {
  const written = consensus.on_split;
  if (written === 'judge' || written === 'human') {
    const message = `on_split: ${written} is not supported yet; a split goes to the tie break.`;
    report.unsupported(['orchestrator', 'consensus', 'on_split'], message);
    return 'tie_break';
  }
  return written;
}

/** The order of the list decides last under `compat` and never under `recommended`. */
function tieBreakOf(
  consensus: Consensus,
  profile: ProfileSettings,
  report: TeamReport,
): readonly TieBreakElement[] {
  const written = consensus.tie_break;
  if (written === undefined) {
    return profile.tieBreak;
  }
  const last = profile.profile === 'compat' ? 'config_order' : 'seeded_hash';
  const elements: TieBreakElement[] = [];
  for (const [index, element] of written.entries()) {
    const path = ['orchestrator', 'consensus', 'tie_break', index];
    if (element === 'evidence') {
      report.unsupported(path, 'evidence is not supported yet and is left out of the tie break.');
    } else if (element === 'config_order' && last === 'seeded_hash') {
      const message = 'The recommended profile never decides by the order of the list; left out.';
      report.at(path, { code: 'wrong-value', severity: 'warning', message });
    } else {
      elements.push(element === 'seeded_random' ? 'seeded_hash' : element);
    }
  }
  return [...new Set<TieBreakElement>([...elements, last])];
}

function answerSettings(
  block: OrchestratorBlock,
  profile: ProfileSettings,
  report: TeamReport,
): Partial<ProfileSettings> {
  return {
    votingSensitivity: sensitivityOf(block, report) ?? profile.votingSensitivity,
    novelty: orElse(block.answer_novelty_requirement, profile.novelty),
    maxNewAnswersPerAgent: orElse(block.max_new_answers_per_agent, profile.maxNewAnswersPerAgent),
    maxNewAnswersGlobal: orElse(block.max_new_answers_global, profile.maxNewAnswersGlobal),
    maxAnswerChars: orElse(block.max_answer_chars, profile.maxAnswerChars),
    voteInvalidation: orElse(block.vote_invalidation, profile.voteInvalidation),
    deferVotingUntilAllAnswered: orElse(
      block.defer_voting_until_all_answered,
      profile.deferVotingUntilAllAnswered,
    ),
    skipVoting: orElse(block.skip_voting, profile.skipVoting),
    finalAnswerStrategy: strategyOf(block, report) ?? profile.finalAnswerStrategy,
    displayOrder: orElse(block.display_order, profile.displayOrder),
  };
}

function sensitivityOf(
  block: OrchestratorBlock,
  report: TeamReport,
): ProfileSettings['votingSensitivity'] | undefined {
  const written = block.voting_sensitivity;
  switch (written) {
    case undefined:
    case 'lenient':
    case 'balanced':
    case 'strict':
      return written;
    default: {
      const message = `voting_sensitivity: ${written} is not supported yet; lenient is used.`;
      report.unsupported(['orchestrator', 'voting_sensitivity'], message);
      return 'lenient';
    }
  }
}

function strategyOf(
  block: OrchestratorBlock,
  report: TeamReport,
): ProfileSettings['finalAnswerStrategy'] | undefined {
  const written = block.final_answer_strategy;
  if (written === 'synthesize') {
    const message = 'synthesize is not supported yet; the winner writes the final text.';
    report.unsupported(['orchestrator', 'final_answer_strategy'], message);
    return 'winner_present';
  }
  return written ?? (block.skip_final_presentation === true ? 'winner_reuse' : undefined);
}

function deliverySettings(
  block: OrchestratorBlock,
  profile: ProfileSettings,
): Partial<ProfileSettings> {
  const older =
    block.disable_injection === true
      ? 'off'
      : block.defer_peer_updates_until_restart === true
        ? 'defer'
        : undefined;
  return {
    updateDelivery: block.update_delivery ?? older ?? profile.updateDelivery,
    maxMidstreamInjections: orElse(
      block.max_midstream_injections_per_round,
      profile.maxMidstreamInjections,
    ),
    firstAnswerProtection: orElse(block.first_answer_protection, profile.firstAnswerProtection),
    waitForFirstRival: orElse(block.wait_for_first_rival, profile.waitForFirstRival),
    maxStaleRedeliveries: orElse(block.max_stale_redeliveries, profile.maxStaleRedeliveries),
  };
}

function faultSettings(
  block: OrchestratorBlock,
  profile: ProfileSettings,
): Partial<ProfileSettings> {
  const wait = block.rate_limit_max_wait;
  return {
    maxFailedTurns: orElse(block.max_failed_turns_per_agent, profile.maxFailedTurns),
    backendRetries: orElse(block.backend_retries, profile.backendRetries),
    rateLimitMaxWaitMs: wait === undefined ? profile.rateLimitMaxWaitMs : toMs(wait),
  };
}

const defaultGraceSeconds = 120;

/** One limit holds for all turns: the longer of the two that the file can name, and its grace. */
function timeSettings(block: TimeoutBlock, profile: ProfileSettings): Partial<ProfileSettings> {
  const first = block.initial_round_timeout_seconds;
  const later = block.subsequent_round_timeout_seconds;
  const grace = block.round_timeout_grace_seconds ?? defaultGraceSeconds;
  const named = [first, later].filter((limit) => limit !== undefined);
  const limits = named.filter((limit) => limit !== null);
  const isUnlimited = named.length > limits.length;
  const longest = isUnlimited ? null : toMs(Math.max(...limits) + grace);
  const presentation = block.presentation_timeout_seconds;
  return {
    turnTimeoutMs: named.length === 0 ? profile.turnTimeoutMs : longest,
    presentationTimeoutMs:
      presentation === undefined ? profile.presentationTimeoutMs : toMs(presentation),
  };
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
