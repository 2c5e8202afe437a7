// What the lines of Claude models take and what they refuse, as of November 2026. One row per line; the first match counts.

export interface Family {
  /**
   * How thinking is asked for. `budget`: in tokens; `either`: in tokens or adaptively; `adaptive`: adaptively alone;
   * `unknown`: a model of somebody else behind this protocol, which gets what the team file says.
   */
  readonly thinking: 'budget' | 'either' | 'adaptive' | 'unknown';
  /** Whether it thinks when nothing is asked for; `always`: it cannot be switched off. */
  readonly thinksByDefault: 'no' | 'yes' | 'always';
  /** It takes temperature, top_p and top_k. */
  readonly hasSampling: boolean;
  /** What it thinks is left out of the stream unless a summary is asked for. */
  readonly isSilent: boolean;
  /** Each thinking block holds only after exactly what stood before it when it was written. */
  readonly isBound: boolean;
  /** It can be held to the schema of an answer. */
  readonly hasOutputFormat: boolean;
}

const upTo45: Family = {
  thinking: 'budget',
  thinksByDefault: 'no',
  hasSampling: true,
  isSilent: false,
  isBound: false,
  hasOutputFormat: true,
};

const upTo40: Family = { ...upTo45, hasOutputFormat: false };

const from47: Family = {
  thinking: 'adaptive',
  thinksByDefault: 'no',
  hasSampling: false,
  isSilent: true,
  isBound: false,
  hasOutputFormat: true,
};

const alwaysOn: Family = { ...from47, thinksByDefault: 'always' };

const rows: readonly (readonly [name: RegExp, family: Family])[] = [
  [/^claude-(fable|mythos)-5$/, alwaysOn],
  [/^claude-(fable|mythos)-/, { ...alwaysOn, isBound: true }],
  [/^claude-opus-5-5$/, { ...alwaysOn, isBound: true }],
  [/^claude-(sonnet|haiku)-5-5$/, { ...from47, thinksByDefault: 'yes', isBound: true }],
  [/^claude-(opus|sonnet)-5$/, { ...from47, thinksByDefault: 'yes' }],
  [/^claude-opus-4-[78]$/, from47],
  [/^claude-(opus|sonnet)-4-6$/, { ...upTo45, thinking: 'either' }],
  [/^claude-((opus|sonnet|haiku)-4-5|opus-4-1)$/, upTo45],
  [/^claude-(opus|sonnet|haiku)-[34](-[0-5])?$/, upTo40],
  [/^claude-([123]\b|instant)/, upTo40],
  // A later one than this table knows is most like the latest.
  [/^claude-/, { ...from47, thinksByDefault: 'yes', isBound: true }],
];

const notClaude: Family = { ...upTo40, thinking: 'unknown' };

/** `bedrock/anthropic.claude-opus-4.5@20251101` and the like are the same model under another name. */
export function familyOfClaude(model: string): Family {
  const name = plainName(model);
  return rows.find(([pattern]) => pattern.test(name))?.[1] ?? notClaude;
}

function plainName(model: string): string {
  const lower = model.trim().toLowerCase();
  const from = lower.indexOf('claude-');
  return lower
    .slice(Math.max(0, from))
    .replace(/[@:].*$/, '')
    .replace(/-(\d{8}(-v\d+)?|latest)$/, '')
    .replaceAll('.', '-');
}
