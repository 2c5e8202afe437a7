// Draws Markdown as elements from a closed list. Text of a model only ever becomes text, never HTML.
import { Fragment, h } from 'preact';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Token } from 'markdown-it';
import { usePanel } from '../panel-context';
import { isSafeLink, parseMarkdown } from './parse';

export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const { post } = usePanel();
  const content = useMemo(
    () => drawTokens(parseMarkdown(text), (href) => post({ type: 'open-link', href })),
    [text, post],
  );
  return <div class="markdown">{content}</div>;
}

type OpenLink = (href: string) => void;

/** Elements that may appear; headings stay below those of the panel. */
const tags: Readonly<Record<string, string>> = {
  p: 'p',
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  blockquote: 'blockquote',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  em: 'em',
  strong: 'strong',
  s: 's',
};

interface Open {
  readonly token: Token;
  readonly children: ComponentChildren[];
}

/** Nests the flat list of tokens. */
function drawTokens(tokens: readonly Token[], openLink: OpenLink): ComponentChildren[] {
  const top: ComponentChildren[] = [];
  const open: Open[] = [];
  const add = (child: ComponentChildren): void => {
    (open.at(-1)?.children ?? top).push(child);
  };
  for (const token of tokens) {
    if (token.nesting === 1) {
      open.push({ token, children: [] });
    } else if (token.nesting === -1) {
      const closed = open.pop();
      add(closed === undefined ? null : drawElement(closed, open.length === 0, openLink));
    } else {
      add(drawLeaf(token, openLink));
    }
  }
  return top;
}

/** A block that is in no other one has the direction of its first letter, as has a cell: an answer may mix languages. */
function drawElement(
  { token, children }: Open,
  isOutermost: boolean,
  openLink: OpenLink,
): ComponentChildren {
  if (token.type === 'link_open') {
    return drawLink(String(token.attrGet('href') ?? ''), children, openLink);
  }
  const tag = tags[token.tag];
  if (token.hidden || tag === undefined) {
    return h(Fragment, null, children);
  }
  const start = token.tag === 'ol' ? Number(token.attrGet('start') ?? 1) : 1;
  const direction = isOutermost || tag === 'th' || tag === 'td' ? { dir: 'auto' } : null;
  return h(tag, { ...direction, ...(start === 1 ? null : { start }) }, children);
}

function drawLeaf(token: Token, openLink: OpenLink): ComponentChildren {
  switch (token.type) {
    case 'inline':
      return drawTokens(token.children ?? [], openLink);
    case 'text':
      return token.content;
    case 'code_inline':
      return h('code', null, token.content);
    case 'fence':
    case 'code_block':
      return h(
        'pre',
        { tabIndex: 0, dir: 'ltr' },
        h('code', null, token.content.replace(/\n$/, '')),
      );
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return h('br', null);
    case 'hr':
      return h('hr', null);
    case 'image':
      return drawImage(token, openLink);
    default:
      return token.content;
  }
}

/** Nothing is loaded: the description stands for the image, as a link to it where that is harmless. */
function drawImage(token: Token, openLink: OpenLink): ComponentChildren {
  const source = String(token.attrGet('src') ?? '');
  const text = token.content === '' ? source : token.content;
  return drawLink(source, [`[image: ${text}]`], openLink);
}

/** A link whose target is shown before it is opened; text alone where it is not harmless. */
export function drawLink(
  href: string,
  children: ComponentChildren[],
  openLink: OpenLink,
): ComponentChildren {
  if (!isSafeLink(href)) {
    return h(Fragment, null, children);
  }
  const onClick = (event: Event): void => {
    // The editor would open the link itself; the host shows the target first.
    event.preventDefault();
    event.stopPropagation();
    openLink(href);
  };
  return (
    <a href={href} title={href} onClick={onClick} onAuxClick={onClick}>
      {children}
    </a>
  );
}
