export type ScriptAction =
  | { readonly kind: 'answers'; readonly texts: readonly string[] }
  | { readonly kind: 'votes'; readonly targets: readonly string[] }
  | { readonly kind: 'both' }
  | { readonly kind: 'abstain' }
  | { readonly kind: 'text' }
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'transient' }
  | { readonly kind: 'fatal' }
  | { readonly kind: 'stop'; readonly status: 'complete' | 'blocked' }
  /** What an evaluator calls in one response. */
  | { readonly kind: 'findings'; readonly findings: readonly ('submit' | 'unsure' | 'restart')[] }
  | { readonly kind: 'hang' };

export interface ScriptStep {
  /** Duration of the model call, ms. */
  readonly takes: number;
  readonly action: ScriptAction;
}

/** Reads one step such as `+100 vote 2.1`; throws when it is not known. */
export function readStep(text: string): ScriptStep {
  const match = /^\+(\d+)\s+(\w+)\s*(.*)$/.exec(text.trim());
  const [, takes, name = '', rest = ''] = match ?? [];
  const words = rest.split(/\s+/).filter((word) => word !== '');
  const action = takes === undefined ? undefined : readAction(name, words);
  if (action === undefined) {
    throw new Error(`unknown step "${text.trim()}"`);
  }
  return { takes: Number(takes), action };
}

/** Names of steps and the number of words that follow them. */
const arity: Readonly<Record<string, number>> = {
  ans: 1,
  anss: 2,
  vote: 1,
  votes: 2,
  both: 0,
  abstain: 0,
  text: 0,
  tool: 1,
  unknown: 0,
  transient: 0,
  fatal: 0,
  stop: 1,
  hang: 0,
};

function readAction(name: string, words: readonly string[]): ScriptAction | undefined {
  if (!Object.hasOwn(arity, name) || words.length !== arity[name]) {
    return undefined;
  }
  switch (name) {
    case 'ans':
    case 'anss':
      return { kind: 'answers', texts: words.map(answerText) };
    case 'vote':
    case 'votes':
      return words.every((word) => /^\d+(\.\d+)?$/.test(word))
        ? { kind: 'votes', targets: words }
        : undefined;
    case 'tool':
      return { kind: 'tool', name: words[0] ?? '' };
    case 'stop':
      return words[0] === 'complete' || words[0] === 'blocked'
        ? { kind: 'stop', status: words[0] }
        : undefined;
    case 'both':
    case 'abstain':
    case 'text':
    case 'unknown':
    case 'transient':
    case 'fatal':
    case 'hang':
      return { kind: name };
    default:
      return undefined;
  }
}

function answerText(word: string): string {
  return word === 'EMPTY' ? ' ' : word.replaceAll('_', ' ');
}
