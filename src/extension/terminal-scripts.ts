// The two files that are `massgen` in the editor's terminal: one for shells of Unix, one for Windows.

export interface Launch {
  /** The program that plays JavaScript: Node on a server, the editor itself on a desktop. */
  readonly runtime: string;
  /** Path of the bundled command line. */
  readonly script: string;
}

/** The variable makes the editor a plain Node, and means nothing to Node itself. */
const asNode = 'ELECTRON_RUN_AS_NODE';

export function shellScript({ runtime, script }: Launch): string {
  return [
    '#!/bin/sh',
    '# Written by MassGen for VS Code, and again whenever it starts.',
    `${asNode}=1 exec ${shellWord(runtime)} ${shellWord(script)} "$@"`,
    '',
  ].join('\n');
}

export function commandScript({ runtime, script }: Launch): string {
  return [
    '@echo off',
    'rem Written by MassGen for VS Code, and again whenever it starts.',
    'setlocal DisableDelayedExpansion',
    `set "${asNode}=1"`,
    `"${commandWord(runtime)}" "${commandWord(script)}" %*`,
    // Ends with the exit code of the line before.
    'exit /b %ERRORLEVEL%',
    '',
  ].join('\r\n');
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Paths of Windows hold no quotes; a percent sign would name a variable. */
function commandWord(text: string): string {
  return text.replaceAll('%', '%%');
}
