// Ends of an answer that are no answer.
import { MassGenError } from '../../core/errors';
import { asObject, asText } from '../wire/json-reading';

/** Why a model declines, in words. */
const categories: Readonly<Record<string, string>> = {
  cyber: 'attacks on computers',
  bio: 'biology that can do harm',
  frontier_llm: 'the making of large language models',
  reasoning_extraction: 'laying its reasoning open',
  general_harms: 'harm to people',
};

export function refusalError(model: string, details: unknown): MassGenError {
  const stop = asObject(details);
  const named = asText(stop?.['category']);
  const topic = categories[named] ?? named;
  const about = topic === '' ? '' : ` because it takes the task to be about ${topic}`;
  const said = asText(stop?.['explanation']).trim();
  return new MassGenError(
    'backend/refused',
    `${model} declined to answer${about}${said === '' ? '.' : `: ${said}`}`,
    { hint: 'Word the task differently, or use another model.' },
  );
}

export function windowError(model: string): MassGenError {
  return new MassGenError(
    'backend/context-overflow',
    `The context window of ${model} was full before its answer ended.`,
    { hint: 'Give the agents a shorter task, or use a model with a larger context window.' },
  );
}

export function cutError(host: string): MassGenError {
  return new MassGenError(
    'backend/network',
    `The stream of ${host} ended in the middle of an answer.`,
    { retryable: true },
  );
}
