import { LineOfPage } from './line-of-page';

/** Elements whose content is nothing to read. */
const silent = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'math', 'iframe', 'object', 'canvas'],
  ...['video', 'audio', 'select', 'textarea'],
]);

/** Elements that stand on lines of their own. */
const blocks = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'dd', 'details', 'div', 'dl', 'dt'],
  ...['fieldset', 'figcaption', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['head', 'header', 'hr', 'html', 'li', 'main', 'nav', 'ol', 'p', 'pre', 'section', 'summary'],
  ...['table', 'tbody', 'tfoot', 'thead', 'title', 'tr', 'ul'],
]);

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®' },
  ...{ mdash: '—', ndash: '–', hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
  ...{ laquo: '«', raquo: '»', times: '×', middot: '·', bull: '•', rarr: '→', larr: '←' },
  ...{ euro: '€', pound: '£', deg: '°', plusmn: '±', sect: '§', trade: '™', shy: '', zwnj: '' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' },
  ...{ eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç', ntilde: 'ñ', iexcl: '¡', iquest: '¿' },
};

/**
 * What a reader sees of a page, as plain text: headings with `#`, items with `-`, links with their addresses in
 * brackets, code as it is. Takes any text and one pass over it; nothing of the page is run or loaded.
 */
export function pageText(html: string, base: URL): string {
  const page = new PageText(base);
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    page.text(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) {
      break;
    }
    at = afterMarkup(html, open, page);
  }
  return page.finish();
}

/** Takes what begins at `<`; answers where the text goes on. */
function afterMarkup(html: string, open: number, page: PageText): number {
  if (html.startsWith('<!--', open)) {
    return afterOrEnd(html, '-->', open + 4);
  }
  const mark = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(html.slice(open, open + 64));
  if (mark === null) {
    const isDeclaration =
      html[open + 1] === '!' || html[open + 1] === '?' || html[open + 1] === '/';
    if (!isDeclaration) {
      page.text('<');
    }
    return isDeclaration ? afterOrEnd(html, '>', open) : open + 1;
  }
  const [whole, slash, written = ''] = mark;
  const name = written.toLowerCase();
  const end = tagEnd(html, open + whole.length);
  if (slash === '/') {
    page.close(name);
    return end;
  }
  const attributes = html.slice(open + whole.length, end);
  if (silent.has(name)) {
    return attributes.endsWith('/>') ? end : afterClosing(html, name, end);
  }
  page.open(name, attributes);
  return end;
}

/** Behind the `>` of a tag; one inside of quotes does not count. */
function tagEnd(html: string, from: number): number {
  let quote = '';
  for (let i = from; i < html.length; i++) {
    const sign = html.charAt(i);
    if (quote !== '') {
      quote = sign === quote ? '' : quote;
    } else if (sign === '"' || sign === "'") {
      quote = html[i - 1] === '=' ? sign : '';
    } else if (sign === '>') {
      return i + 1;
    }
  }
  return html.length;
}

function afterClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi');
  closing.lastIndex = from;
  const found = closing.exec(html);
  return found === null ? html.length : tagEnd(html, found.index + name.length + 2);
}

function afterOrEnd(html: string, sign: string, from: number): number {
  const found = html.indexOf(sign, from);
  return found < 0 ? html.length : found + sign.length;
}

/** Collects the text of a page as its markup goes by. */
class PageText {
  readonly #base: URL;
  readonly #lines: string[] = [];
  readonly #line = new LineOfPage();
  #preformatted = 0;
  #link: { readonly href: string; readonly from: number } | undefined;

  constructor(base: URL) {
    this.#base = base;
  }

  text(raw: string): void {
    const text = decodeEntities(raw);
    if (this.#preformatted > 0) {
      const [first = '', ...rest] = text.split(/\r\n|\n|\r/);
      this.#line.add(first);
      for (const line of rest) {
        this.#end();
        this.#line.add(line);
      }
      return;
    }
    const plain = text.replace(/\s+/g, ' ');
    this.#line.add(this.#line.isSpaced ? plain.trimStart() : plain);
  }

  open(name: string, attributes: string): void {
    if (blocks.has(name) || name === 'br') {
      this.#end();
    }
    if (/^(h[1-6]|p|pre|table)$/.test(name)) {
      this.#blank();
    }
    this.#begin(name, attributes);
    this.#preformatted += name === 'pre' ? 1 : 0;
  }

  #begin(name: string, attributes: string): void {
    switch (name) {
      case 'li':
        this.#line.take();
        this.#line.add('- ');
        return;
      case 'td':
      case 'th':
        this.#line.add(this.#line.isEmpty ? '' : ' | ');
        return;
      case 'img':
        this.text(attributeOf(attributes, 'alt'));
        return;
      case 'a':
        this.#link = { href: attributeOf(attributes, 'href'), from: this.#line.place };
        return;
      default:
        this.#line.add(headingMark(name));
    }
  }

  close(name: string): void {
    if (name === 'a') {
      this.#closeLink();
    }
    if (blocks.has(name)) {
      this.#end();
    }
    if (/^(h[1-6]|p|pre|table|ul|ol)$/.test(name)) {
      this.#blank();
    }
    this.#preformatted = Math.max(0, this.#preformatted - (name === 'pre' ? 1 : 0));
  }

  finish(): string {
    this.#end();
    return this.#lines.join('\n').trim();
  }

  /** Only what leads to another page; the same line must still hold the words of the link. */
  #closeLink(): void {
    const { href = '', from = 0 } = this.#link ?? {};
    this.#link = undefined;
    const url = URL.canParse(href, this.#base.href) ? new URL(href, this.#base) : undefined;
    const isPage = href !== '' && (url?.protocol === 'https:' || url?.protocol === 'http:');
    if (isPage && !href.startsWith('#') && this.#line.hasWordsFrom(from)) {
      this.#line.trimEnd();
      this.#line.add(` [${url.href}]`);
    }
  }

  #end(): void {
    const line = this.#line.take().trimEnd();
    this.#link = undefined;
    if (line !== '' || this.#preformatted > 0) {
      this.#lines.push(line);
    }
  }

  #blank(): void {
    if (this.#lines.at(-1) !== '') {
      this.#lines.push('');
    }
  }
}

function headingMark(name: string): string {
  const level = /^h([1-6])$/.exec(name)?.[1];
  return level === undefined ? '' : `${'#'.repeat(Number(level))} `;
}

function attributeOf(attributes: string, name: string): string {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i').exec(attributes);
  return decodeEntities(found?.[1] ?? found?.[2] ?? found?.[3] ?? '');
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8}\d?);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) {
      return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    }
    const isHex = name[1] === 'x' || name[1] === 'X';
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : '';
  });
}
