// Markdown of models as tokens. HTML stays text, and only harmless links are links.
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
parser.validateLink = isSafeLink;

/** True for `http`, `https` and `mailto`, and for nothing else, however it is written. */
export function isSafeLink(href: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(href.trim());
}

export function parseMarkdown(text: string): readonly Token[] {
  return parser.parse(text, {});
}
