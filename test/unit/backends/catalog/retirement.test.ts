import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findModel } from '../../../../src/backends/catalog/lookup';
import {
  allModels,
  daysLeft,
  noticeDays,
  retirementNotice,
} from '../../../../src/backends/catalog/retirement';
import { modelsDate } from '../../../../src/backends/chatcompletion/models';
import { builtInBackends } from '../../../../src/backends/registry';
import type { CatalogModel } from '../../../../src/core/ports/backend-kind';
import { knownServices } from '../../../../src/app/services-table';

const kinds = builtInBackends({ recordingsDir: '/nowhere' });
const root = join(import.meta.dirname, '../../../..');
const tableDay = Date.parse(modelsDate);
const model: CatalogModel = {
  ...{ id: 'old-1', family: 'old', source: 'a page' },
  ...{ retires: '2026-06-30', successor: 'new-1' },
};
const on = (day: string): string | undefined => retirementNotice(model, Date.parse(day));

describe('the end of a model', () => {
  it('is told ninety days before, and after', () => {
    expect(on('2026-04-01')).toBe('old-1 ends on 2026-06-30; use new-1 instead.');
    expect(on('2026-07-01')).toBe('old-1 ended on 2026-06-30; use new-1 instead.');
  });

  it('is no matter long before, nor for a model without one', () => {
    expect(on('2026-03-01')).toBeUndefined();
    expect(retirementNotice({ id: 'm', family: '', source: '' }, tableDay)).toBeUndefined();
  });
});

/** Everything that the product ships or proposes, by where it stands. */
function proposed(): readonly (readonly [where: string, type: string, id: string])[] {
  const defaults = kinds.flatMap(({ type, defaultModel }) =>
    defaultModel === undefined ? [] : [[`default of ${type}`, type, defaultModel] as const],
  );
  const services = knownServices(kinds, tableDay).flatMap(({ type, models }) =>
    models.map((id) => ['known service', type, id] as const),
  );
  const files = readdirSync(join(root, 'configs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) =>
      [...readFileSync(join(root, 'configs', name), 'utf8').matchAll(/^\s*model:\s*(\S+)/gm)].map(
        ([, id = '']) => [`configs/${name}`, '', id] as const,
      ),
    );
  return [...defaults, ...services, ...files];
}

describe('what is shipped or proposed', () => {
  it.each(proposed())('%s: %s %s does not end soon', (_where, type, id) => {
    const known = allModels(kinds).filter((each) => type === '' || each.type === type);
    const found = findModel(
      known.map((each) => each.model),
      id,
    );
    const left = found === undefined ? undefined : daysLeft(found, tableDay);
    expect(left ?? noticeDays + 1).toBeGreaterThan(noticeDays);
  });
});

describe('the tables of all kinds', () => {
  const models = allModels(kinds);

  it('name no model twice in one kind, and the source of everything', () => {
    const ids = models.map(({ type, model: { id } }) => `${type} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(models.filter(({ model: { source } }) => source === '')).toEqual([]);
  });

  it('have prices that make sense: cached input is never dearer, long input never cheaper', () => {
    const wrong = models.filter(({ model: { price } }) => {
      if (price === undefined) {
        return false;
      }
      const { inputUsd, cachedInputUsd, cacheWriteUsd = inputUsd, outputUsd, above } = price;
      const isOrdered = 0 < inputUsd && cachedInputUsd <= inputUsd && inputUsd <= cacheWriteUsd;
      return !isOrdered || outputUsd < inputUsd || (above?.price.inputUsd ?? Infinity) < inputUsd;
    });
    expect(wrong).toEqual([]);
  });

  it('name a successor that is known and lasts for every model that ends', () => {
    const ending = models.filter(({ model: { retires } }) => retires !== undefined);
    expect(ending).not.toEqual([]);
    for (const { type, model: one } of ending) {
      const next = models.find((each) => each.type === type && each.model.id === one.successor);
      expect([one.id, next && (daysLeft(next.model, tableDay) ?? Infinity) > noticeDays]).toEqual([
        one.id,
        true,
      ]);
    }
  });
});
