// Checks of the events of a run, one for each kind; a kind without a check does not compile.
import type { RunEvent } from '../src/run/events';
import {
  isAgentInfo,
  isAgreement,
  isCap,
  isCaps,
  isCheckReport,
  isCheckResult,
  isCheckSubject,
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
  isUsage,
  isWinner,
} from './fact-guard';
import {
  hasFields,
  isBoolean,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isString,
  optional,
} from './shapes';
import type { Check } from './shapes';

const turn = { slot: isNumber, turnNo: isNumber };
const call = { ...turn, call: isNumber };

const modelEvents = {
  'model-call-started': hasFields(call),
  'text-delta': hasFields({ ...call, text: isString, isThinking: optional(isBoolean) }),
  'model-call-ended': hasFields({
    ...call,
    usage: isUsage,
    costUsd: isNullOr(isNumber),
    hasFees: optional(isBoolean),
    citations: optional(isListOf(hasFields({ url: isString, title: isString }))),
  }),
  'tool-call-started': hasFields({ ...call, tool: isString, subject: isString }),
  'tool-call-ended': hasFields({ ...call, tool: isString, isError: isBoolean }),
  'approval-requested': hasFields({
    ...turn,
    approvalId: isString,
    command: isString,
    cwd: isString,
    isConfined: isBoolean,
    isRequest: optional(isBoolean),
    isTool: optional(isBoolean),
    isChanged: optional(isBoolean),
    isProgram: optional(isBoolean),
    hash: isString,
  }),
  'approval-resolved': hasFields({ ...turn, approvalId: isString }),
  'agent-waiting': hasFields({ ...turn, reason: isString, until: isNumber }),
};

const turnEvents = {
  'agent-turn-started': hasFields({ ...turn, shown: isLabels }),
  'agent-turn-ended': hasFields({ ...turn, outcome: isString }),
  'answer-submitted': hasFields({
    ...turn,
    label: isLabel,
    text: isString,
    changes: isListOf(isFileChange),
    hadUnseen: isLabels,
  }),
  'vote-cast': hasFields({
    ...turn,
    ballotId: isString,
    target: isLabel,
    reason: isString,
    isInformed: isBoolean,
    weight: isNumber,
  }),
  'vote-ignored': hasFields({ ...turn, target: isString, unseen: isLabels }),
  'update-delivered': hasFields({ ...turn, labels: isLabels, at: isString }),
  'protocol-error': hasFields({ ...turn, code: isString, message: isString }),
  'tool-round-ended': hasFields(turn),
  'backend-retried': hasFields({ ...turn, error: isError }),
  'turn-failed': hasFields({ ...turn, error: isError, failedTurns: isNumber }),
  'agent-failed': hasFields({ slot: isNumber, error: isError }),
  'agent-abstained': hasFields({ slot: isNumber }),
  'agent-held': hasFields({ slot: isNumber }),
  'agent-stopped': hasFields(turn),
  'agent-cancelled': hasFields({ slot: isNumber }),
};

const runEvents = {
  'run-started': hasFields({
    runId: isString,
    task: isString,
    agents: isListOf(isAgentInfo),
    contextRoots: isRoots,
    settings: isSettings,
    caps: isCaps,
    isScripted: isBoolean,
    unconfinedReason: isNullOr(isString),
  }),
  'votes-voided': hasFields({
    cause: (cause) => isLabel(cause) || isOneOf('runoff', 'extra_round', 'dual_pass')(cause),
    voters: isSlots,
  }),
  'runoff-started': hasFields({ candidates: isSlots }),
  'extra-round-started': hasFields({}),
  'cap-reached': hasFields({ cap: isCap }),
  'poll-closed': hasFields({}),
  'tie-broken': hasFields({}),
  'final-agent-selected': hasFields({ winner: isWinner, agreement: isAgreement }),
  'final-presentation-started': hasFields({ ...turn, label: isLabel }),
  'final-answer': hasFields({ slot: isNumber, label: isLabel, text: isString, source: isString }),
  'change-set-ready': hasFields({ label: isLabel, files: isListOf(isFileChange) }),
  'run-ended': hasFields({
    outcome: isOutcome,
    error: (error) => error === undefined || isError(error),
  }),
  'workspace-opened': hasFields({ slot: isNumber }),
  'turn-opened': hasFields(turn),
  'snapshot-taken': hasFields(call),
  'instructions-read': hasFields({ slot: isNumber, files: isListOf(isInstructionFile) }),
  'system-call-started': hasFields({ call: isNumber, purpose: isString }),
  'system-call-ended': hasFields({
    call: isNumber,
    usage: isUsage,
    costUsd: isNullOr(isNumber),
  }),
  'effect-recorded': hasFields({ ...turn, effect: isEffect }),
  'effect-replayed': hasFields({ ...turn, hash: isString }),
  'hosted-tool-used': hasFields({
    ...call,
    id: isString,
    tool: isString,
    subject: isString,
    status: isOneOf('started', 'done', 'failed'),
  }),
  'tool-server-changed': hasFields({
    slot: isNumber,
    server: isString,
    status: isOneOf('connecting', 'ready', 'failed', 'stopped'),
    tools: optional(isListOf(hasFields({ name: isString }))),
    message: optional(isString),
  }),
  'dual-pass-started': hasFields({ candidates: isSlots }),
  'judge-asked': hasFields({ candidates: isSlots }),
  'judge-decided': hasFields({ label: isNullOr(isLabel), reason: isString }),
  'turn-limit-reached': hasFields({ ...turn, limit: isOneOf('soft', 'hard'), by: isString }),
  'wrap-up-delivered': hasFields(turn),
  'steering-received': hasFields({ id: isString, text: isString, targets: isNullOr(isSlots) }),
  'steering-delivered': hasFields({ ...turn, ids: isListOf(isString) }),
  'answer-now-requested': hasFields({ slot: isNumber }),
  'user-override': hasFields({
    label: isLabel,
    when: isOneOf('before', 'after'),
    previous: isNullOr(isLabel),
  }),
  'agent-revived': hasFields({ slot: isNumber }),
  'planning-decided': hasFields({ isOn: isBoolean, blockedTools: isListOf(isString) }),
  'evaluation-started': hasFields(turn),
  'evaluation-ended': hasFields({
    slot: isNumber,
    decision: isOneOf('submit', 'restart'),
    reason: isString,
    instructions: isString,
  }),
  'orchestration-restarted': hasFields({ attempt: isNumber, reason: isString }),
  'run-resumed': hasFields({}),
  'mix-picked': hasFields({
    root: isString,
    path: isString,
    parts: isListOf(isPart),
    change: isFileChange,
  }),
  'checks-started': hasFields({ subject: isCheckSubject, names: isListOf(isString) }),
  'check-ended': hasFields({ subject: isCheckSubject, result: isCheckResult }),
  'checks-ended': hasFields({ subject: isCheckSubject, report: isCheckReport }),
  'file-decided': hasFields({ root: isString, path: isString, decision: isDecision }),
  'warning-raised': hasFields({ message: isString }),
};

const checks: Readonly<Record<RunEvent['type'], Check>> = {
  ...modelEvents,
  ...turnEvents,
  ...runEvents,
};

const byType: ReadonlyMap<string, Check> = new Map(Object.entries(checks));

/** An event of a kind that this version knows, with the fields that it reads. */
export function isEvent(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    (byType.get(value.type)?.(value) ?? false)
  );
}
