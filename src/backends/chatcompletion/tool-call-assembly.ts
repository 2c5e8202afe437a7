// Puts tool calls together from the pieces of a stream. Servers differ: an index may be missing or always 0, an id may
// be missing, repeated or shared by two calls, a name may come in pieces or again with every piece.
import { sha256Hex } from '../../base/sha256';
import type { StepKey, ToolCall } from '../../core/ports/model-backend';
import { asObject, asText, isJson } from '../wire/json-reading';
import { JsonScan } from './json-scan';
import { WireError } from '../wire/wire-fault';

/** Far more than a model makes at once. */
const mostCalls = 256;

interface OpenCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  argumentsJson: string;
  readonly scan: JsonScan;
  mark: unknown;
}

/** A whole call, and what the service wants back with it beside its arguments. */
export interface AssembledCall {
  readonly call: ToolCall;
  readonly mark: unknown;
}

export interface AssemblyEnd {
  readonly step: StepKey;
  /** Ids that the conversation has already. */
  readonly usedIds: ReadonlySet<string>;
  /** The output limit was reached, so that calls whose arguments are not whole are left out. */
  readonly isCut: boolean;
  /** Ids must be nine letters and digits. */
  readonly hasShortIds: boolean;
}

interface Piece {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
  readonly mark: unknown;
}

export class ToolCallAssembly {
  readonly #calls: OpenCall[] = [];
  #length = 0;

  get size(): number {
    return this.#calls.length;
  }

  /** The arguments of each call can be read; none at all are an empty object. */
  get areWhole(): boolean {
    return this.#calls.every(({ argumentsJson }) => isJson(argumentsJson.trim() || '{}'));
  }

  /** Characters of all arguments so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds one element of `delta.tool_calls`. Throws `WireError` for more calls than a model makes. */
  add(element: unknown): void {
    const piece = toPiece(element);
    if (piece === undefined) {
      return;
    }
    const call = this.#find(piece) ?? this.#open(piece);
    if (call.id === '') {
      call.id = piece.id;
    }
    call.mark = piece.mark ?? call.mark;
    if (piece.name !== call.name) {
      call.name += piece.name;
    }
    if (call.argumentsJson === '{}' && piece.argumentsJson.startsWith('{')) {
      // Some servers announce a call with an empty object before the real arguments.
      call.argumentsJson = '';
      call.scan.reset();
    }
    call.argumentsJson += piece.argumentsJson;
    call.scan.push(piece.argumentsJson);
    this.#length += piece.argumentsJson.length;
  }

  /**
   * The calls in order of their beginning. Ids are unique among themselves and against `usedIds`: what is missing, taken or
   * of a form that the service refuses gets a new one, nine letters and digits, made from `step`.
   */
  finish({ step, usedIds, isCut, hasShortIds }: AssemblyEnd): AssembledCall[] {
    const used = new Set(usedIds);
    const whole = isCut ? this.#calls.filter((call) => this.#isUncut(call)) : this.#calls;
    return whole.map(({ id: given, name, argumentsJson: written, mark }, position) => {
      const isFit = given !== '' && !used.has(given) && (!hasShortIds || isShortId(given));
      const id = isFit ? given : newId(step, position, used);
      used.add(id);
      const argumentsJson = written.trim() === '' ? '{}' : written;
      return { call: { id, name, argumentsJson }, mark };
    });
  }

  /** An empty object at the very end may only announce arguments that did not come any more. */
  #isUncut(call: OpenCall): boolean {
    const { argumentsJson } = call;
    return isJson(argumentsJson) && !(argumentsJson === '{}' && call === this.#calls.at(-1));
  }

  #open(piece: Piece): OpenCall {
    if (this.#calls.length >= mostCalls) {
      throw new WireError({
        kind: 'malformed',
        detail: `it has more than ${mostCalls} tool calls`,
      });
    }
    const { index, id } = piece;
    const scan = new JsonScan();
    const call: OpenCall = { index, id, name: '', argumentsJson: '', scan, mark: undefined };
    this.#calls.push(call);
    return call;
  }

  /** The call that a piece continues; `undefined` when it begins one. */
  #find(piece: Piece): OpenCall | undefined {
    const same = this.#calls.findLast((call) =>
      piece.index === undefined
        ? piece.id === '' || call.id === piece.id
        : call.index === piece.index,
    );
    return same === undefined || beginsAnother(same, piece) ? undefined : same;
  }
}

/** True when a piece that seems to continue `call` is really the next call of a server that counts wrongly. */
function beginsAnother(call: OpenCall, piece: Piece): boolean {
  if (piece.id !== '' && call.id !== '' && piece.id !== call.id) {
    return true;
  }
  const isNamedAgain = piece.name !== '' && call.name !== '';
  if (!isNamedAgain || piece.argumentsJson === '') {
    return false;
  }
  // An empty object under the same name may only announce the arguments.
  return call.argumentsJson === '{}'
    ? piece.name !== call.name && piece.argumentsJson.startsWith('{')
    : call.scan.isWhole && isJson(call.argumentsJson);
}

function toPiece(element: unknown): Piece | undefined {
  const piece = asObject(element);
  const fn = asObject(piece?.['function']);
  if (piece === undefined) {
    return undefined;
  }
  const index = piece['index'];
  const id = piece['id'];
  const written = fn?.['arguments'];
  return {
    index: typeof index === 'number' ? index : undefined,
    id: typeof id === 'number' ? String(id) : asText(id),
    name: asText(fn?.['name']),
    argumentsJson:
      typeof written === 'string' || written === undefined || written === null
        ? asText(written)
        : JSON.stringify(written),
    mark: piece['extra_content'],
  };
}

export function isShortId(id: string): boolean {
  return /^[a-zA-Z0-9]{9}$/.test(id);
}

function newId(step: StepKey, position: number, used: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt++) {
    const place = [step.attempt, step.slot, step.turnNo, step.call, position, attempt].join('/');
    const id = sha256Hex(place).slice(0, 9);
    if (!used.has(id)) {
      return id;
    }
  }
}
