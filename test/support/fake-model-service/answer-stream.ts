// Plays the steps of one scripted answer as server-sent events.
import type { ServerResponse } from 'node:http';
import type { OpenJournalEntry } from './journal';
import type { Latency, Step } from './script';
import type { ServiceClock } from './service-clock';

interface StreamParts {
  readonly response: ServerResponse;
  readonly entry: OpenJournalEntry;
  readonly clock: ServiceClock;
  readonly latency: Latency;
  readonly includesUsage: boolean;
}

/** Resolves when the answer is complete, cut, or the client has gone. */
export async function playAnswer(steps: readonly Step[], parts: StreamParts): Promise<void> {
  const stream = new AnswerStream(parts);
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
  #dueMs = 0;
  #chunkNo = 0;
  #callNo = 0;
  #splitBytes = 0;
  #isFinished = false;
  #outputChars = 0;
  #usage: unknown;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#id = `chatcmpl-${parts.entry.no}`;
    parts.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    parts.response.flushHeaders();
  }

  async play(step: Step): Promise<'goes-on' | 'over'> {
    switch (step.kind) {
      case 'text':
        for (const piece of step.pieces ?? words(step.text)) {
          await this.#delta({ content: piece });
        }
        break;
      case 'thinking':
        await this.#delta({ [step.member ?? 'reasoning_content']: step.text });
        break;
      case 'tool-call':
        await this.#toolCall(step);
        break;
      case 'wait':
        this.#dueMs += step.ms;
        break;
      case 'comment':
        await this.#write(`: ${step.text}\n\n`);
        break;
      case 'empty-choices':
        await this.#data({ ...this.#envelope(), choices: [] });
        break;
      case 'chunk':
        await this.#data(step.data);
        break;
      case 'raw':
        await this.#write(step.text);
        break;
      case 'split-bytes':
        this.#splitBytes = step.bytes;
        break;
      case 'usage':
        this.#usage = step.usage;
        break;
      case 'finish':
        await this.#finish(step.reason);
        break;
      default:
        return this.#stop(step);
    }
    return 'goes-on';
  }

  /** The finish chunk if none came, usage if it was asked for, and the closing mark. */
  async close(): Promise<void> {
    if (!this.#isFinished) {
      await this.#finish(this.#callNo > 0 ? 'tool_calls' : 'stop');
    }
    if (this.#parts.includesUsage) {
      await this.#data({ ...this.#envelope(), choices: [], usage: this.#usage ?? this.#count() });
    }
    await this.#write('data: [DONE]\n\n');
    if (!this.#parts.response.destroyed) {
      this.#parts.entry.outcome = 'complete';
    }
    this.#parts.response.end();
  }

  async #stop(
    step: Extract<Step, { kind: 'error' | 'cut' | 'end-early' | 'hang' }>,
  ): Promise<'over'> {
    const { response, entry } = this.#parts;
    if (step.kind === 'hang') {
      await this.#untilDue();
      if (!response.destroyed) {
        await new Promise<void>((resolve) => response.on('close', resolve));
      }
      return 'over';
    }
    if (step.kind === 'error') {
      await this.#data({ error: step.error });
    }
    await this.#untilDue();
    entry.outcome = 'cut';
    if (step.kind === 'cut') {
      response.destroy();
    } else {
      response.end();
    }
    return 'over';
  }

  async #toolCall(step: Extract<Step, { kind: 'tool-call' }>): Promise<void> {
    const index = step.index ?? this.#callNo;
    const id = step.id ?? `call_${this.#parts.entry.no}_${this.#callNo}`;
    this.#callNo++;
    const text =
      typeof step.arguments === 'string' ? step.arguments : JSON.stringify(step.arguments);
    await this.#delta({
      tool_calls: [{ index, id, type: 'function', function: { name: step.name, arguments: '' } }],
    });
    const size = Math.max(1, Math.ceil(text.length / (step.pieces ?? 2)));
    for (let at = 0; at < text.length; at += size) {
      const piece = text.slice(at, at + size);
      await this.#delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }

  async #finish(reason: string): Promise<void> {
    this.#isFinished = true;
    await this.#choice({}, reason);
  }

  async #delta(delta: Readonly<Record<string, unknown>>): Promise<void> {
    this.#outputChars += JSON.stringify(delta).length;
    await this.#choice(this.#chunkNo === 0 ? { role: 'assistant', ...delta } : delta, null);
  }

  async #choice(delta: unknown, finishReason: string | null): Promise<void> {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
    await this.#data({ ...this.#envelope(), choices });
  }

  #envelope(): Readonly<Record<string, unknown>> {
    const { model } = this.#parts.entry;
    return { id: this.#id, object: 'chat.completion.chunk', created: 1_790_000_000, model };
  }

  /** About four characters per token, as a stand-in for real counts. */
  #count(): unknown {
    const input = Math.ceil(JSON.stringify(this.#parts.entry.body).length / 4);
    const output = Math.ceil(this.#outputChars / 4);
    return {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    };
  }

  async #data(data: unknown): Promise<void> {
    const { firstChunkMs, perChunkMs } = this.#parts.latency;
    this.#dueMs += this.#chunkNo === 0 ? firstChunkMs : perChunkMs;
    this.#chunkNo++;
    await this.#write(`data: ${JSON.stringify(data)}\n\n`);
  }

  async #write(text: string): Promise<void> {
    await this.#untilDue();
    const { response, entry, clock } = this.#parts;
    const bytes = Buffer.from(text, 'utf8');
    const size = this.#splitBytes === 0 ? bytes.length : this.#splitBytes;
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      await flushed(response, bytes.subarray(at, at + size));
    }
    entry.sentAt.push(clock.now());
  }

  async #untilDue(): Promise<void> {
    const { response, entry, clock } = this.#parts;
    entry.scheduledMs = this.#dueMs;
    const deadline = entry.receivedAt + this.#dueMs;
    if (clock.now() >= deadline || response.destroyed) {
      return;
    }
    await new Promise<void>((resolve) => {
      const gone = (): void => {
        cancel();
        resolve();
      };
      const cancel = clock.at(deadline, () => {
        response.off('close', gone);
        resolve();
      });
      response.once('close', gone);
    });
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
