import type { App } from '../app/app-contract';
import { formatTokens } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { ModelsOptions } from './invocation';
import { kindOf } from './kind-of';
import { type ExitCode, exitCodes } from './exit-codes';
import { UsageError } from './failure';
import { language } from './language';
import { storageDirOf, withApp } from './open-app';
import { tableLines, tableWidth } from './table';
import type { World } from './world';

type Kind = App['backendKinds'][number];
type Model = NonNullable<Kind['models']>[number];

/** Lists the known models of every type or of one; with `--refresh` those that the service itself names now. */
export function modelsCommand(
  type: string | undefined,
  options: ModelsOptions,
  world: World,
): Promise<ExitCode> {
  const storageDir = storageDirOf(options, world);
  return withApp({ storageDir, debug: options.debug }, world, async (app) => {
    const kind = type === undefined ? undefined : kindOf(type, app.backendKinds);
    if (options.refresh) {
      if (kind === undefined) {
        throw new UsageError(
          '--refresh needs a type.',
          'For example: massgen models openai --refresh',
        );
      }
      await writeOffered(app, { kind, options, world });
    } else {
      writeKnown(kind === undefined ? app.backendKinds : [kind], options, world);
    }
    return exitCodes.done;
  });
}

interface Asking {
  readonly kind: Kind;
  readonly options: ModelsOptions;
  readonly world: World;
}

/** Asks the service; names that the catalog knows have their facts beside them. */
async function writeOffered(app: App, { kind, options, world }: Asking): Promise<void> {
  const settings = {
    ...{ type: kind.type, model: kind.defaultModel ?? '', apiKeyName: undefined },
    options: options.baseUrl === undefined ? {} : { base_url: options.baseUrl },
  };
  const names = await app.discoverModels(settings, world.interrupted);
  const known = new Map((kind.models ?? []).map((model) => [model.id, model]));
  const { output } = world;
  if (options.json) {
    const rows = names.map((id) => toJson(kind.type, known.get(id) ?? { id }));
    output.write(`${JSON.stringify(rows, null, 2)}\n`);
  } else if (names.length === 0) {
    output.write(`${kind.title} names no models.\n`);
  } else {
    const rows = names.map((id) => rowOf(kind.type, known.get(id) ?? { id }));
    writeTable(rows, world);
  }
}

function writeKnown(kinds: readonly Kind[], { json }: ModelsOptions, world: World): void {
  const listed = kinds.flatMap((kind) =>
    (kind.models ?? []).map((model) => ({ type: kind.type, model })),
  );
  const { output } = world;
  if (json) {
    const rows = listed.map(({ type, model }) => toJson(type, model));
    output.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const [first] = kinds;
  if (listed.length === 0 && first !== undefined) {
    output.write(
      `No models of ${first.title} are known here; massgen models ${first.type} --refresh asks it.\n`,
    );
    return;
  }
  writeTable(
    listed.map(({ type, model }) => rowOf(type, model)),
    world,
  );
  output.write(
    '\nPrices: US dollars per million tokens, input / cached / output; - is not known.\n',
  );
}

const header = ['Type', 'Model', 'Context', 'Price', 'Ends', 'Source'];

function writeTable(rows: readonly (readonly string[])[], { output }: World): void {
  output.write(`${tableLines(header, rows, tableWidth(output, 160)).join('\n')}\n`);
}

/** A model of which nothing but its name is known has no other members. */
type Facts = Pick<Model, 'id'> & Partial<Model>;

function rowOf(type: string, model: Facts): readonly string[] {
  const { contextWindowTokens: context } = model;
  return [
    type,
    revealOnOneLine(model.id),
    context === undefined ? '-' : formatTokens(context, language),
    priceWords(model),
    endWords(model),
    model.source ?? '-',
  ];
}

function priceWords({ price, priceUntil }: Facts): string {
  if (price === undefined) {
    return '-';
  }
  const { inputUsd, cachedInputUsd, outputUsd, above } = price;
  const sums = `${String(inputUsd)} / ${String(cachedInputUsd)} / ${String(outputUsd)}`;
  const until = priceUntil === undefined ? '' : ` until ${priceUntil}`;
  const long =
    above === undefined ? '' : ` (over ${formatTokens(above.inputTokens, language)} more)`;
  return `${sums}${long}${until}`;
}

function endWords({ retires, successor }: Facts): string {
  if (retires === undefined) {
    return '-';
  }
  return successor === undefined ? retires : `${retires}, then ${successor}`;
}

function toJson(type: string, model: Facts): unknown {
  const { price } = model;
  return {
    type,
    model: model.id,
    context_tokens: model.contextWindowTokens ?? null,
    max_output_tokens: model.maxOutputTokens ?? null,
    price_usd_per_million: price === undefined ? null : toJsonPrice(price),
    price_until: model.priceUntil ?? null,
    retires: model.retires ?? null,
    successor: model.successor ?? null,
    source: model.source ?? null,
  };
}

function toJsonPrice(price: NonNullable<Model['price']>): unknown {
  const { above } = price;
  return {
    input: price.inputUsd,
    cached_input: price.cachedInputUsd,
    cache_write: price.cacheWriteUsd ?? null,
    output: price.outputUsd,
    ...(above === undefined
      ? {}
      : { above: { input_tokens: above.inputTokens, price: toJsonPrice(above.price) } }),
  };
}
