// Checks of the facts that both events and states hold.
import {
  hasFields,
  isBoolean,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isRecordOf,
  isString,
  optional,
} from './shapes';

/** `agent2.1` */
export const isLabel = (value: unknown): boolean =>
  typeof value === 'string' && /^agent\d+\.\d+$/.test(value);

export const isSlots = isListOf(isNumber);
export const isLabels = isListOf(isLabel);

export const isError = hasFields({ code: isString, message: isString });

export const isUsage = hasFields({});

const isHunk = hasFields({
  id: isString,
  baseStart: isNumber,
  baseLines: isNumber,
  newStart: isNumber,
  newLines: isNumber,
  added: isNumber,
  removed: isNumber,
  title: isString,
});

export const isPart = hasFields({ label: isLabel, hunk: optional(isHunk) });

export const isCheckSubject = hasFields({ kind: isOneOf('baseline', 'answer', 'mix') });

export const isCheckResult = hasFields({
  name: isString,
  status: isOneOf('passed', 'failed', 'timed-out', 'not-run'),
  exitCode: isNullOr(isNumber),
  durationMs: isNumber,
  tail: isString,
  isCached: isBoolean,
  isFlaky: isBoolean,
  comparison: isOneOf('same', 'regression', 'fixed', 'unknown'),
});

export const isCheckReport = hasFields({
  results: isListOf(isCheckResult),
  tests: hasFields({
    edited: isListOf(isString),
    deleted: isListOf(isString),
    skipped: isListOf(isString),
    isRestored: isBoolean,
    rules: optional(isListOf(isString)),
  }),
});

export const isFileChange = hasFields({
  root: isString,
  path: isString,
  kind: isOneOf('add', 'modify', 'delete', 'rename', 'mode', 'link', 'folder'),
  hunks: optional(isListOf(isHunk)),
  added: isNumber,
  removed: isNumber,
  isBinary: isBoolean,
});

export const isDecision = isOneOf('pending', 'accepted', 'rejected', 'conflict');

export const isAgentInfo = hasFields({
  slot: isNumber,
  id: isString,
  backend: isString,
  model: isString,
  family: isString,
  weight: isNumber,
  isProgram: optional(isBoolean),
  title: optional(isString),
});

export const isInstructionFile = hasFields({
  root: isString,
  path: isString,
  bytes: isNumber,
  isCut: isBoolean,
});

export const isEffect = hasFields({ hash: isString, tool: isString, argumentsJson: isString });

export const isRoots = isListOf(hasFields({ name: isString, path: isString }));

export const isCaps = hasFields({
  durationMs: isNullOr(isNumber),
  modelCalls: isNullOr(isNumber),
  costUsd: isNullOr(isNumber),
});

export const isSettings = hasFields({
  rule: isString,
  threshold: isNullOr(isNumber),
  minAgreement: isNumber,
  electorate: isString,
  selfVote: isString,
  deferVotingUntilAllAnswered: isBoolean,
  skipVoting: isBoolean,
  mode: isString,
  margin: isNumber,
  turnGraceMs: isNumber,
  tieBreak: isListOf(isString),
  profile: isString,
});

export const isWinner = isNullOr(hasFields({ slot: isNumber, label: isLabel }));

export const isAgreement = hasFields({
  rule: isString,
  eligibleWeight: isNumber,
  electorate: isSlots,
  ballots: isNumber,
  votes: isRecordOf(isNumber),
  votesFromOthers: isRecordOf(isNumber),
  needed: isNullOr(isNumber),
  isTie: isBoolean,
  tied: isLabels,
  tieBreakUsed: isNullOr(isString),
  decidedBy: isOneOf(
    ...['rule', 'runoff', 'tie_break', 'fallback_plurality', 'judge', 'human', 'timeout'],
    ...['budget', 'degraded', 'no_vote', 'presenter', 'single', 'no_consensus', 'error'],
    ...['cancelled', 'gate_failed'],
  ),
  isUnanimous: isBoolean,
  uninformedBallots: isNumber,
  result: isOneOf('decided', 'tie-broken', 'no-quorum', 'no-consensus', 'gate-failed', 'none'),
  lead: isNumber,
  margin: isNumber,
  effectiveVoters: isNumber,
  ignoredSelfVotes: isNumber,
});

export const isOutcome = isOneOf(
  ...['completed', 'timeout', 'budget', 'no-consensus', 'error', 'cancelled', 'interrupted'],
);

export const isCap = isOneOf('duration', 'model-calls', 'cost');
