// Checks of a whole state, as a snapshot brings it.
import {
  isAgentInfo,
  isAgreement,
  isCap,
  isCaps,
  isCheckReport,
  isCheckResult,
  isDecision,
  isEffect,
  isError,
  isFileChange,
  isInstructionFile,
  isLabel,
  isLabels,
  isOutcome,
  isPart,
  isRoots,
  isSettings,
  isSlots,
  isWinner,
} from './fact-guard';
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
import type { Check } from './shapes';

const isBallot = hasFields({
  id: isString,
  voter: isNumber,
  target: isLabel,
  reason: isString,
  isInformed: isBoolean,
  weight: isNumber,
  seq: isNumber,
});

const isCitations = optional(isListOf(hasFields({ url: isString, title: isString })));

const isToolServer = hasFields({
  server: isString,
  status: isOneOf('connecting', 'ready', 'failed', 'stopped'),
  tools: isListOf(hasFields({ name: isString })),
  message: isString,
});

const isRevision = hasFields({
  label: isLabel,
  slot: isNumber,
  text: isString,
  changes: isListOf(isFileChange),
  citations: isCitations,
});

const activities = new Map<string, Check>([
  ['none', hasFields({})],
  ['model', hasFields({})],
  ['tool', hasFields({ tool: isString, subject: isString, startedAt: isNumber })],
  ['approval', hasFields({ approvalId: isString })],
  ['waiting', hasFields({ reason: isString, until: isNumber })],
]);

const isActivity: Check = (value) =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  typeof value.kind === 'string' &&
  (activities.get(value.kind)?.(value) ?? false);

const isTotals = hasFields({
  calls: isNumber,
  inputTokens: isNumber,
  cachedInputTokens: isNumber,
  outputTokens: isNumber,
  costUsd: isNumber,
  unpricedCalls: isNumber,
  unmeteredCalls: isNumber,
});

const isTurn = hasFields({ turnNo: isNumber, startedAt: isNumber, shown: isLabels });

const isAgent = hasFields({
  info: isAgentInfo,
  status: isOneOf(
    ...['idle', 'running', 'waiting', 'voted', 'abstained', 'failed', 'cancelled', 'done'],
  ),
  turn: isNullOr(isTurn),
  revisions: isListOf(isRevision),
  ballot: isNullOr(isBallot),
  ballots: isListOf(isBallot),
  lastError: isNullOr(isError),
  activity: isActivity,
  liveText: isString,
  usage: isTotals,
  lastActivityAt: isNumber,
  thinking: optional(isString),
  isCut: optional(isBoolean),
  isUnconfined: optional(isBoolean),
  toolServers: optional(isListOf(isToolServer)),
  citations: isCitations,
});

const isEntry = hasFields({
  seq: isNumber,
  at: isNumber,
  kind: isString,
  slot: isNullOr(isNumber),
  labels: isLabels,
  slots: isSlots,
  text: isString,
});

const isApproval = hasFields({
  approvalId: isString,
  slot: isNumber,
  command: isString,
  cwd: isString,
  isConfined: isBoolean,
  isRequest: optional(isBoolean),
  isTool: optional(isBoolean),
  isChanged: optional(isBoolean),
  isProgram: optional(isBoolean),
  hash: isString,
  requestedAt: isNumber,
});

const isReviewFile: Check = (value) =>
  isFileChange(value) &&
  hasFields({
    decision: isDecision,
    hunkDecisions: optional(isRecordOf(hasFields({ decision: isDecision }))),
    parts: optional(isListOf(isPart)),
  })(value);

const isCheckState = hasFields({
  names: isListOf(isString),
  results: isListOf(isCheckResult),
  report: isNullOr(isCheckReport),
});

export const isRunState: Check = hasFields({
  seq: isNumber,
  runId: isString,
  task: isString,
  isScripted: isBoolean,
  unconfinedReason: isNullOr(isString),
  startedAt: isNumber,
  lastEventAt: isNumber,
  settings: isSettings,
  caps: isCaps,
  contextRoots: isRoots,
  agents: isListOf(isAgent),
  poll: hasFields({ kind: isOneOf('open', 'runoff', 'judge', 'closed') }),
  runoffs: isNumber,
  extraRounds: isNumber,
  capReached: isNullOr(isCap),
  selection: isNullOr(hasFields({ winner: isWinner, agreement: isAgreement })),
  presentation: isNullOr(hasFields({ slot: isNumber, label: isLabel })),
  finalAnswer: isNullOr(
    hasFields({
      slot: isNumber,
      label: isLabel,
      text: isString,
      citations: isCitations,
      isCut: optional(isBoolean),
    }),
  ),
  checks: optional(
    hasFields({
      baseline: isNullOr(isCheckState),
      answers: isRecordOf(isCheckState),
      mixes: isRecordOf(isCheckState),
    }),
  ),
  review: isNullOr(hasFields({ label: isLabel, files: isListOf(isReviewFile) })),
  attempt: isNumber,
  pastAttempts: isListOf(
    hasFields({
      attempt: isNumber,
      startedAt: isNumber,
      endedAt: isNumber,
      winner: isWinner,
      finalText: isString,
      evaluation: hasFields({ reason: isString, instructions: isString }),
    }),
  ),
  session: isNullOr(
    hasFields({
      sessionId: isString,
      turn: isNumber,
      history: isListOf(hasFields({ turn: isNumber, task: isString, answer: isString })),
    }),
  ),
  steering: isListOf(
    hasFields({
      id: isString,
      text: isString,
      at: isNumber,
      targets: isNullOr(isSlots),
      deliveredTo: isSlots,
    }),
  ),
  override: isNullOr(hasFields({ label: isLabel, previous: isNullOr(isLabel) })),
  planning: isNullOr(hasFields({ isOn: isBoolean, blockedTools: isListOf(isString) })),
  instructions: isListOf(isInstructionFile),
  effects: isListOf(isEffect),
  systemCalls: hasFields({ usage: isTotals }),
  approvals: isListOf(isApproval),
  timeline: isListOf(isEntry),
  outcome: isNullOr(isOutcome),
  error: isNullOr(isError),
});
