// Answers as services have been seen to stream them, or could: each with what an agent must get of it.

export type Json = null | boolean | number | string | readonly Json[] | JsonMembers;

export interface JsonMembers {
  readonly [name: string]: Json;
}

export interface OddStream {
  readonly oddity: string;
  /** A value is sent as one event; `raw` bytes are sent as they are. */
  readonly events: readonly (JsonMembers | Raw)[];
  readonly says?: string;
  readonly thinks?: string;
  /** Name and arguments of each call. */
  readonly calls?: readonly (readonly [name: string, argumentsJson: string])[];
  /** How the stream ends: a reason, or the code of an error. */
  readonly ends: 'stop' | 'tool-calls' | 'length' | `backend/${string}`;
  /** How lines end; `\n` where it is absent. */
  readonly lineEnd?: '\n' | '\r\n' | '\r';
}

export interface Raw {
  readonly raw: string;
}

export function raw(text: string): Raw {
  return { raw: text };
}

export function isRaw(event: JsonMembers | Raw): event is Raw {
  return 'raw' in event && Object.keys(event).length === 1;
}
