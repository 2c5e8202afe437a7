// What comparing a close pair twice is worth with a voter that likes what it sees first, over all it can do.
import { describe, expect, test } from 'vitest';
import { displayOrder } from '../../../../src/core/coordination/display-order';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { Engine } from '../../../support/engine';
import { expectPrinted } from '../../../support/decision/printed';

const best = 'agent1.1';
const other = 'agent2.1';
const seeds = ['0', '1', '2', '3', '4', '5', '6', '7'];

/** The third voter is to vote; the first two have one vote each, and stay with it. */
function undecided(runSeed: string): Engine {
  const settings = compatSettings({
    ...{ rule: 'majority', dualPass: 'close', displayOrder: 'shuffle', runSeed },
    ...{ backoffMs: 0, finalAnswerStrategy: 'winner_reuse' },
  });
  const engine = new Engine({ count: 3, settings });
  [1, 2, 3].forEach((slot) => engine.answer(slot, `answer ${slot}`));
  engine.settle();
  standBy(engine);
  return engine;
}

function standBy(engine: Engine): void {
  engine.vote(1, 'agent1');
  engine.vote(2, 'agent2');
}

/** Whether the third voter has the best before the other one in front of it. */
function isBestFirst({ state }: Engine): boolean {
  const shown = displayOrder(state, 3);
  return shown.indexOf(best) < shown.indexOf(other);
}

interface Voter {
  readonly quality: number;
  readonly bias: number;
}

/** How likely the voter is to vote like this in what is shown to it. */
function chanceOf(vote: string, engine: Engine, { quality, bias }: Voter): number {
  const forBest = (1 - bias) * quality + (isBestFirst(engine) ? bias : 0);
  return vote === best ? forBest : 1 - forBest;
}

/** One way through both votes. */
function course(seed: string, votes: readonly [string, string], voter: Voter) {
  const engine = undecided(seed);
  const first = chanceOf(votes[0], engine, voter);
  engine.vote(3, votes[0]);
  engine.settle();
  standBy(engine);
  const second = chanceOf(votes[1], engine, voter);
  engine.vote(3, votes[1]);
  const { selection } = engine.state;
  return {
    both: first * second,
    counts: selection?.agreement.electorate.includes(3) === true,
    isRight: selection?.winner?.label === best,
  };
}

describe('a close pair that is compared twice', () => {
  const ofOrder = (isFirst: boolean): string | undefined =>
    seeds.find((seed) => isBestFirst(undecided(seed)) === isFirst);

  test('is shown in either order first, by the seed', () => {
    expect(ofOrder(true)).toBeDefined();
    expect(ofOrder(false)).toBeDefined();
  });

  test.each([
    [0.8, 0.3, '.71', '.5432', '.8866'],
    [0.7, 0.3, '.64', '.4942', '.7833'],
    [0.9, 0.2, '.82', '.6848', '.9673'],
  ])(
    'judged at %f with bias %f: once right with %s; counted in %s, then right with %s',
    (quality, bias, once, counted, right) => {
      const sums = { once: 0, counted: 0, right: 0 };
      for (const seed of [ofOrder(true) ?? '', ofOrder(false) ?? '']) {
        for (const one of [best, other]) {
          for (const two of [best, other]) {
            const { both, counts, isRight } = course(seed, [one, two], { quality, bias });
            sums.once += one === best ? both / 2 : 0;
            sums.counted += counts ? both / 2 : 0;
            sums.right += counts && isRight ? both / 2 : 0;
          }
        }
      }
      expectPrinted(sums.once, once);
      expectPrinted(sums.counted, counted);
      expectPrinted(sums.right / sums.counted, right);
    },
  );
});
