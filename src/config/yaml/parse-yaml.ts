import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import { ProblemList } from '../problem-list';
import { reportDuplicates } from './duplicate-keys';
import { reportOddKeys } from './odd-keys';
import { refuseText } from './refuse-text';
import { syntaxSentence } from './syntax-sentences';

/** After so many mistakes of form the rest is their consequence. */
const maxSyntaxProblems = 20;

export interface YamlText {
  readonly document: Document.Parsed;
  readonly problems: ProblemList;
  readonly hasSyntaxErrors: boolean;
}

/** `undefined` when the text is refused as a whole; `problems` then says why. */
export interface RefusedText {
  readonly document: undefined;
  readonly problems: ProblemList;
}

/**
 * Parses YAML 1.2 (also JSON, with or without a byte order mark) with source ranges, whatever version the text itself asks
 * for. Never throws.
 */
export function parseYaml(written: string, file: string): YamlText | RefusedText {
  const lines = new LineCounter();
  const problems = new ProblemList(file, lines);
  // A single carriage return ends a line as well; the parser does not know that. Offsets stay.
  const text = written.replaceAll(/\r(?!\n)/g, '\n');
  const refusal = refuseText(text);
  if (refusal !== undefined) {
    countLines(text, refusal.at, lines);
    const { code, at, message } = refusal;
    problems.add({ code, range: [at, at], keyPath: '', message });
    return { document: undefined, problems };
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: 'core',
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
  });
  reportSyntax(document, text, problems);
  reportOddKeys(document, problems);
  reportDuplicates(document, problems);
  const hasSyntaxErrors = document.errors.length > 0;
  return { document, problems, hasSyntaxErrors };
}

/** One problem for each line, because the second of a line follows from the first as a rule. */
function reportSyntax(document: Document.Parsed, text: string, problems: ProblemList): void {
  const reportedLines = new Set<number>();
  for (const { code, pos, message: words } of [...document.errors, ...document.warnings]) {
    const line = problems.lineOf(pos[0]);
    if (!reportedLines.has(line) && reportedLines.size < maxSyntaxProblems) {
      const quoteLine = lastQuoteLine(document, problems);
      const message = syntaxSentence({ code, words, marked: text.slice(...pos), quoteLine });
      problems.add({ code: 'syntax', range: pos, keyPath: '', message });
      reportedLines.add(line);
    }
  }
}

/** An unclosed quote takes the whole rest of a file, so that it is the last one. */
function lastQuoteLine(document: Document.Parsed, problems: ProblemList): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Scalar(_key, { type, range }) {
      offset = type?.startsWith('QUOTE') === true ? range?.[0] : offset;
    },
  });
  return offset === undefined ? undefined : problems.lineOf(offset);
}

/** For a place in a text that was not parsed. */
function countLines(text: string, until: number, lines: LineCounter): void {
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1 && at < until; at = text.indexOf('\n', at + 1)) {
    lines.addNewLine(at + 1);
  }
}
