// Plays the steps of one scripted answer as server-sent events.
import type { ServerResponse } from 'node:http';
import type { OpenJournalEntry } from '../fake-model-service/journal';
import { bearerOf } from './content-check';
import type { Members } from './refusal';
import type { Step } from './script';

export interface StreamParts {
  readonly response: ServerResponse;
  readonly entry: OpenJournalEntry;
  /** Calls of this model carry signatures. */
  readonly isSigned: boolean;
  /** Where signatures are written down, each with what it stands on. */
  readonly given: Map<string, string>;
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
  #callNo = 0;
  #splitBytes = 0;
  #outputChars = 0;
  #thoughtChars = 0;
  #isFinished = false;
  #usage: Readonly<Record<string, number>> | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    parts.response.writeHead(200, { 'content-type': 'text/event-stream' });
    parts.response.flushHeaders();
  }

  async play(step: Step): Promise<'goes-on' | 'over'> {
    switch (step.kind) {
      case 'text':
        for (const text of step.pieces ?? step.text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
          await this.#part({ text });
        }
        break;
      case 'thought':
        this.#thoughtChars += step.text.length;
        await this.#part({ text: step.text, thought: true });
        break;
      case 'call':
        await this.#call(step);
        break;
      case 'part':
        await this.#part(step.part);
        break;
      case 'candidate':
        await this.#candidate(step.members);
        break;
      case 'signed-end':
        await this.#part(this.#signed({ text: '' }));
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
      case 'block':
        this.#isFinished = true;
        await this.#data({ promptFeedback: { blockReason: step.reason }, ...this.#envelope() });
        break;
      default:
        return this.#stop(step);
    }
    return 'goes-on';
  }

  async close(): Promise<void> {
    if (!this.#isFinished) {
      await this.#finish('STOP');
    }
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
      if (!response.destroyed) {
        await new Promise<void>((resolve) => response.on('close', resolve));
      }
      return 'over';
    }
    if (step.kind === 'error') {
      await this.#data({ error: step.error });
    }
    entry.outcome = 'cut';
    if (step.kind === 'cut') {
      response.destroy();
    } else {
      response.end();
    }
    return 'over';
  }

  async #call(step: Extract<Step, { kind: 'call' }>): Promise<void> {
    const { name, args, id } = step;
    const isSigned = step.isSigned ?? (this.#parts.isSigned && this.#callNo === 0);
    this.#callNo++;
    const functionCall = {
      ...(id === undefined ? {} : { id }),
      name,
      ...(args === undefined ? {} : { args }),
    };
    await this.#part(isSigned ? this.#signed({ functionCall }) : { functionCall });
  }

  #signed(part: Members): Members {
    const { given, entry } = this.#parts;
    const thoughtSignature = Buffer.from(`signature ${entry.no}.${given.size}`).toString('base64');
    given.set(thoughtSignature, bearerOf(part));
    return { ...part, thoughtSignature };
  }

  async #finish(finishReason: string): Promise<void> {
    this.#isFinished = true;
    // Without `content`: an answer need not end with a part.
    await this.#candidate({ finishReason });
  }

  async #part(part: unknown): Promise<void> {
    this.#outputChars += JSON.stringify(part).length;
    await this.#candidate({ content: { role: 'model', parts: [part] } });
  }

  async #candidate(members: Members): Promise<void> {
    await this.#data({ candidates: [{ ...members, index: 0 }], ...this.#envelope() });
  }

  /** About four characters per token, as a stand-in for real counts. */
  #envelope(): Members {
    const { entry } = this.#parts;
    const promptTokenCount = Math.ceil(JSON.stringify(entry.body).length / 4);
    const candidatesTokenCount = Math.ceil(this.#outputChars / 4);
    const thoughtsTokenCount = Math.ceil(this.#thoughtChars / 4);
    return {
      usageMetadata: this.#usage ?? {
        ...{ promptTokenCount, candidatesTokenCount },
        ...(thoughtsTokenCount === 0 ? {} : { thoughtsTokenCount }),
        totalTokenCount: promptTokenCount + candidatesTokenCount + thoughtsTokenCount,
      },
      modelVersion: entry.model,
      responseId: `response-${entry.no}`,
    };
  }

  async #data(data: unknown): Promise<void> {
    await this.#write(`data: ${JSON.stringify(data)}\r\n\r\n`);
  }

  async #write(text: string): Promise<void> {
    const { response } = this.#parts;
    const bytes = Buffer.from(text, 'utf8');
    const size = this.#splitBytes === 0 ? bytes.length : this.#splitBytes;
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      await flushed(response, bytes.subarray(at, at + size));
    }
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
