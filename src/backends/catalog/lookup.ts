import type { CatalogModel } from '../../core/ports/backend-kind';

/** The name without the maker in front of it (`openai/gpt-5`, `accounts/x/models/y`), in lower case. */
export function bareModelName(model: string): string {
  return (model.split('/').at(-1) ?? model).trim().toLowerCase();
}

/** A dated name is the same model: `gpt-5.4-2026-03-05`, `claude-haiku-4-5-20251001`. */
export function findModel(
  models: readonly CatalogModel[],
  model: string,
): CatalogModel | undefined {
  const name = bareModelName(model);
  const undated = name.replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
  return (
    models.find(({ id }) => bareModelName(id) === name) ??
    models.find(({ id }) => bareModelName(id) === undated)
  );
}
