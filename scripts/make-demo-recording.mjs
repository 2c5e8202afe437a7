// Makes media/offline/demo.jsonl, the recording that the offline demonstration plays, from demo-script.mjs.
//
//   node scripts/make-demo-recording.mjs [--stdout]
//
// The recording has the form of a run's log: a header line, then numbered events with their times. Only what a playback
// needs is in it: the beginnings of turns, and what the models send.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { agents, sample, task } from './demo-script.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const wordsPerDelta = 3;
/** What a tool takes, on the time line of the recording. */
const toolMs = 200;
const startedAt = Date.parse('2026-11-01T09:00:00Z');

/** Writing arguments takes time too, but nobody sees them come: at most a second. */
function writingMs(toolCalls) {
  const length = toolCalls.reduce((sum, call) => sum + call.argumentsJson.length, 0);
  return Math.min(1000, 100 + length);
}

function deltasOf(text) {
  const words = text.match(/\s*\S+/g) ?? [];
  const deltas = [];
  for (let i = 0; i < words.length; i += wordsPerDelta) {
    deltas.push(words.slice(i, i + wordsPerDelta).join(''));
  }
  return deltas;
}

/** The events of one model call at `place` (slot, turnNo, call), and when it is over. */
function callEvents(agent, place, step, beginAt) {
  const { slot, turnNo, call } = place;
  const events = [{ at: beginAt, event: { type: 'model-call-started', ...place } }];
  let at = beginAt + agent.firstMs;
  for (const text of deltasOf(step.say)) {
    events.push({ at, event: { type: 'text-delta', ...place, text } });
    at += agent.perDeltaMs;
  }
  const toolCalls = step.calls.map(([name, args], i) => ({
    id: `a${slot}_t${turnNo}_c${call}_${i}`,
    name,
    argumentsJson: JSON.stringify(args),
  }));
  at += writingMs(toolCalls);
  // A script uses no tokens, and it costs nothing.
  const usage = { inputTokens: 0, outputTokens: 0 };
  const ended = {
    type: 'model-call-ended',
    ...place,
    text: step.say,
    toolCalls,
    usage,
    costUsd: 0,
  };
  events.push({ at, event: ended });
  return { events, endAt: at + toolMs };
}

/** `opening` is the event that begins the turn, without the place. */
function turnEvents(agent, opening, steps, beginAt) {
  const { type, turnNo, ...rest } = opening;
  const events = [{ at: beginAt, event: { type, slot: agent.slot, turnNo, ...rest } }];
  let at = beginAt;
  for (const [i, step] of steps.entries()) {
    const place = { slot: agent.slot, turnNo, call: i + 1 };
    const played = callEvents(agent, place, step, at);
    events.push(...played.events);
    at = played.endAt;
  }
  return { events, endAt: at };
}

/** Turns of one number begin together, once all agents are through with the turn before. */
function allEvents() {
  const labels = agents.map(({ slot }) => `agent${slot}.1`);
  const events = [];
  let beginAt = startedAt;
  for (const turnNo of [1, 2, 3]) {
    const shown = { 1: [], 2: labels, 3: labels.with(1, 'agent2.2') }[turnNo];
    const opening = { type: 'agent-turn-started', turnNo, attempt: 1, shown };
    const turns = agents.map((agent) => turnEvents(agent, opening, agent.turns[turnNo], beginAt));
    events.push(...turns.flatMap((turn) => turn.events));
    beginAt = Math.max(...turns.map((turn) => turn.endAt));
  }
  const presenter = agents.find((agent) => agent.presentation !== undefined);
  const { turnNo, calls } = presenter.presentation;
  const opening = { type: 'final-presentation-started', turnNo, label: 'agent2.2' };
  events.push(...turnEvents(presenter, opening, calls, beginAt).events);
  return events.toSorted((a, b) => a.at - b.at);
}

/** Every different command that an agent or a check of the team will run, so that it can be shown and allowed beforehand. */
function commands() {
  const steps = agents.flatMap((agent) => Object.values(agent.turns).flat());
  const texts = steps
    .flatMap((step) => step.calls)
    .filter(([name]) => name === 'run_command')
    .map(([, args]) => args.command);
  const { checks } = parse(readFileSync(join(root, 'configs/offline.yaml'), 'utf8'));
  return [...new Set([...texts, ...checks.map(({ command }) => command)])].map((command) => ({
    command,
    hash: createHash('sha256').update(command).digest('hex'),
  }));
}

/** The text of the whole file. */
function makeRecording() {
  const header = { v: 1, kind: 'recording', isHandmade: true, sample, task, commands: commands() };
  const events = allEvents().map(({ at, event }, seq) => ({ seq, at, event }));
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
}

if (process.argv.includes('--stdout')) {
  process.stdout.write(makeRecording());
} else {
  writeFileSync(join(root, 'media/offline/demo.jsonl'), makeRecording());
}
