// A session as one file that any browser shows: no script, nothing is loaded from anywhere.
export interface ShownFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** `undefined`: not text. */
  readonly text: string | undefined;
}

export interface ShownTurn {
  readonly turn: number;
  readonly task: string;
}

export interface ShownSession {
  readonly sessionId: string;
  readonly turns: readonly ShownTurn[];
  readonly files: readonly ShownFile[];
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

export function exportHtml({ sessionId, turns, files, leftOut }: ShownSession): string {
  const title = `MassGen session ${escape(sessionId)}`;
  const rest = leftOut.map(({ path, reason }) => `<li>${escape(path)}: ${escape(reason)}</li>`);
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${style}</style></head><body><main>`,
    `<h1>${title}</h1>`,
    ...turns.map((turn) => turnHtml(turn, files)),
    ...(rest.length === 0 ? [] : [`<h2>Left out</h2><ul>${rest.join('')}</ul>`]),
    '</main></body></html>',
    '',
  ].join('\n');
}

function turnHtml({ turn, task }: ShownTurn, all: readonly ShownFile[]): string {
  const files = all.filter(({ path }) => path.startsWith(`turn_${turn}/`));
  const answer = files.find(({ path }) => /^turn_\d+\/final\/[^/]+\/answer\.txt$/.test(path));
  const table = files.find(({ path }) => path.endsWith('/coordination_table.txt'));
  return [
    `<section><h2>Turn ${turn}</h2><p class="task">${escape(task)}</p>`,
    answer?.text === undefined
      ? '<p>There is no answer.</p>'
      : `<h3>Answer</h3><pre>${escape(answer.text)}</pre>`,
    table?.text === undefined
      ? ''
      : `<details><summary>Course of the team</summary><pre>${escape(table.text)}</pre></details>`,
    '<h3>Files</h3>',
    ...files.map(fileHtml),
    '</section>',
  ].join('\n');
}

function fileHtml({ path, sizeBytes, text }: ShownFile): string {
  const name = `${escape(path)} <small>${sizeBytes} bytes</small>`;
  return text === undefined
    ? `<p>${name}, not text</p>`
    : `<details><summary>${name}</summary><pre>${escape(text)}</pre></details>`;
}

const style =
  ':root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:0 auto;padding:1rem}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #8886;padding:.6rem}.task{white-space:pre-wrap;font-weight:600}summary{cursor:pointer;overflow-wrap:anywhere}';

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
