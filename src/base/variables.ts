// `${NAME}`, `${env:NAME}` and `${NAME:-instead}` in texts of files; `$${` stands for `${` itself.

const reference = /\$(?=\$\{)|\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}/g;

export interface VariableReference {
  readonly name: string;
  /** What counts when the variable is not set or empty; `undefined`: it must be set. */
  readonly instead: string | undefined;
}

/** In the order of the text, each as often as it stands there. */
export function referencesIn(text: string): readonly VariableReference[] {
  return [...unescaped(text)].flatMap(({ groups: [name, instead] }) =>
    name === undefined ? [] : [{ name, instead }],
  );
}

/** `valueOf` answers `undefined` to leave a reference as it stands. */
export function fillReferences(
  text: string,
  valueOf: (reference: VariableReference) => string | undefined,
): string {
  let filled = '';
  let at = 0;
  for (const { index, whole, groups } of unescaped(text)) {
    const [name, instead] = groups;
    const value = name === undefined ? '' : valueOf({ name, instead });
    filled += text.slice(at, index) + (value ?? whole);
    at = index + whole.length;
    if (name === undefined) {
      // The braces after an escaping sign are plain text.
      filled += '${';
      at += 2;
    }
  }
  return filled + text.slice(at);
}

interface Found {
  readonly index: number;
  readonly whole: string;
  readonly groups: readonly [name: string | undefined, instead: string | undefined];
}

/** References and escaping signs; what follows an escaping sign is not looked at. */
function unescaped(text: string): readonly Found[] {
  const found: Found[] = [];
  let escapedAt = -1;
  for (const match of text.matchAll(reference)) {
    const { index } = match;
    if (index === escapedAt) {
      continue;
    }
    const [whole, name, instead] = match;
    found.push({ index, whole, groups: [name, instead] });
    escapedAt = name === undefined ? index + 1 : -1;
  }
  return found;
}

const fileKey = 'KEY_IN_FILE_';

/** Name under which a key that a team file holds itself is kept; `id` is one that no file can guess. */
export function fileKeyName(id: string): string {
  return `${fileKey}${id}`;
}

/** Whether a name stands for a key that a team file holds itself. No variable of the user is ever meant by it. */
export function namesFileKey(name: string): boolean {
  return name.startsWith(fileKey);
}

const keyWords =
  /(?:^|_)(?:API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PAT|CREDENTIALS?|AUTH|AUTHORIZATION|COOKIE|BEARER)(?:_|$)/i;

const placeWords =
  /_(?:URL|URI|HOST|HOSTS|ENDPOINT|PROXY|SOCK|SOCKET|PATH|FILE|DIR|PORT|DOMAIN|ORIGIN|SERVER|ADDRESS|BASE|HEADERS)$/i;

/** Whether a variable holds a key, by its name: `OPENAI_API_KEY` and `NOTION_TOKEN_TWO`, not `MY_AUTH_URL`. */
export function namesKey(variable: string): boolean {
  return keyWords.test(variable) && !placeWords.test(variable);
}
