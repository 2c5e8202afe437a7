import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hunksOf } from '../../../../src/workspace/hunks/hunks-of';
import type { Part } from '../../../../src/workspace/hunks/parts';
import { composeLines, toPart } from '../../../../src/workspace/hunks/parts';
import type { DriftMark } from '../../../../src/workspace/review/carry-parts';
import { carryParts } from '../../../../src/workspace/review/carry-parts';

const text = fc.array(fc.constantFrom('a\n', 'b\n'), { minLength: 4, maxLength: 16 });

function partsOf(base: readonly string[], now: readonly string[]): readonly Part[] {
  const [old, next] = [base, now].map((lines) => new Uint8Array(Buffer.from(lines.join(''))));
  const found = hunksOf(old ?? new Uint8Array(), next ?? new Uint8Array(), 'a.txt');
  const hunks = found !== undefined && 'hunks' in found ? found.hunks : [];
  return hunks
    .map((info) => toPart(info, 'agent1.1', base, now))
    .filter((part) => part !== undefined);
}

test('parts that came in leave again with nothing of the user’s, however alike the lines are', () => {
  fc.assert(
    fc.property(text, text, text, (base, now, live) => {
      const parts = partsOf(base, now);
      const none = new Set<string>();
      const all = new Set(parts.map(({ id }) => id));
      const there = carryParts({ base, parts, from: none, to: all, live, drift: undefined });
      const came = new Set([...all].filter((id) => !there.conflicts.has(id)));
      fc.pre(there.there.size === 0);
      const { lines, drift } = there;
      const back = carryParts({ base, parts, from: came, to: none, live: lines, drift });
      expect([back.conflicts.size, back.lines.join('')]).toEqual([0, live.join('')]);
    }),
    { numRuns: 1500, seed: 9 },
  );
});

test('the order in which parts come makes no difference to the text', () => {
  fc.assert(
    fc.property(text, text, text, (base, now, live) => {
      const parts = partsOf(base, now);
      const oneByOne = (order: readonly Part[]): string => {
        let have = new Set<string>();
        let lines: readonly string[] = live;
        let drift: readonly DriftMark[] | undefined;
        for (const { id } of order) {
          const next = carryParts({
            ...{ base, parts, from: have, live: lines, drift },
            to: new Set([...have, id]),
          });
          have = next.conflicts.has(id) ? have : new Set([...have, id]);
          ({ lines, drift } = next);
        }
        return lines.join('');
      };
      expect(oneByOne(parts.toReversed())).toBe(oneByOne(parts));
    }),
    { numRuns: 1500, seed: 9 },
  );
});

test('marks of the user’s edits that do not lead to the live text are not believed', () => {
  const mark = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6));
  fc.assert(
    fc.property(text, text, text, fc.array(mark, { maxLength: 3 }), (base, now, live, marks) => {
      const parts = partsOf(base, now);
      const none = new Set<string>();
      const all = new Set(parts.map(({ id }) => id));
      const request = { base, parts, from: none, to: none, live };
      expect(carryParts({ ...request, drift: marks }).lines).toEqual(live);
      const { lines, mine, conflicts } = carryParts({ ...request, to: all, drift: marks });
      const reached = parts.filter(({ id }) => !conflicts.has(id));
      expect(applied(composeLines(base, reached), mine)).toEqual(lines);
    }),
    { numRuns: 1500, seed: 9 },
  );
});

function applied(
  lines: readonly string[],
  edits: readonly {
    readonly start: number;
    readonly end: number;
    readonly lines: readonly string[];
  }[],
): readonly string[] {
  return edits.reduceRight<readonly string[]>(
    (now, edit) => [...now.slice(0, edit.start), ...edit.lines, ...now.slice(edit.end)],
    lines,
  );
}
