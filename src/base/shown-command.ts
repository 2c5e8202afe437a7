/** A command for people, as it could be written in a shell: with what is set for it in front, and so that one can tell where each argument ends. */
export function shownCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  const set = Object.entries(environment).map(([name, value]) => `${name}=${shownWord(value)}`);
  return [...set, ...words.map(shownWord)].join(' ');
}

/** A program must not look like an address. */
function shownWord(word: string): string {
  return /^(?!https?:)[\w@%+=:,./${}-]+$/i.test(word) ? word : JSON.stringify(word);
}
