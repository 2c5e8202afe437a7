import type { BackendPart, ModelRequest } from '../../core/ports/model-backend';
import type { Usage } from '../../run/facts';

export type UsagePart = Extract<BackendPart, { type: 'usage' }>;

/** Reads one answer, from its first chunk to its end. Chunks are unchecked. */
export interface AnswerReader {
  /** The service has said how its answer ends; whatever breaks afterwards does not matter. */
  readonly isFinished: boolean;
  /** The parts that can be passed on at once. Throws `WireError` for an error inside the stream. */
  read(chunk: unknown): readonly BackendPart[];
  /**
   * The service has paused and wants to be asked again with this request, whose answer continues this one. Called once per
   * stream, after it has ended.
   */
  follow?(): ModelRequest | undefined;
  /** What the service has counted so far, for an answer that breaks off; `undefined` when it has said nothing. */
  usage(): UsagePart | undefined;
  /** The remaining parts once everything has come; the last one is the end. Also called when the stream was cut. */
  finish(): readonly BackendPart[];
}

/** `isFinal`: the service has counted the answer to its end. */
export function toUsagePart(usage: Usage | undefined, isFinal: boolean): UsagePart | undefined {
  return usage && { type: 'usage', usage: isFinal ? usage : { ...usage, isPartial: true } };
}
