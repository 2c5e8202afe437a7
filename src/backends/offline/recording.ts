// Reads a recording: the log of a run (a header line, then one recorded event per line), of which only what the models
// sent is used. A demonstration made by hand has the same form; its header names the task.
import { readFileSync } from 'node:fs';
import { MassGenError } from '../../core/errors';
import type { ToolCall } from '../../core/ports/model-backend';
import type { ErrorInfo, Usage } from '../../run/facts';
import { asArray, asCount, asObject, asText } from '../wire/json-reading';

export interface RecordedDelta {
  /** Pause before it, ms. */
  readonly pauseMs: number;
  readonly text: string;
  readonly isThinking: boolean;
}

/** One model call as it was recorded. */
export interface RecordedCall {
  readonly attempt: number;
  readonly slot: number;
  readonly turnNo: number;
  readonly call: number;
  readonly isPresentation: boolean;
  readonly deltas: readonly RecordedDelta[];
  /** Pause between the last delta and the end, ms. */
  readonly endPauseMs: number;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  readonly error: ErrorInfo | undefined;
}

export interface Recording {
  readonly task: string;
  /** Written by a person, not recorded from models. */
  readonly isHandmade: boolean;
  readonly calls: readonly RecordedCall[];
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Throws `config/invalid` when the file is missing or is not a recording. */
export function readRecording(file: string): Recording {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new MassGenError('config/invalid', `The recording ${file} cannot be read.`, { cause });
  }
  return parseRecording(text, file);
}

export function parseRecording(text: string, file: string): Recording {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => asObject(parsed(line)) ?? {});
  const header = lines[0] ?? {};
  const reader = new CallReader();
  for (const line of lines) {
    const event = asObject(line['event']);
    if (event !== undefined) {
      reader.read(event, asCount(line['at']) ?? 0);
    }
  }
  const task = asText(header['task']) || reader.task;
  if (task === '' || reader.calls.length === 0) {
    throw new MassGenError('config/invalid', `${file} is not a recording of a run.`);
  }
  return {
    task,
    isHandmade: header['isHandmade'] === true || reader.isScripted,
    calls: reader.calls,
  };
}

/** Gathers the calls of a log while it is read in order. */
class CallReader {
  readonly calls: RecordedCall[] = [];
  task = '';
  isScripted = false;
  #attempt = 1;
  readonly #presentations = new Set<string>();
  readonly #open = new Map<string, { lastAt: number; readonly deltas: RecordedDelta[] }>();

  read(event: JsonObject, at: number): void {
    const turn = `${String(event['slot'])}/${String(event['turnNo'])}`;
    const key = `${turn}/${String(event['call'])}`;
    switch (event['type']) {
      case 'run-started':
        this.task = asText(event['task']);
        this.isScripted = event['isScripted'] === true;
        break;
      case 'agent-turn-started':
        this.#attempt = asCount(event['attempt']) ?? this.#attempt;
        break;
      case 'final-presentation-started':
        this.#presentations.add(turn);
        break;
      case 'model-call-started':
        this.#open.set(key, { lastAt: at, deltas: [] });
        break;
      case 'text-delta':
        this.#readDelta(key, event, at);
        break;
      case 'model-call-ended':
        this.#readEnd(key, this.#presentations.has(turn), event, at);
        break;
      case 'run-resumed':
        // What was being said then was said again from the beginning.
        this.#open.forEach((open) => {
          open.deltas.length = 0;
          open.lastAt = at;
        });
        break;
    }
  }

  #readDelta(key: string, event: JsonObject, at: number): void {
    const open = this.#open.get(key);
    if (open === undefined) {
      return;
    }
    open.deltas.push({
      pauseMs: Math.max(0, at - open.lastAt),
      text: asText(event['text']),
      isThinking: event['isThinking'] === true,
    });
    open.lastAt = at;
  }

  #readEnd(key: string, isPresentation: boolean, event: JsonObject, at: number): void {
    const open = this.#open.get(key) ?? { lastAt: at, deltas: [] };
    this.#open.delete(key);
    this.calls.push({
      attempt: this.#attempt,
      slot: asCount(event['slot']) ?? 0,
      turnNo: asCount(event['turnNo']) ?? 0,
      call: asCount(event['call']) ?? 0,
      isPresentation,
      deltas: open.deltas,
      endPauseMs: Math.max(0, at - open.lastAt),
      toolCalls: asArray(event['toolCalls']).map(toToolCall),
      usage: toUsage(asObject(event['usage'])),
      error: toErrorInfo(asObject(event['error'])),
    });
  }
}

function toToolCall(value: unknown): ToolCall {
  const call = asObject(value);
  return {
    id: asText(call?.['id']),
    name: asText(call?.['name']),
    argumentsJson: asText(call?.['argumentsJson']),
  };
}

function toUsage(value: JsonObject | undefined): Usage {
  const inputTokens = asCount(value?.['inputTokens']);
  const cachedInputTokens = asCount(value?.['cachedInputTokens']);
  const outputTokens = asCount(value?.['outputTokens']);
  const reasoningTokens = asCount(value?.['reasoningTokens']);
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}

function toErrorInfo(value: JsonObject | undefined): ErrorInfo | undefined {
  if (value === undefined) {
    return undefined;
  }
  const hint = asText(value['hint']);
  return {
    code: asText(value['code']),
    message: asText(value['message']),
    retryable: value['retryable'] === true,
    ...(hint === '' ? {} : { hint }),
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A torn last line, as after a crash.
    return undefined;
  }
}
