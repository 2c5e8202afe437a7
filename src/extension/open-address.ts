import * as vscode from 'vscode';

/**
 * Opens a web or mail address outside of the editor, character for character; `false` when it was not opened. A `Uri` cannot
 * hold every address: the editor undoes its escapes and sets others, so that an `&` within a value of the query would part it.
 */
export async function openAddress(address: string): Promise<boolean> {
  // The editor takes a text as it is, which its types do not tell.
  const exact = address as unknown as vscode.Uri;
  return vscode.env.openExternal(exact);
}
