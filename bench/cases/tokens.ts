// Tokens that a run sends and gets, by the size of its team: drafts before anybody sees another and one round of votes,
// against a team that begins anew whenever an answer comes, on the same script in its worst order. Also the share of
// the input that a service has to read anew because its beginning has changed.
import type { ModelRequest } from '../../src/core/ports/model-backend';
import { compatProfile } from '../../src/run/profiles';
import type { CoordinationSettings } from '../../src/run/coordination-settings';
import type { Clock } from '../../src/core/ports/clock';
import { FakeClock } from '../../test/support/fake-clock';
import { look, put } from '../../test/support/plain-tools';
import { RunHarness, settle } from '../../test/support/run-harness';
import { say, type ScriptedResponse, type ScriptStep } from '../../test/support/scripted-backend';
import { unchangedShare } from '../../test/support/unchanged-prefix';

const charsPerToken = 4;
const promptTokens = 4_000;
const answerTokens = 2_000;

/** Of drafts and one round of votes alone, in thousands; our own words and the final text come on top. */
const expected: Readonly<Record<number, number>> = { 3: 48, 5: 100, 8: 208 };
const teams = [3, 5, 8] as const;

export const cases = [
  ...teams.flatMap((agents) => [
    {
      name: `tokens-${agents}`,
      unit: 'k',
      budget: 1.4 * (expected[agents] ?? 0),
      measure: async (): Promise<number[]> => [(await tokens(agents, {})) / 1000],
    },
    {
      name: `tokens-${agents}-restarting`,
      unit: 'k',
      budget: undefined,
      measure: async (): Promise<number[]> => [(await tokens(agents, restarting)) / 1000],
    },
    {
      name: `tokens-${agents}-of-restarting`,
      unit: 'x',
      budget: [0.7, 0.5, 0.35][teams.indexOf(agents)],
      measure: async (): Promise<number[]> => [
        (await tokens(agents, {})) / (await tokens(agents, restarting)),
      ],
    },
  ]),
  { name: 'input-read-anew', unit: '%', budget: 20, measure: readAnew },
];

/** Whoever works when an answer comes is started again with it, and every vote is cast again. */
const restarting: Partial<CoordinationSettings> = {
  ...compatProfile,
  updateDelivery: 'restart',
  firstAnswerProtection: false,
};

const workMs = 10_000;
const voteMs = 100;

/**
 * Agents answer one after the other and vote as soon as they can, so that every answer makes every vote void. Where an
 * answer starts the others again it does so after a round of tools: they make one then, in the call that is lost.
 */
async function tokens(agents: number, settings: Partial<CoordinationSettings>): Promise<number> {
  const team = new SerialTeam(agents, settings.updateDelivery === 'restart');
  const scripts = Array.from({ length: agents }, (_unused, i) =>
    Array.from(
      { length: mostCalls },
      (): ScriptedResponse => (request) => team.act(i + 1, request),
    ),
  );
  const task = 'x '.repeat((promptTokens * charsPerToken) / 2);
  const harness = new RunHarness(scripts, {
    settings: { stop: 'full', ...settings },
    ...{ task, tools: [look] },
  });
  team.clock = harness.clock;
  const ended = harness.play();
  await settle();
  while (harness.record.state.outcome === null && harness.clock.advanceToNext()) {
    await settle();
  }
  const { outcome, error } = await ended;
  if (outcome !== 'completed') {
    throw new Error(`the run ended with ${outcome}: ${error?.message}`);
  }
  const read = harness.backends.flatMap(({ requests }) => requests.map(lengthOf));
  return (read.reduce((sum, each) => sum + each, 0) + team.written) / charsPerToken;
}

const mostCalls = 60;

/** What the models of such a team do, each when it is its time. */
class SerialTeam {
  clock: Clock | undefined;
  /** Characters. */
  written = 0;
  readonly #answered = new Set<number>();
  readonly #begun: number;
  readonly #agents: number;
  readonly #isInterrupted: boolean;

  constructor(agents: number, isInterrupted: boolean) {
    this.#agents = agents;
    this.#isInterrupted = isInterrupted;
    this.#begun = new FakeClock().now();
  }

  act(slot: number, { tools }: ModelRequest): readonly ScriptStep[] {
    const has = (name: string): boolean => tools.some((tool) => tool.name === name);
    if (has('new_answer') && !this.#answered.has(slot)) {
      return this.#write(slot);
    }
    return has('vote')
      ? this.#say(say.vote(slot === 1 && !this.#isInterrupted ? 'agent2' : 'agent1'), voteMs)
      : this.#say(textOf(slot), 0);
  }

  #write(slot: number): readonly ScriptStep[] {
    const now = (this.clock?.now() ?? 0) - this.#begun;
    const nextAnswer = (Math.floor(now / workMs) + 1) * workMs;
    if (this.#isInterrupted && nextAnswer < slot * workMs && nextAnswer < this.#agents * workMs) {
      return this.#say({ call: 'look', input: { path: 'a.txt' } }, nextAnswer - now + 1);
    }
    this.#answered.add(slot);
    return this.#say(say.answer(textOf(slot)), slot * workMs - now);
  }

  #say(step: ScriptStep, afterMs: number): readonly ScriptStep[] {
    this.written += typeof step === 'string' ? step.length : JSON.stringify(step).length;
    const until = new Promise<void>((resolve) => {
      this.clock?.after(afterMs, resolve);
    });
    return [{ until }, step];
  }
}

/** Different for each agent, so that none is taken for a copy. */
function textOf(slot: number): string {
  return `word${slot} `.repeat((answerTokens * charsPerToken) / `word${slot} `.length);
}

function lengthOf({ system, messages, tools }: ModelRequest): number {
  return system.length + JSON.stringify(messages).length + JSON.stringify(tools).length;
}

/** Percent of the input from the second call of an agent on; one sample per agent of a small task with tools. */
async function readAnew(): Promise<number[]> {
  const harness = new RunHarness([task(1, 'agent2'), task(2, 'agent3'), task(3, 'agent2')], {
    tools: [look, put],
    task: 'Make the greeting polite, in every language of the project, and test it.',
    base: { 'a.txt': 'a line of some length, as sources have it\n'.repeat(30) },
    userFiles: {
      read: async (_root, path) => {
        const head = new TextEncoder().encode('Use spaces, and test what you change.\n'.repeat(20));
        return path === 'AGENTS.md' ? { head, sizeBytes: head.length } : undefined;
      },
    },
  });
  const { outcome } = await harness.play();
  if (outcome !== 'completed') {
    throw new Error(`the run ended with ${outcome}`);
  }
  return harness.backends.map(({ requests }) => 100 * (1 - unchangedShare(requests)));
}

/** Rounds of tools and a draft, fewer rounds and a vote. */
function task(slot: number, vote: string): readonly ScriptedResponse[] {
  const rounds = (count: number): ScriptedResponse[] =>
    Array.from({ length: count }, (_unused, n) => [
      `Step ${n}. `,
      n % 3 === 2
        ? { call: 'put', input: { path: `s${slot}-${n}.txt`, text: 'line\n'.repeat(20) } }
        : { call: 'look', input: { path: 'a.txt' } },
    ]);
  return [
    ...rounds(8),
    [say.answer(`Draft of ${slot}. ${'It changes the greeting and tests it. '.repeat(30)}`)],
    ...rounds(6),
    [say.vote(vote)],
    ['The final text.'],
  ];
}
