// What the view itself remembers across reloads: drafts and where the reader was, never data of a run.
import type { VsCodeApi } from './vscode-api';

interface Remembered {
  readonly draft: string;
  /** Sections that were opened (true) or closed (false) by hand. */
  readonly sections: Readonly<Record<string, boolean>>;
  readonly scrollTop: number;
}

export interface Memory {
  readonly value: Remembered;
  remember(change: Partial<Remembered>): void;
}

export function createMemory(api: Pick<VsCodeApi, 'getState' | 'setState'>): Memory {
  let value = parse(api.getState());
  return {
    get value() {
      return value;
    },
    remember(change) {
      value = { ...value, ...change };
      api.setState(value);
    },
  };
}

/** Anything that is not ours, e.g. from another version, is as good as nothing. */
function parse(stored: unknown): Remembered {
  const fields = new Map(
    typeof stored === 'object' && stored !== null ? Object.entries(stored) : [],
  );
  const draft: unknown = fields.get('draft');
  const scrollTop: unknown = fields.get('scrollTop');
  const sections: unknown = fields.get('sections');
  return {
    draft: typeof draft === 'string' ? draft : '',
    scrollTop: typeof scrollTop === 'number' && scrollTop >= 0 ? scrollTop : 0,
    sections: typeof sections === 'object' && sections !== null ? booleans(sections) : {},
  };
}

function booleans(record: object): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(record).filter(
      (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
    ),
  );
}
