/** Line ends of any kind that a reader may take for one, kept by the capturing group. */
const lineEnds = /(\r\n|[\n\r\u000b\u000c\u0085\u2028\u2029])/;
/** A line that starts like a delimiter; invisible characters do not hide it. Conflict markers have more signs. */
const delimiterLike = /^[\s\p{Cf}]*<<<(?!<)/u;

/**
 * A named block of a prompt. No content can close its block or open another one: lines inside that look like a
 * delimiter start with a backslash afterwards.
 */
export function block(name: string, text: string): string {
  return `<<<${name}>>>\n${guard(text)}\n<<<end of ${name}>>>`;
}

function guard(text: string): string {
  return text
    .split(lineEnds)
    .map((part) => (delimiterLike.test(part) ? `\\${part}` : part))
    .join('');
}
