import type { CoordinationSettings } from './coordination-settings';

/** A profile is everything about the rules except the seed, which each run draws for itself. */
export type ProfileSettings = Omit<CoordinationSettings, 'runSeed'>;

/** Rules of team files that hold only MassGen's own keys. */
export const compatProfile: ProfileSettings = {
  profile: 'compat',
  rule: 'plurality',
  threshold: null,
  minAgreement: 2,
  quorum: 1,
  electorate: 'all',
  selfVote: 'allow',
  earlyStop: false,
  onSplit: 'tie_break',
  maxRunoffs: 1,
  maxExtraRounds: 1,
  tieBreak: ['config_order'],
  onTimeout: 'best_available',
  voteInvalidation: 'all',
  updateDelivery: 'inject',
  firstAnswerProtection: true,
  waitForFirstRival: false,
  deferVotingUntilAllAnswered: false,
  skipVoting: false,
  maxNewAnswersPerAgent: null,
  maxNewAnswersGlobal: null,
  maxMidstreamInjections: null,
  maxStaleRedeliveries: 5,
  maxProtocolErrors: 3,
  maxFailedTurns: 2,
  backendRetries: 2,
  rateLimitMaxWaitMs: 600_000,
  backoffMs: 1_000,
  novelty: 'lenient',
  votingSensitivity: 'lenient',
  maxAnswerChars: 200_000,
  turnTimeoutMs: null,
  finalAnswerStrategy: 'winner_present',
  presentationTimeoutMs: 600_000,
  displayOrder: 'config',
};

/** What this product proposes: drafts before anybody sees another, a majority, and never the order of the list. */
export const recommendedProfile: ProfileSettings = {
  ...compatProfile,
  profile: 'recommended',
  rule: 'majority',
  onSplit: 'runoff',
  tieBreak: ['approvals', 'votes_from_others', 'smaller_change', 'seeded_hash'],
  waitForFirstRival: true,
  deferVotingUntilAllAnswered: true,
  maxNewAnswersPerAgent: 3,
  maxMidstreamInjections: 2,
  turnTimeoutMs: 1_020_000,
  displayOrder: 'shuffle',
};
