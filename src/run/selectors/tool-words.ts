// What is said of a tool at work, whoever runs it: the product, a service, an agent program, a server of tools.

export type ToolIcon = 'terminal' | 'edit' | 'read' | 'web' | 'tool';

interface ToolWords {
  readonly icon: ToolIcon;
  /** In one or two words, for the state of an agent. */
  readonly status: string;
}

const command: ToolWords = { icon: 'terminal', status: 'Running a command' };
const code: ToolWords = { icon: 'terminal', status: 'Running code' };
const editing: ToolWords = { icon: 'edit', status: 'Editing' };
const reading: ToolWords = { icon: 'read', status: 'Reading' };
const searching: ToolWords = { icon: 'web', status: 'Searching the web' };
const fetching: ToolWords = { icon: 'web', status: 'Reading the web' };

function each(
  words: ToolWords,
  names: readonly string[],
): readonly (readonly [string, ToolWords])[] {
  return names.map((name) => [name, words]);
}

/** By names in lower case without anything but letters. */
const byName: ReadonlyMap<string, ToolWords> = new Map([
  ...each(command, ['runcommand', 'bash', 'bashoutput', 'shell', 'execute', 'localshell']),
  ...each(command, ['commandexecution', 'runshellcommand', 'terminal']),
  ...each(code, ['codeexecution', 'codeinterpreter', 'bashcodeexecution']),
  ...each(editing, ['writefile', 'editfile', 'deletefile', 'write', 'edit', 'multiedit']),
  ...each(editing, ['notebookedit', 'applypatch', 'filechange', 'replace', 'move', 'delete']),
  ...each(editing, ['texteditorcodeexecution']),
  ...each(reading, ['readfile', 'listdirectory', 'searchtext', 'findfiles', 'readimage', 'read']),
  ...each(reading, ['glob', 'grep', 'ls', 'search', 'filesearch', 'getproblems', 'findsymbol']),
  ...each(reading, ['findreferences', 'readmanyfiles', 'notebookread', 'viewimage']),
  ...each(searching, ['websearch', 'googlesearch', 'xsearch', 'googlewebsearch']),
  ...each(fetching, ['webfetch', 'fetchurl', 'fetch', 'urlcontext']),
  ...each({ icon: 'read', status: 'Voting' }, ['vote']),
]);

export function toolWords(tool: string): ToolWords {
  const words = byName.get(tool.toLowerCase().replaceAll(/[^a-z]/g, ''));
  return words ?? { icon: 'tool', status: 'Using a tool' };
}

/** `weather: get_forecast` of `mcp__weather__get_forecast`, `lint` of `custom_tool__lint`. */
export function toolName(tool: string): string {
  const server = /^mcp__(.+?)__(.+)$/.exec(tool);
  return server === null ? tool.replace(/^custom_tool__/, '') : `${server[1]}: ${server[2]}`;
}
