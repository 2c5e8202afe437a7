// What the engine itself costs: deciding about inputs and folding events, without models, files or clocks; and how long
// a whole run takes when nothing but models takes time.
import { Engine } from '../../test/support/engine';
import { RunHarness, settle } from '../../test/support/run-harness';
import { say, type ScriptedResponse } from '../../test/support/scripted-backend';
import { recommendedProfile } from '../../src/run/profiles';

const sizes = [3, 10, 30, 100] as const;
/** Of which a team file allows at most ten; the others show how cost grows. */
const runsPerSize = 9;

export const cases = [
  ...sizes.map((agents) => ({
    name: `engine-event-${agents}`,
    unit: 'µs',
    budget: 50,
    measure: async (): Promise<number[]> =>
      samples(agents, ({ ms, events }) => (1000 * ms) / events),
  })),
  ...sizes.slice(0, 3).map((agents) => ({
    name: `engine-answer-${agents}`,
    unit: 'ms',
    budget: 5,
    measure: async (): Promise<number[]> => samples(agents, ({ ms, answers }) => ms / answers),
  })),
  { name: 'engine-growth-10-30', unit: 'x', budget: 2, measure: grown(10, 30) },
  { name: 'engine-growth-10-100', unit: 'x', budget: 4, measure: grown(10, 100) },
  ...sizes.slice(0, 3).map((agents) => ({
    name: `latencies-${agents}`,
    unit: 'calls',
    budget: 3,
    measure: async (): Promise<number[]> => [await latencies(agents)],
  })),
];

interface Cost {
  /** Of processor time. */
  readonly ms: number;
  readonly events: number;
  readonly answers: number;
}

function samples(agents: number, figure: (cost: Cost) => number): number[] {
  costOf(agents); // lets the code be compiled before it is measured
  return Array.from({ length: runsPerSize }, () => figure(costOf(agents)));
}

function grown(small: number, large: number): () => Promise<number[]> {
  return async () => growth(small, large);
}

/** Cost of an event in the larger team by that in the smaller one: 1 when cost grows as the number of events does. */
function growth(small: number, large: number): number[] {
  const perEvent = ({ ms, events }: Cost): number => ms / events;
  costOf(large);
  return Array.from(
    { length: runsPerSize },
    () => perEvent(costOf(large)) / perEvent(costOf(small)),
  );
}

const fewestEvents = 20_000;

/** Of as many runs as make a time that can be measured; in time of the processor, which other programs do not change. */
function costOf(agents: number): Cost {
  const begun = process.cpuUsage();
  let events = 0;
  let answers = 0;
  while (events < fewestEvents) {
    const engine = play(agents);
    events += engine.log.length;
    answers += engine.state.agents.reduce((sum, { revisions }) => sum + revisions.length, 0);
  }
  const { user, system } = process.cpuUsage(begun);
  return { ms: (user + system) / 1000, events, answers };
}

const rounds = 8;
const piecesPerCall = 12;

/** Drafts with tools, a revision by every third agent, and votes: what a run of a small task consists of. */
function play(count: number): Engine {
  const engine = new Engine({
    count,
    settings: { ...recommendedProfile, stop: 'full', fairnessLeadCap: null, runSeed: '5eed' },
  });
  const slots = Array.from({ length: count }, (_unused, i) => i + 1);
  for (let round = 0; round < rounds; round++) {
    for (const slot of slots) {
      useTool(engine, slot);
    }
    engine.settle();
  }
  for (const slot of slots) {
    engine.answer(slot, `The draft of agent ${slot}.`);
    engine.settle();
  }
  for (const slot of slots.filter((each) => each % 3 === 0)) {
    engine.answer(slot, `A better text of agent ${slot}.`);
    engine.settle();
  }
  while (engine.state.poll.kind === 'open') {
    const slot = engine.state.agents.find(({ turn }) => turn !== null)?.info.slot;
    if (slot === undefined) {
      throw new Error('the poll is open and nobody works');
    }
    engine.vote(slot, slot === 1 ? 'agent2' : 'agent1');
    engine.settle();
  }
  return engine;
}

function useTool(engine: Engine, slot: number): void {
  const { turnNo, turn } = engine.agent(slot);
  const call = (turn?.calls ?? 0) + 1;
  for (let piece = 0; piece < piecesPerCall; piece++) {
    const text = `piece ${piece} of call ${call}, `;
    engine.put({ kind: 'observed', event: { type: 'text-delta', slot, turnNo, call, text } });
  }
  engine.tool(slot, 'look');
}

const latencyMs = 1000;

/** Time of a run in units of the time one model call takes: drafts, votes and the final text follow one another. */
async function latencies(count: number): Promise<number> {
  const held: { harness?: RunHarness } = {};
  const slow =
    (...steps: Extract<ScriptedResponse, readonly unknown[]>): ScriptedResponse =>
    () => {
      const until = new Promise<void>((resolve) => {
        held.harness?.clock.after(latencyMs, resolve);
      });
      return [{ until }, ...steps];
    };
  const scripts = Array.from({ length: count }, (_unused, i): readonly ScriptedResponse[] => [
    slow(say.answer(`Draft ${i + 1}.`)),
    slow(say.vote(i === 0 ? 'agent2' : 'agent1')),
    slow('The final text.'),
  ]);
  const harness = new RunHarness(scripts, { settings: { stop: 'full' } });
  held.harness = harness;
  const begun = harness.clock.now();
  const ended = harness.play();
  await settle();
  while (harness.record.state.outcome === null && harness.clock.advanceToNext()) {
    await settle();
  }
  const { outcome, finalAnswer } = await ended;
  if (outcome !== 'completed' || finalAnswer?.source !== 'presented') {
    throw new Error(`the run ended with ${outcome}`);
  }
  return (harness.clock.now() - begun) / latencyMs;
}
