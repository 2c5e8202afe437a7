// Random projects, answers and sequences of decisions, edits of the user and crashes.
import { chmodSync, existsSync, lstatSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LiveFiles } from '../../../../src/core/ports/review';
import type { Tree, TreeEntry } from './review-bench';
import { file, filesWith } from './review-bench';

/** An edit of a list of lines: at a place, so many lines away, these lines instead. */
export interface Script {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

export type Step =
  | { readonly kind: 'accept' | 'undo' | 'reject'; readonly file: number; readonly part: number }
  | { readonly kind: 'accept-all' | 'undo-all' }
  | { readonly kind: 'reopen' | 'look' }
  | {
      readonly kind: 'pick';
      readonly file: number;
      readonly part: number;
      readonly isWhole: boolean;
    }
  | {
      readonly kind: 'crash';
      readonly file: number;
      readonly at: number;
      readonly isAfter: boolean;
    }
  | { readonly kind: 'there-and-back'; readonly file: number; readonly part: number }
  | { readonly kind: 'edit'; readonly file: number; readonly script: Script }
  | { readonly kind: 'delete' | 'move' | 'chmod'; readonly file: number };

export interface Story {
  readonly base: Tree;
  /** Of two answers. */
  readonly answers: readonly [Tree, Tree];
  readonly moves: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const encodings = {
  utf8: (text: string) => Buffer.from(text, 'utf8'),
  marked: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf8'),
  latin1: (text: string) => Buffer.from(`é${text}`, 'latin1'),
  utf16: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
} as const;

const end = fc.constantFrom('\n', '\r\n');
const word = fc.constantFrom('a', 'b', 'c', 'd', 'ö', '', '}');
const script = fc.record({
  at: fc.nat(30),
  remove: fc.nat(2),
  insert: fc.array(word, { maxLength: 2 }),
});
const scripts = fc.array(script, { maxLength: 4 });

function applyScripts(lines: readonly string[], all: readonly Script[], lineEnd: string): string[] {
  const copy = [...lines];
  for (const { at, remove, insert } of all) {
    copy.splice(at % (copy.length + 1), remove, ...insert.map((each) => each + lineEnd));
  }
  return copy;
}

type Fate = 'edit' | 'keep' | 'delete' | 'mode' | 'move' | 'link' | 'binary';

const fate = fc.constantFrom<Fate>(
  ...([
    'edit',
    'edit',
    'edit',
    'edit',
    'keep',
    'delete',
    'mode',
    'move',
    'link',
    'binary',
  ] as const),
);

interface OldFile {
  readonly base: TreeEntry;
  readonly answers: readonly (TreeEntry | undefined)[];
  readonly isMoved: boolean;
}

/** A text in one encoding, and what two answers made of it. */
const textFile: fc.Arbitrary<OldFile> = fc
  .record({
    lines: fc.array(word, { minLength: 3, maxLength: 24 }),
    lineEnd: end,
    isMixed: fc.boolean(),
    encoding: fc.constantFrom(...(['utf8', 'utf8', 'utf8', 'marked', 'latin1', 'utf16'] as const)),
    last: fc.constantFrom('', 'no end'),
    mode: fc.constantFrom(0o644, 0o755, 0o600),
    scripts: fc.tuple(scripts, scripts),
    fates: fc.tuple(fate, fate),
  })
  .map((made): OldFile => {
    const { lines, lineEnd, isMixed, encoding, last, mode, fates } = made;
    const other = lineEnd === '\n' ? '\r\n' : '\n';
    const whole = lines.map((line, index) => line + (isMixed && index % 3 === 0 ? other : lineEnd));
    const encode = (all: readonly string[]): Uint8Array =>
      new Uint8Array(encodings[encoding](all.join('') + last));
    const isMoved = fates[0] === 'move';
    const answers = fates.map((one, index): TreeEntry | undefined => {
      const edited = encode(applyScripts(whole, made.scripts[index] ?? [], lineEnd));
      switch (one) {
        case 'keep':
          return file(encode(whole), mode);
        case 'delete':
          return undefined;
        case 'link':
          return { link: 'f0' };
        case 'binary':
          return file(new Uint8Array([0, 1, index]), mode);
        case 'mode':
          return file(edited, mode === 0o755 ? 0o644 : 0o755);
        default:
          return file(edited, mode);
      }
    });
    return { base: file(encode(whole), mode), answers, isMoved };
  });

const plainFile: fc.Arbitrary<OldFile> = fc
  .tuple(
    fc.constantFrom<TreeEntry>(
      file(new Uint8Array([0, 255, 13])),
      { link: 'f0' },
      { folder: true },
    ),
    fc.constantFrom<TreeEntry | undefined>(file(new Uint8Array([0, 10])), undefined, {
      link: 'nowhere',
    }),
    fc.constantFrom<TreeEntry | undefined>(file('text now\n'), undefined),
  )
  .map(([base, one, two]) => ({ base, answers: [one, two], isMoved: false }));

const addition = fc.tuple(
  fc.constantFrom('new/deep/n.txt', 'n.txt', 'src/empty'),
  fc.constantFrom<TreeEntry>(file('n1\nn2\n'), file(''), file('n\n', 0o755), { folder: true }),
);

const names = ['f0', 'src/f1.txt', 'src/deep/f2 ö', 'f3.bin'];

const index = fc.nat(20);
const ours: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(['accept', 'accept', 'undo', 'reject'] as const)),
      file: index,
      part: fc.nat(5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(['accept-all', 'undo-all'] as const)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom(...(['reopen', 'look'] as const)) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pick' as const),
      file: index,
      part: fc.nat(5),
      isWhole: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      file: index,
      at: fc.nat(2),
      isAfter: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('there-and-back' as const),
      file: index,
      part: fc.nat(5),
    }),
  },
);
const theirs: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), file: index, script }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(['delete', 'move', 'chmod'] as const)),
      file: index,
    }),
  },
);

/** `withUser`: the user edits, deletes and moves files between the decisions. */
export function story(withUser: boolean): fc.Arbitrary<Story> {
  const step = withUser
    ? fc.oneof({ weight: 3, arbitrary: ours }, { weight: 2, arbitrary: theirs })
    : ours;
  return fc
    .record({
      files: fc.array(
        fc.oneof({ weight: 5, arbitrary: textFile }, { weight: 1, arbitrary: plainFile }),
        {
          minLength: 1,
          maxLength: names.length,
        },
      ),
      added: fc.array(addition, { maxLength: 2 }),
      steps: fc.array(step, { minLength: 1, maxLength: 14 }),
    })
    .map(({ files, added, steps }) => toStory(files, added, steps));
}

function toStory(
  files: readonly OldFile[],
  added: readonly (readonly [string, TreeEntry])[],
  steps: readonly Step[],
): Story {
  const base: Record<string, TreeEntry> = {};
  const answers: [Record<string, TreeEntry>, Record<string, TreeEntry>] = [{}, {}];
  const moves: Record<string, string> = {};
  for (const [at, old] of files.entries()) {
    const path = names[at] ?? 'x';
    base[path] = old.base;
    for (const side of [0, 1] as const) {
      const now = old.answers[side];
      const place = old.isMoved && now !== undefined && 'bytes' in now ? `moved/${path}` : path;
      if (now !== undefined) {
        answers[side][place] = now;
      }
      if (place !== path) {
        moves[place] = path;
      }
    }
  }
  for (const [path, entry] of added) {
    answers[0][path] = entry;
  }
  return { base, answers, moves, steps };
}

let counter = 0;

/** What the user does to a file by hand. Lines that begin with `mine` are ones that nobody else has. */
export function userStep(
  project: string,
  path: string,
  step: Extract<Step, { readonly kind: 'edit' | 'delete' | 'move' | 'chmod' }>,
): void {
  const place = join(project, path);
  if (!existsSync(place) || !lstatSync(place).isFile()) {
    return;
  }
  switch (step.kind) {
    case 'delete':
      unlinkSync(place);
      return;
    case 'move':
      renameSync(place, `${place}.mine`);
      return;
    case 'chmod':
      chmodSync(place, 0o640);
      return;
    case 'edit': {
      // As bytes, so that the encoding of the file does not matter; two-byte texts and binaries are left alone.
      const old = readFileSync(place);
      if (!old.includes(0)) {
        const lines = old.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const { at, remove, insert } = step.script;
        // Lines that others have too make it hard to tell whose is whose.
        const own =
          at % 2 === 0
            ? [...insert, 'a'].map((each) => `${each}\n`)
            : [...insert, 'x'].map(() => `mine ${counter++}\n`);
        lines.splice(at % (lines.length + 1), Math.max(0, remove - 1), ...own);
        writeFileSync(place, Buffer.from(lines.join(''), 'latin1'));
      }
    }
  }
}

/** Files that stop working at the n-th change, as if the process were gone, before or after it. */
export function crashingFiles(at: number, isAfter: boolean): LiveFiles {
  const disk = filesWith({});
  let changes = 0;
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    const isPast = changes > at;
    const isNow = changes++ === at;
    if (isPast || (isNow && !isAfter)) {
      throw new Error('crash');
    }
    const answer = await work();
    if (isNow) {
      throw new Error('crash');
    }
    return answer;
  };
  return {
    read: async (...all) => disk.read(...all),
    write: async (...all) => guard(async () => disk.write(...all)),
    remove: async (...all) => guard(async () => disk.remove(...all)),
  };
}
