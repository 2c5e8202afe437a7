import { type CallParts, callModel } from '../agent/model-call';
import { toErrorInfo } from '../errors';
import type { SystemAnswer, SystemModel } from '../ports/system-model';

export interface BackendSystemModelParts extends Omit<CallParts, 'slot'> {
  /** For people. */
  readonly model: string;
}

/** Nobody's place in the team: calls of the run itself are numbered there. */
const noSlot = 0;

/** Asks a language model through its backend. The backend stays the caller's. */
export function backendSystemModel(parts: BackendSystemModelParts): SystemModel {
  return {
    model: parts.model,
    async ask(
      { attempt, call, task, system, message, outputSchema },
      signal,
    ): Promise<SystemAnswer> {
      let answer: SystemAnswer = { text: '', usage: {}, costUsd: null };
      const request = {
        step: { attempt, slot: noSlot, turnNo: 0, call },
        ...{ task, system },
        messages: [{ role: 'user' as const, text: message }],
        tools: [],
        maxOutputTokens: undefined,
        ...(outputSchema === undefined ? {} : { outputSchema }),
      };
      try {
        await callModel(
          { ...parts, slot: noSlot },
          request,
          (event) => {
            if (event.type === 'model-call-ended') {
              const { text, usage, costUsd, hasFees, error } = event;
              answer = {
                ...{ text, usage, costUsd },
                ...(hasFees === undefined ? {} : { hasFees }),
                ...(error === undefined ? {} : { error }),
              };
            }
          },
          signal,
        );
      } catch (error) {
        answer = { ...answer, error: toErrorInfo(error, parts.redact) };
      }
      return answer;
    },
  };
}
