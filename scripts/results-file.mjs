// bench/RESULTS.md: the last figures, one section for each command that gives them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** The document with one section replaced, or added at the end; the others stay as they are. */
export function withSection(document, title, text) {
  const [head, ...sections] = document === '' ? ['# Last figures'] : document.split(/\n+(?=## )/);
  const made = `## ${title}\n\n${text.trim()}`;
  const at = sections.findIndex((section) => section.startsWith(`## ${title}\n`));
  const all = at < 0 ? [...sections, made] : sections.with(at, made);
  return `${[head.trim(), ...all.map((section) => section.trim())].join('\n\n')}\n`;
}

/** Writes a section with the date, the machine and the command above its text. */
export function keepFigures(file, { title, command, text }) {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores, Node ${process.versions.node}`;
  const document = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const body = `${date}, ${machine}, by \`${command}\`.\n\n${text}`;
  writeFileSync(file, withSection(document, title, body));
}
