import { nearest } from '../base/text';
import { findModel } from '../backends/catalog/lookup';
import { retirementNotice } from '../backends/catalog/retirement';
import type { BackendKind, BackendSettings } from '../core/ports/backend-kind';
import type { Clock } from '../core/ports/clock';

/**
 * What a user should know about the model of a block: that it cannot have all that is set, that it ends soon, or that its
 * name is probably a typing error. No name is ever refused: services have new models every week. `undefined`: nothing.
 */
export function createModelNotice(
  kinds: readonly BackendKind[],
  clock: Pick<Clock, 'now'>,
): (settings: BackendSettings) => string | undefined {
  return (settings) => {
    const kind = kinds.find(({ type }) => type === settings.type);
    return kind === undefined
      ? undefined
      : (kind.leftOutOf?.(settings) ?? ofName(settings, kind, clock));
  };
}

function ofName(
  { model, options }: BackendSettings,
  { models = [], title }: BackendKind,
  clock: Pick<Clock, 'now'>,
): string | undefined {
  // Another address may have other models under the same names.
  if (models.length === 0 || model === '' || hasOwnAddress(options)) {
    return undefined;
  }
  const found = findModel(models, model);
  if (found !== undefined) {
    return retirementNotice(found, clock.now());
  }
  const near = nearest(
    model,
    models.map(({ id }) => id),
  );
  // Another number is another model, most likely a newer one.
  return near === undefined || withoutNumbers(near) === withoutNumbers(model)
    ? undefined
    : `${model} is not among the models known of ${title}. Did you mean ${near}?`;
}

function withoutNumbers(name: string): string {
  return name.toLowerCase().replaceAll(/\d/g, '');
}

function hasOwnAddress(options: BackendSettings['options']): boolean {
  return options['base_url'] !== undefined || options['azure_endpoint'] !== undefined;
}
