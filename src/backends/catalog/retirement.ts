// What ends, and when: models are taken out of service on days that are known beforehand.
import type { BackendKind, CatalogModel } from '../../core/ports/backend-kind';

const dayMs = 86_400_000;

/** People are told of an end this long before, days. */
export const noticeDays = 90;

/** A model of the catalog with the kind that has it. */
export interface ListedModel {
  readonly type: string;
  readonly model: CatalogModel;
}

/** The models of all kinds in the order of the kinds; a model of two kinds is listed for each. */
export function allModels(kinds: readonly BackendKind[]): readonly ListedModel[] {
  return kinds.flatMap(({ type, models = [] }) => models.map((model) => ({ type, model })));
}

/** Whole days until the model ends, 0 and less once it has; `undefined` when no end is known. `today`: Unix ms. */
export function daysLeft({ retires }: CatalogModel, today: number): number | undefined {
  const end = retires === undefined ? Number.NaN : Date.parse(retires);
  return Number.isNaN(end) ? undefined : Math.ceil((end - today) / dayMs);
}

/** One sentence on a model that has ended or ends within `noticeDays`; `undefined` for any other. */
export function retirementNotice(model: CatalogModel, today: number): string | undefined {
  const days = daysLeft(model, today);
  if (days === undefined || days > noticeDays) {
    return undefined;
  }
  const verb = days > 0 ? 'ends' : 'ended';
  const next = model.successor === undefined ? '' : `; use ${model.successor} instead`;
  return `${model.id} ${verb} on ${model.retires ?? ''}${next}.`;
}
