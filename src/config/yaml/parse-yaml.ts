import { type Document, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { ProblemList } from '../problem-list';
import { shown } from '../secret-text';
import { syntaxSentence } from './syntax-sentences';

/** Team files are written by hand; anything near this is a mistake or an attack. */
const maxChars = 256 * 1024;
const maxAliases = 50;
const maxDepth = 100;

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

/** Parses YAML 1.2 with source ranges. Never throws, whatever the text. */
export function parseYaml(text: string, file: string): YamlText | RefusedText {
  const lines = new LineCounter();
  const problems = new ProblemList(file, lines);
  const refusal = refuse(text);
  if (refusal !== undefined) {
    lines.addNewLine(0);
    problems.add({ code: 'too-large', range: [0, 0], keyPath: '', message: refusal });
    return { document: undefined, problems };
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
  });
  const reportedLines = new Set<number>();
  for (const { code, pos } of [...document.errors, ...document.warnings]) {
    const line = problems.lineOf(pos[0]);
    if (!reportedLines.has(line)) {
      problems.add({ code: 'syntax', range: pos, keyPath: '', message: syntaxSentence(code) });
    }
    reportedLines.add(line);
  }
  reportDuplicates(document, problems);
  const hasSyntaxErrors = document.errors.length > 0;
  return { document, problems, hasSyntaxErrors };
}

/** Looks at the bare text, so that what is refused here never reaches the parser. */
function refuse(text: string): string | undefined {
  if (text.length > maxChars) {
    return `The file has ${text.length} characters; at most ${maxChars} are read.`;
  }
  const aliases = text.match(/(?:^|[\s[{,:-])\*[^\s*,[\]{}]+/g)?.length ?? 0;
  if (aliases > maxAliases && /(?:^|[\s[{,:-])&[^\s&,[\]{}]+/.test(text)) {
    return `The file has ${aliases} aliases; at most ${maxAliases} are followed.`;
  }
  return deepestNesting(text) > maxDepth
    ? `The file is nested more than ${maxDepth} levels deep.`
    : undefined;
}

/**
 * An upper bound of the nesting: levels of indentation, dashes in a row, and open brackets. Brackets in plain text count
 * too; no real team file leaves a hundred of them open.
 */
function deepestNesting(text: string): number {
  const indents: number[] = [];
  let brackets = 0;
  let deepest = 0;
  for (const line of text.split('\n')) {
    const lead = /^[\s?:-]*/.exec(line)?.[0] ?? '';
    if (lead.length < line.length) {
      const indent = line.length - line.trimStart().length;
      while ((indents.at(-1) ?? -1) >= indent) {
        indents.pop();
      }
      indents.push(indent);
    }
    for (const char of line) {
      brackets = Math.max(0, brackets + (bracketSteps[char] ?? 0));
      deepest = Math.max(deepest, brackets);
    }
    deepest = Math.max(deepest, brackets + indents.length + lead.replaceAll(/\s/g, '').length);
  }
  return deepest;
}

const bracketSteps: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

function reportDuplicates(document: Document.Parsed, problems: ProblemList): void {
  visit(document, {
    Map(_key, map, ancestors) {
      const seen = new Map<string, number>();
      for (const { key } of map.items) {
        if (!isScalar(key) || !key.range) continue;
        const name = String(key.value);
        const first = seen.get(name);
        if (first === undefined) {
          seen.set(name, key.range[0]);
        } else {
          const line = problems.lineOf(first);
          const message = `${shown(name)} is already set in line ${line}.`;
          problems.add({
            code: 'duplicate',
            range: [key.range[0], key.range[1]],
            keyPath: joinPath(pathOf([...ancestors, map]), shown(name)),
            message,
          });
        }
      }
    },
  });
}

/** The key path of the innermost of nested nodes, e.g. `agents[1].backend`. */
function pathOf(nodes: readonly unknown[]): string {
  let path = '';
  for (const [index, node] of nodes.entries()) {
    const outer = nodes[index - 1];
    if (isPair(node) && isScalar(node.key)) {
      path = joinPath(path, shown(String(node.key.value)));
    } else if (isSeq(outer)) {
      path = `${path}[${outer.items.indexOf(node)}]`;
    }
  }
  return path;
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
