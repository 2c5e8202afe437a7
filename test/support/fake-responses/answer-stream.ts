// Plays the steps of one scripted answer as events of a response.
import type { ServerResponse } from 'node:http';
import type { OpenJournalEntry } from '../fake-model-service/journal';
import type { IssuedItems } from './issued';
import type { ScriptedCall, ServiceScript, Step } from './script';

type JsonObject = Readonly<Record<string, unknown>>;

export interface StreamParts {
  readonly response: ServerResponse;
  readonly entry: OpenJournalEntry;
  readonly issued: IssuedItems;
  readonly quirk: ServiceScript['quirk'];
}

/** Resolves when the answer is complete, cut, or the client has gone. */
export async function playAnswer(steps: readonly Step[], parts: StreamParts): Promise<void> {
  const stream = new AnswerStream(parts);
  await stream.open();
  for (const step of steps) {
    if (parts.response.destroyed || (await stream.play(step)) === 'over') {
      return;
    }
  }
  await stream.close();
}

class AnswerStream {
  readonly #parts: StreamParts;
  readonly #id: string;
  readonly #output: JsonObject[] = [];
  #eventNo = 0;
  #splitBytes = 0;
  #outputChars = 0;
  #usage: unknown;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#id = parts.issued.newId('resp');
    parts.response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    parts.response.flushHeaders();
  }

  async open(): Promise<void> {
    await this.#event({ type: 'response.created', response: this.#response('in_progress') });
    await this.#event({ type: 'response.in_progress', response: this.#response('in_progress') });
  }

  async play(step: Step): Promise<'goes-on' | 'over'> {
    switch (step.kind) {
      case 'reasoning':
        await this.#reason(step);
        break;
      case 'text':
        await this.#say(step);
        break;
      case 'refusal':
        await this.#refuse(step.text);
        break;
      case 'tool-call':
        await this.#call([step]);
        break;
      case 'interleaved':
        await this.#call(step.calls);
        break;
      case 'hosted':
        await this.#runHosted(step.item);
        break;
      case 'event':
        await this.#event(step.data);
        break;
      case 'raw':
        await this.#write(step.text);
        break;
      case 'comment':
        await this.#write(`: ${step.text}\n\n`);
        break;
      case 'split-bytes':
        this.#splitBytes = step.bytes;
        break;
      case 'usage':
        this.#usage = step.usage;
        break;
      default:
        return this.#stop(step);
    }
    return 'goes-on';
  }

  async close(): Promise<void> {
    await this.#end('completed', {});
  }

  async #end(status: 'completed' | 'incomplete' | 'failed', further: JsonObject): Promise<void> {
    this.#parts.issued.note(this.#output);
    const usage =
      status === 'failed' && this.#usage === undefined ? null : (this.#usage ?? this.#count());
    const response = { ...this.#response(status), ...further, output: this.#output, usage };
    await this.#event({ type: `response.${status}`, response });
    if (!this.#parts.response.destroyed) {
      this.#parts.entry.outcome = 'complete';
    }
    this.#parts.response.end();
  }

  async #stop(
    step: Extract<Step, { kind: 'incomplete' | 'failed' | 'error' | 'cut' | 'end-early' | 'hang' }>,
  ): Promise<'over'> {
    const { response, entry } = this.#parts;
    switch (step.kind) {
      case 'incomplete':
        await this.#end('incomplete', { incomplete_details: { reason: step.reason } });
        return 'over';
      case 'failed':
        await this.#end('failed', { error: step.error });
        return 'over';
      case 'hang':
        if (!response.destroyed) {
          await new Promise<void>((resolve) => response.on('close', resolve));
        }
        return 'over';
      case 'error': {
        const data = JSON.stringify({
          type: 'error',
          ...step.error,
          sequence_number: this.#eventNo,
        });
        await this.#write(`${step.isNamed === false ? '' : 'event: error\n'}data: ${data}\n\n`);
        break;
      }
      case 'cut':
      case 'end-early':
        break;
    }
    entry.outcome = 'cut';
    if (step.kind === 'cut') {
      response.destroy();
    } else {
      response.end();
    }
    return 'over';
  }

  async #reason(step: Extract<Step, { kind: 'reasoning' }>): Promise<void> {
    const id = this.#parts.issued.newId('rs');
    const at = await this.#add({ type: 'reasoning', id, summary: [], encrypted_content: 'early' });
    for (const [i, text] of step.summary.entries()) {
      const place = { item_id: id, output_index: at, summary_index: i };
      const part = { type: 'summary_text', text: '' };
      await this.#event({ type: 'response.reasoning_summary_part.added', ...place, part });
      for (const delta of words(text)) {
        await this.#delta({ type: 'response.reasoning_summary_text.delta', ...place, delta });
      }
      await this.#event({ type: 'response.reasoning_summary_text.done', ...place, text });
      const whole = { type: 'summary_text', text };
      await this.#event({ type: 'response.reasoning_summary_part.done', ...place, part: whole });
    }
    const summary = step.summary.map((text) => ({ type: 'summary_text', text }));
    const encrypted =
      step.encrypted === false
        ? {}
        : { encrypted_content: this.#parts.issued.encrypt(id, step.summary.join(' ')) };
    await this.#finish(at, { type: 'reasoning', id, summary, ...encrypted });
  }

  async #say(step: Extract<Step, { kind: 'text' }>): Promise<void> {
    const id = this.#parts.issued.newId('msg');
    const phase = step.phase === undefined ? {} : { phase: step.phase };
    const head = { type: 'message', id, role: 'assistant', ...phase };
    const at = await this.#add({ ...head, status: 'in_progress', content: [] });
    const place = { item_id: id, output_index: at, content_index: 0 };
    const empty = { type: 'output_text', text: '', annotations: [] };
    await this.#event({ type: 'response.content_part.added', ...place, part: empty });
    for (const delta of step.pieces ?? words(step.text)) {
      await this.#delta({
        ...{ type: 'response.output_text.delta', ...place, delta },
        ...{ logprobs: [], obfuscation: 'xyz' },
      });
    }
    for (const [i, annotation] of (step.annotations ?? []).entries()) {
      const type = 'response.output_text.annotation.added';
      await this.#event({ type, ...place, annotation_index: i, annotation });
    }
    await this.#event({ type: 'response.output_text.done', ...place, text: step.text });
    const part = { type: 'output_text', text: step.text, annotations: step.annotations ?? [] };
    await this.#event({ type: 'response.content_part.done', ...place, part });
    await this.#finish(at, { ...head, status: 'completed', content: [part] });
  }

  async #refuse(text: string): Promise<void> {
    const id = this.#parts.issued.newId('msg');
    const head = { type: 'message', id, role: 'assistant' };
    const at = await this.#add({ ...head, status: 'in_progress', content: [] });
    const place = { item_id: id, output_index: at, content_index: 0 };
    for (const delta of words(text)) {
      await this.#delta({ type: 'response.refusal.delta', ...place, delta });
    }
    await this.#event({ type: 'response.refusal.done', ...place, refusal: text });
    const content = [{ type: 'refusal', refusal: text }];
    await this.#finish(at, { ...head, status: 'completed', content });
  }

  /** Calls that are written at the same time; the last one is finished first. */
  async #call(calls: readonly ScriptedCall[]): Promise<void> {
    const opened: { at: number; item: JsonObject; deltas: string[]; text: string }[] = [];
    for (const [i, call] of calls.entries()) {
      const id = this.#parts.issued.newId('fc');
      const callId = call.callId ?? `call_${this.#parts.entry.no}_${this.#output.length}_${i}`;
      const item = { type: 'function_call', id, call_id: callId, name: call.name };
      const at = await this.#add({ ...item, status: 'in_progress', arguments: '' });
      const text =
        typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
      const status = call.status ?? 'completed';
      const deltas = piecesOf(text, call.pieces ?? 2);
      opened.push({ at, item: { ...item, status }, deltas, text });
    }
    const most = Math.max(0, ...opened.map(({ deltas }) => deltas.length));
    for (let i = 0; i < most; i++) {
      for (const { at, item, deltas } of opened) {
        const delta = deltas[i];
        if (delta !== undefined) {
          const place = { item_id: item['id'], output_index: at };
          await this.#delta({ type: 'response.function_call_arguments.delta', ...place, delta });
        }
      }
    }
    for (const { at, item, text } of opened.reverse()) {
      const place = { item_id: item['id'], output_index: at, name: item['name'] };
      const type = 'response.function_call_arguments.done';
      await this.#event({ type, ...place, arguments: text });
      await this.#finish(at, { ...item, arguments: text });
    }
  }

  async #runHosted(written: JsonObject): Promise<void> {
    const prefixes: Readonly<Record<string, string>> = {
      ...{ web_search_call: 'ws', code_interpreter_call: 'ci', file_search_call: 'fs' },
      ...{ custom_tool_call: 'ctc', image_generation_call: 'ig' },
    };
    const type = String(written['type']);
    const item = { id: this.#parts.issued.newId(prefixes[type] ?? 'xx'), ...written };
    const at = await this.#add({ type, id: item.id, status: 'in_progress' });
    const place = { item_id: item.id, output_index: at };
    await this.#event({ type: `response.${type}.in_progress`, ...place });
    await this.#event({ type: `response.${type}.completed`, ...place });
    await this.#finish(at, { status: 'completed', ...item });
  }

  async #add(item: JsonObject): Promise<number> {
    const at = this.#output.push(item) - 1;
    await this.#event({ type: 'response.output_item.added', output_index: at, item });
    return at;
  }

  async #finish(at: number, item: JsonObject): Promise<void> {
    this.#output[at] = item;
    if (this.#parts.quirk === 'items-at-the-end') {
      return;
    }
    const isBare = this.#parts.quirk === 'no-arguments-in-items' && 'arguments' in item;
    await this.#event({
      ...{ type: 'response.output_item.done', output_index: at },
      item: isBare ? { ...item, arguments: '' } : item,
    });
  }

  async #delta(event: JsonObject): Promise<void> {
    this.#outputChars += String(event['delta']).length;
    if (this.#parts.quirk !== 'no-deltas') {
      await this.#event(event);
    }
  }

  async #event(event: JsonObject): Promise<void> {
    const { output_index: _index, ...unplaced } = event;
    const sent = this.#parts.quirk === 'no-indices' ? unplaced : event;
    const data = JSON.stringify({ ...sent, sequence_number: this.#eventNo++ });
    await this.#write(`event: ${String(event['type'])}\ndata: ${data}\n\n`);
  }

  #response(status: string): JsonObject {
    const { model } = this.#parts.entry;
    return {
      ...{ id: this.#id, object: 'response', created_at: 1_790_000_000, status, model },
      ...{ error: null, incomplete_details: null, output: [], usage: null },
    };
  }

  /** About four characters per token, as a stand-in for real counts. */
  #count(): unknown {
    const input = Math.ceil(JSON.stringify(this.#parts.entry.body).length / 4);
    const output = Math.ceil(this.#outputChars / 4) + 1;
    return {
      ...{ input_tokens: input, input_tokens_details: { cached_tokens: 0 } },
      ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: 0 } },
      total_tokens: input + output,
    };
  }

  async #write(text: string): Promise<void> {
    const { response, entry } = this.#parts;
    const bytes = Buffer.from(text, 'utf8');
    const size = this.#splitBytes === 0 ? bytes.length : this.#splitBytes;
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      await flushed(response, bytes.subarray(at, at + size));
    }
    entry.sentAt.push(performance.now());
  }
}

/** Resolves as well when the client goes: what is written to a connection that just broke is never called back. */
async function flushed(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.write(bytes, () => {
      response.off('close', resolve);
      resolve();
    });
  });
}

function words(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text]);
}

function piecesOf(text: string, count: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / count));
  return Array.from({ length: Math.ceil(text.length / size) }, (_unused, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}
