/** Own sentences instead of the parser's, because those may quote the file, and a file may hold a key. */
const sentences: Readonly<Record<string, string>> = {
  BAD_INDENT: 'The indentation is wrong, or a bracket is not closed.',
  TAB_AS_INDENT: 'Tabs cannot indent YAML; use spaces.',
  MISSING_CHAR:
    'Something is missing here: a colon after a key, a comma, or a closing quote or bracket.',
  UNEXPECTED_TOKEN: 'This does not belong here; quote the value if it is one text.',
  BLOCK_AS_IMPLICIT_KEY: 'A value with a colon and a space needs quotes.',
  BLOCK_IN_FLOW: 'A list or mapping with line breaks cannot stand inside brackets.',
  MULTIPLE_DOCS: 'A team file is one document; remove the line with three dashes.',
  BAD_SCALAR_START: 'A plain value cannot begin with this character; quote it.',
  BAD_DQ_ESCAPE: 'This backslash sequence is unknown; use single quotes.',
  MULTILINE_IMPLICIT_KEY: 'A key must fit on one line.',
  TAG_RESOLVE_FAILED: 'Tags (words that begin with an exclamation mark) are not supported.',
  BAD_ALIAS: 'This alias names no anchor.',
  BAD_DIRECTIVE: 'Directives (lines that begin with a percent sign) are not supported.',
};

export function syntaxSentence(code: string): string {
  return sentences[code] ?? 'This is not valid YAML.';
}
