// The text of a conflict view: both versions between markers. It is shown only for files in UTF-8.

type Side = 'both' | 'live' | 'proposed';

/** What each marker line leads from and to. */
const markers: readonly (readonly [RegExp, from: Side, to: Side])[] = [
  [/^<{7} /, 'both', 'live'],
  [/^={7}\r?\n?$/, 'live', 'proposed'],
  [/^>{7} /, 'proposed', 'both'],
];

/** Whether something is still to be settled. */
export function hasOpenMarkers(text: string): boolean {
  return /^(<{7}|>{7})/m.test(text);
}

/**
 * The text with the proposed side of each conflict and everything else as it was merged, so that edits of the user
 * outside of the conflicts stay. `undefined` when the markers do not fit together, e.g. because the file has its own.
 */
export function takeProposedSides(text: string): string | undefined {
  const taken: string[] = [];
  let side: Side = 'both';
  let conflicts = 0;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const [, from, to] = markers.find(([pattern]) => pattern.test(line)) ?? [];
    if (from !== undefined && from !== side) {
      return undefined;
    }
    conflicts += Number(to === 'live');
    if (to !== undefined) {
      side = to;
    } else if (side !== 'live') {
      taken.push(line);
    }
  }
  return side === 'both' && conflicts > 0 ? taken.join('') : undefined;
}

const byteOrderMark = '\ufeff';

/** UTF-8, with a byte order mark exactly where the user's file has one. */
export function toFileBytes(text: string, live: Uint8Array | undefined): Uint8Array {
  const plain = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const [a, b, c] = live ?? [];
  const hasMark = a === 0xef && b === 0xbb && c === 0xbf;
  return Buffer.from(hasMark ? byteOrderMark + plain : plain, 'utf8');
}

/** Whether a file still is what it was; `undefined`: there is none. */
export function isSameContent(one: Uint8Array | undefined, two: Uint8Array | undefined): boolean {
  return one === undefined || two === undefined ? one === two : Buffer.compare(one, two) === 0;
}
