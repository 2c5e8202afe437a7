/** Position of an agent in the configuration, 1-based; the only identity that text for a model may contain. */
export type Slot = number;
/** Label of one accepted answer: `agent<slot>.<n>`, n counted from 1 per slot and attempt. */
export type Label = `agent${number}.${number}`;
/** sha256 (hex) of a manifest; names an immutable state of one agent's files. */
export type SnapshotId = string;
export type RunId = string;

export function toLabel(slot: Slot, n: number): Label {
  return `agent${slot}.${n}`;
}

/** The parts of a label, or `undefined` when the text is not one. Case and surrounding spaces do not matter. */
export function parseLabel(
  text: string,
): { readonly slot: Slot; readonly n: number | undefined } | undefined {
  const match = /^\s*agent(\d{1,4})(?:\.(\d{1,6}))?\s*$/i.exec(text);
  if (match?.[1] === undefined) {
    return undefined;
  }
  return { slot: Number(match[1]), n: match[2] === undefined ? undefined : Number(match[2]) };
}
