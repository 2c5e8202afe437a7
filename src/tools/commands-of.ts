/**
 * The single commands of a line for a shell, each on one line and without assignments in front of it: what stands between
 * `;`, `&`, `|`, brackets, line ends and substitutions outside of quotes. Substitutions count inside of double quotes too.
 */
export function commandsOf(line: string): readonly string[] {
  const cutter = new Cutter();
  for (let i = 0; i < line.length; i += cutter.take(line, i));
  const commands = cutter.parts().map(plain);
  const real = commands.filter((each) => !closing.test(each));
  // Nothing but separators is still something that nobody has allowed.
  return real.length === 0 ? [line.trim()] : real;
}

/** Goes through a line and cuts it where the shell begins another command. */
class Cutter {
  readonly #parts: string[] = [];
  #part = '';
  /** The quote that is open here; empty: none. */
  #quote = '';
  /** Quotes that are open around substitutions, the innermost last, with what ends each. */
  readonly #around: { readonly quote: string; readonly end: string }[] = [];

  /** Answers how many characters it has used. */
  take(line: string, i: number): number {
    const char = line.charAt(i);
    const next = line.charAt(i + 1);
    const special = this.#quote === "'" ? 0 : this.#takeSpecial(char, next);
    if (special > 0) {
      return special;
    }
    if (this.#quote === '' && isSeparator(char, line.charAt(i - 1), next)) {
      this.#cut();
      return 1;
    }
    this.#quote = quoteAfter(char, this.#quote);
    this.#part += char;
    return 1;
  }

  /** What has a meaning inside of double quotes too; 0: it is nothing of that. */
  #takeSpecial(char: string, next: string): number {
    if (char === '\\') {
      // A line that ends so goes on in the next one.
      this.#part += next === '\n' ? '' : char + next;
      return 2;
    }
    if (this.#around.at(-1)?.end === char && this.#closes()) {
      return 1;
    }
    if (char === '`' || (char === '$' && next === '(')) {
      this.#around.push({ quote: this.#quote, end: char === '`' ? '`' : ')' });
      this.#quote = '';
      this.#cut();
      return char === '`' ? 1 : 2;
    }
    return 0;
  }

  parts(): readonly string[] {
    return [...this.#parts, this.#part];
  }

  #closes(): boolean {
    if (this.#quote !== '') {
      return false;
    }
    this.#quote = this.#around.pop()?.quote ?? '';
    this.#cut();
    return true;
  }

  #cut(): void {
    this.#parts.push(this.#part);
    this.#part = '';
  }
}

function isSeparator(char: string, before: string, next: string): boolean {
  // `2>&1` and `&>` only say where the output goes.
  const isRedirection = char === '&' && (before === '>' || before === '<' || next === '>');
  return !isRedirection && /[;&|()\n\r]/.test(char);
}

function quoteAfter(char: string, quote: string): string {
  if (quote === '') {
    return char === '"' || char === "'" ? char : '';
  }
  return char === quote ? '' : quote;
}

/** Words of the shell that only say how the next command is run. */
const leads =
  /^(?:(?:\{|\}|if|then|else|elif|do|while|until|!|exec|command|time|env|nohup)\s+|[A-Za-z_]\w*=\S*\s+)+/;

/** What ends something, or is the rest of a quoted text behind a substitution. */
const closing = /^(?:["'\s]*|\}|fi|done|esac)$/;

function plain(part: string): string {
  return part.replaceAll(/\s+/g, ' ').trim().replace(leads, '');
}
