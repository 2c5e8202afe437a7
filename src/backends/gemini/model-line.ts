import { bareModelName } from '../catalog/lookup';

/** What the requests to a line of models have in common. */
export interface ModelLine {
  /** E.g. `2.5` or `3.8`; `undefined` for names that do not tell. */
  readonly generation: number | undefined;
  /**
   * How thinking is set: by tokens, by a level, by a level of three, or not at all. `unknown`: what is written is handed on.
   */
  readonly thinking: 'budget' | 'level' | 'three-levels' | 'none' | 'unknown';
  /** The larger models think always. */
  readonly alwaysThinks: boolean;
  /** Calls carry signatures, and the service asks for them with the next request. */
  readonly isSigned: boolean;
  /** Pictures and documents may be part of the result of a function. */
  readonly takesMediaInResults: boolean;
  /** Tools of the service and functions may stand in one request. */
  readonly mixesTools: boolean;
  /** It can be held to the schema of an answer, before tools and answers can be mixed without tools alone. */
  readonly hasOutputSchema: boolean;
}

export function lineOf(model: string): ModelLine {
  const name = bareModelName(model);
  const generation = generationOf(name);
  const isNew = generation !== undefined && generation >= 3;
  return {
    generation,
    thinking: thinkingOf(name, generation),
    alwaysThinks: name.includes('pro') || (generation !== undefined && generation >= 4),
    isSigned: isNew,
    takesMediaInResults: isNew,
    mixesTools: isNew,
    hasOutputSchema: generation !== undefined && generation >= 2.5,
  };
}

function generationOf(name: string): number | undefined {
  const version = /^gemini-(\d+(?:\.\d+)?)(?:-|$)/.exec(name)?.[1];
  if (version !== undefined) {
    return Number(version);
  }
  // These names stand for the newest model of their size.
  return /^gemini-(pro|flash|flash-lite)-latest$/.test(name) ? 3 : undefined;
}

function thinkingOf(name: string, generation: number | undefined): ModelLine['thinking'] {
  if (generation === undefined) {
    return name.startsWith('gemma') ? 'none' : 'unknown';
  }
  if (generation < 2.5) {
    return 'none';
  }
  return generation < 3 ? 'budget' : generation < 4 ? 'level' : 'three-levels';
}

/**
 * Version of the service's interface that knows the model. The names that stand for the newest model and most previews are
 * served by the early version alone; everything else by the stable one.
 */
export function apiVersionOf(model: string): 'v1' | 'v1beta' {
  return /-latest$|-preview(-|$)|-exp(-|$)|-tts(-|$)/.test(bareModelName(model)) ? 'v1beta' : 'v1';
}
