// Finds what a recording has to say at a step. Waiting for a person can make a live run take turns that the recording
// does not have; then the agent's last recorded vote stands in, so that a run always comes to its end.
import { parseLabel } from '../../base/ids';
import type { ModelRequest, StepKey, ToolCall } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { RecordedCall, Recording } from './recording';

const emptyCall = { isPresentation: false, endPauseMs: 0, usage: {}, error: undefined };

export function chooseCall(recording: Recording, request: ModelRequest): RecordedCall {
  const { step } = request;
  const own = recording.calls.filter((call) => call.slot === step.slot);
  const offered = new Set(request.tools.map((tool) => tool.name));
  const exact = findStep(own, step);
  if (exact !== undefined && isPlayable(exact, offered)) {
    return { ...exact, toolCalls: exact.toolCalls.map((call) => adaptVote(call, request)) };
  }
  const standIn = isPresenting(offered)
    ? undefined
    : offered.has('vote') && mayVote(request)
      ? lastWith(own, 'vote')
      : firstWith(own, 'new_answer');
  return standIn === undefined ? present(own, step) : vary(standIn, request);
}

/** The recorded call of a step; one that went well rather than a failed try of the same step. */
function findStep(own: readonly RecordedCall[], step: StepKey): RecordedCall | undefined {
  const same = own.filter((call) => call.turnNo === step.turnNo && call.call === step.call);
  const sameAttempt = same.filter((call) => call.attempt === step.attempt);
  const found = sameAttempt.length > 0 ? sameAttempt : same;
  return found.findLast((call) => call.error === undefined) ?? found.at(-1);
}

/**
 * A presentation is played only in a presentation, a workflow call only where it is offered. A call that was cut off
 * when the recorded run went another way has nothing whole to play.
 */
function isPlayable(call: RecordedCall, offered: ReadonlySet<string>): boolean {
  const isCutOff = call.error?.code.startsWith('cancelled/') === true;
  const workflow = call.toolCalls.filter(({ name }) => name === 'vote' || name === 'new_answer');
  return (
    !isCutOff &&
    call.isPresentation === isPresenting(offered) &&
    workflow.every(({ name }) => offered.has(name))
  );
}

/** Who presents can neither vote nor change anything; who drafts cannot vote either, but can change files. */
function isPresenting(offered: ReadonlySet<string>): boolean {
  return !['vote', 'write_file', 'edit_file', 'run_command'].some((name) => offered.has(name));
}

function present(own: readonly RecordedCall[], step: StepKey): RecordedCall {
  const presented = own.filter((call) => call.isPresentation);
  const found = presented.find((call) => call.call === step.call) ?? presented.at(-1);
  if (found !== undefined) {
    return found;
  }
  const answer = lastWith(own, 'new_answer')?.toolCalls.find(({ name }) => name === 'new_answer');
  const text = asText(objectIn(answer?.argumentsJson)?.['content']);
  const deltas = text === '' ? [] : [{ pauseMs: 0, text, isThinking: false }];
  return { ...emptyCall, ...step, deltas, toolCalls: [] };
}

/** A recorded call played at another step: under new ids, and without calls that belong to its own step. */
function vary(call: RecordedCall, request: ModelRequest): RecordedCall {
  const { turnNo, call: callNo } = request.step;
  const workflow = call.toolCalls.filter(({ name }) => name === 'vote' || name === 'new_answer');
  return {
    ...call,
    toolCalls: workflow.map((toolCall, i) =>
      adaptVote({ ...toolCall, id: `extra_${turnNo}_${callNo}_${i}` }, request),
    ),
  };
}

/** Directs a vote at something that can be voted for, when the one before it was refused. */
function adaptVote(call: ToolCall, request: ModelRequest): ToolCall {
  const ballot = call.name === 'vote' ? objectIn(call.argumentsJson) : undefined;
  const targets = toldTargets(request);
  const wanted = asText(ballot?.['agent_id']);
  if (ballot === undefined || targets.length === 0 || targets.includes(wanted)) {
    return call;
  }
  const slot = parseLabel(wanted)?.slot;
  const target = targets.findLast((label) => parseLabel(label)?.slot === slot) ?? targets.at(-1);
  return { ...call, argumentsJson: JSON.stringify({ ...ballot, agent_id: target }) };
}

/** What can be voted for, as the newest reply to a call lists it. */
function toldTargets(request: ModelRequest): readonly string[] {
  return newestReplies(request).flatMap((reply) => asArray(reply['targets']).map(asText));
}

/** A vote is offered for a whole turn, also while there is nothing to vote for; the reply to a call says so. */
function mayVote(request: ModelRequest): boolean {
  return newestReplies(request).every((reply) => {
    const allowed = asArray(reply['allowed_now']);
    return allowed.length === 0 || allowed.includes('vote');
  });
}

function newestReplies({ messages }: ModelRequest): readonly Readonly<Record<string, unknown>>[] {
  const newest = messages.findLast(({ role }) => role === 'tool');
  const results = newest?.role === 'tool' ? newest.results : [];
  return results.map(({ text }) => objectIn(text)).filter((reply) => reply !== undefined);
}

function firstWith(own: readonly RecordedCall[], tool: string): RecordedCall | undefined {
  return own.find((call) => call.toolCalls.some(({ name }) => name === tool));
}

function lastWith(own: readonly RecordedCall[], tool: string): RecordedCall | undefined {
  return own.findLast((call) => call.toolCalls.some(({ name }) => name === tool));
}

function objectIn(json: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (json === undefined) {
    return undefined;
  }
  try {
    return asObject(JSON.parse(json));
  } catch {
    return undefined;
  }
}
