import type { KeyInfo, Shape } from './schema/shape';

/** Blocks whose keys are taken for one another's; names such as `path` inside of others say nothing. */
const blocks: readonly string[] = [
  ...['agents[]', 'agents[].backend', 'orchestrator', 'orchestrator.coordination'],
  ...['orchestrator.consensus', 'timeout_settings', 'limits', 'ui'],
];

/** Answers where in a team file a key of this name belongs, e.g. `agents[].system_message`; empty: nowhere. */
export function placesOfKeys(root: Shape): (name: string) => readonly string[] {
  let places: ReadonlyMap<string, readonly string[]> | undefined;
  return (name) => {
    places ??= collect(root);
    return places.get(name) ?? [];
  };
}

function collect(root: Shape): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, Set<string>>();
  const visit = (shape: Shape, path: string): void => {
    if (shape.kind === 'list') {
      visit(shape.item, `${path}[]`);
      return;
    }
    if (path !== '' && !blocks.includes(path)) {
      return;
    }
    for (const { name, shape: inner, isUnsupported } of keysOf(shape)) {
      const place = path === '' ? name : `${path}.${name}`;
      if (isUnsupported !== true) {
        places.set(name, (places.get(name) ?? new Set()).add(place));
      }
      visit(inner, place);
    }
  };
  visit(root, '');
  return new Map([...places].map(([name, all]) => [name, [...all]]));
}

function keysOf(shape: Shape): readonly KeyInfo[] {
  switch (shape.kind) {
    case 'mapping':
      return shape.keys;
    case 'by-type':
      return shape.types.flatMap(({ keys }) => keys);
    default:
      return [];
  }
}
