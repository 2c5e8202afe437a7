// Between a document's text and its bytes.
import * as vscode from 'vscode';
import { changedPart } from './changed-part';

/** The bytes that saving the document would write, byte order mark included where the encoding has one. */
export async function encode(document: vscode.TextDocument): Promise<Uint8Array> {
  return vscode.workspace.encode(document.getText(), { encoding: document.encoding });
}

/**
 * The text of `bytes` in the document's encoding and line ends, or `undefined` when the document could not hold it
 * exactly: bytes that do not survive decoding and encoding, or line ends that the document would change.
 */
export async function textThatRoundTrips(
  bytes: Uint8Array,
  document: vscode.TextDocument,
): Promise<string | undefined> {
  const { encoding } = document;
  const text = await decode(bytes, encoding);
  if (text === undefined) {
    return undefined;
  }
  const again = await vscode.workspace.encode(text, { encoding });
  if (Buffer.compare(bytes, again) !== 0) {
    return undefined;
  }
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const lineEnds = new Set(text.match(/\r\n|\r|\n/g) ?? []);
  lineEnds.delete(lineEnd);
  return lineEnds.size === 0 ? text : undefined;
}

/** The editor refuses to decode what looks binary. */
async function decode(bytes: Uint8Array, encoding: string): Promise<string | undefined> {
  try {
    return await vscode.workspace.decode(bytes, { encoding });
  } catch {
    return undefined;
  }
}

/** The one replacement that turns the document's text into `text`; `undefined` when they are equal. */
export function replaceChangedPart(
  document: vscode.TextDocument,
  text: string,
): { readonly range: vscode.Range; readonly text: string } | undefined {
  const part = changedPart(document.getText(), text);
  if (part === undefined) {
    return undefined;
  }
  const { start, end } = part;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  return { range, text: part.text };
}
