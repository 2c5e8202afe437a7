/** A mistake of form as the parser has found it. */
export interface SyntaxMistake {
  readonly code: string;
  /** The parser's words; they may quote the file, so that they are only looked at. */
  readonly words: string;
  /** The text that is marked. */
  readonly marked: string;
  /** Line in which the quote before it was opened; `undefined`: there is none. */
  readonly quoteLine: number | undefined;
}

type Sentence = string | ((mistake: SyntaxMistake) => string);

const indentation = 'The indentation is wrong here: this line fits none of the lines above.';

/** By the parser's words, the first that fits. Own sentences, because a file may hold a key. */
const byWords: readonly (readonly [RegExp, Sentence])[] = [
  [/^Missing closing/, unclosedQuote],
  [/without - indicator|at the same column/, indentation],
  [/end with a \]/, 'The bracket [ that was opened above is not closed here.'],
  [/end with a \}/, 'The brace { that was opened above is not closed here.'],
  [/^Unexpected flow-(?:seq|map)-end/, 'This closes no bracket that is open.'],
  [
    /^Unexpected scalar at node end/,
    'Something stands behind the closing quote. Inside single quotes a quote is written twice, inside double quotes as \\".',
  ],
  [/^Block scalar header/, 'After | or > the text begins in the next line.'],
  [/cannot be an empty string/, 'Behind & or * stands a name; quote a text that begins so.'],
  [/need to be followed by map values|on a single line/, missingColon],
];

const byCode: Readonly<Record<string, Sentence>> = {
  BAD_INDENT: indentation,
  TAB_AS_INDENT: 'Tabs cannot indent YAML; use spaces.',
  MISSING_CHAR:
    'Something is missing here: a colon after a key, a comma, or a closing quote or bracket.',
  UNEXPECTED_TOKEN: 'This does not belong here; quote the value if it is one text.',
  BLOCK_AS_IMPLICIT_KEY: 'A value with a colon and a space needs quotes.',
  BLOCK_IN_FLOW: 'Inside brackets a comma stands between entries, and dashes mean nothing.',
  MULTIPLE_DOCS: 'A team file is one document; remove the line with three dashes.',
  BAD_SCALAR_START: 'A plain value cannot begin with this character; quote it.',
  BAD_DQ_ESCAPE: 'This backslash sequence is unknown; use single quotes.',
  TAG_RESOLVE_FAILED:
    'Tags (words that begin with an exclamation mark) are not supported; quote the value if it is a text.',
  BAD_DIRECTIVE: 'Directives (lines that begin with a percent sign) are not supported.',
};

export function syntaxSentence(mistake: SyntaxMistake): string {
  const found =
    byWords.find(([words]) => words.test(mistake.words))?.[1] ??
    byCode[mistake.code] ??
    'This is not valid YAML.';
  return typeof found === 'string' ? found : found(mistake);
}

function unclosedQuote({ quoteLine }: SyntaxMistake): string {
  return quoteLine === undefined
    ? 'A text in quotes is not closed.'
    : `The text in quotes that begins in line ${quoteLine} is not closed.`;
}

function missingColon({ marked }: SyntaxMistake): string {
  return /^[\w.-]+:\S/.test(marked)
    ? 'A space is missing behind the colon.'
    : 'A colon and a space are missing behind this key.';
}
