import * as vscode from 'vscode';
import { onAbort, raceAbort } from '../../base/abort';
import { clip } from '../../base/text';
import type { Media } from '../../core/ports/model-backend';
import type { Tool, ToolResult } from '../../core/ports/tool';

const prefix = 'editor__';
/** The longest name that every service takes. */
const longestName = 64;

/**
 * Tools of the editor and its extensions that the user switched on by name, in the order of the setting. What they do is
 * not known here, and the editor itself asks before those that want it.
 */
export function switchedOnTools(names: readonly string[]): readonly Tool[] {
  const taken = new Set<string>();
  return names.flatMap((name) => {
    const info = vscode.lm.tools.find((tool) => tool.name === name);
    const legal = legalName(name);
    if (info === undefined || taken.has(legal)) {
      return [];
    }
    taken.add(legal);
    return [toTool(info, legal)];
  });
}

function legalName(name: string): string {
  return `${prefix}${name.replace(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, longestName);
}

function toTool(info: vscode.LanguageModelToolInformation, name: string): Tool {
  return {
    name,
    description: info.description,
    inputSchema: { type: 'object', properties: {}, ...info.inputSchema },
    access: 'network',
    effect: 'unknown',
    subjectOf,
    run: async (input, _context, signal) => invoke(info.name, input, signal),
  };
}

/** The first text of the input, for people. */
function subjectOf(input: unknown): string {
  const values: readonly unknown[] =
    typeof input === 'object' && input !== null ? Object.values(input) : [];
  const text = values.find((value) => typeof value === 'string');
  return typeof text === 'string' ? clip(text, 200) : '';
}

async function invoke(name: string, input: unknown, signal: AbortSignal): Promise<ToolResult> {
  signal.throwIfAborted();
  const source = new vscode.CancellationTokenSource();
  const tie = onAbort(signal, () => source.cancel());
  try {
    const given = typeof input === 'object' && input !== null ? input : {};
    const options = { toolInvocationToken: undefined, input: given };
    const running = Promise.resolve(vscode.lm.invokeTool(name, options, source.token));
    return toResult((await raceAbort(running, signal)).content);
  } catch (error) {
    signal.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    return { text: `The tool failed: ${words}`, isError: true };
  } finally {
    tie.dispose();
    source.dispose();
  }
}

function toResult(parts: readonly unknown[]): ToolResult {
  const media = parts.flatMap(imageOf);
  const texts = parts.map(textOf).filter((text) => text !== '');
  const text = texts.length === 0 && media.length === 0 ? '(no result)' : texts.join('\n');
  return { text, isError: false, ...(media.length === 0 ? {} : { media }) };
}

function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) {
    return part.value;
  }
  if (part instanceof vscode.LanguageModelPromptTsxPart) {
    return promptText(part.value).join('');
  }
  const data = dataOf(part);
  if (data === undefined || data.mimeType.startsWith('image/')) {
    return '';
  }
  const isText = /^text\/|[/+]json$/.test(data.mimeType);
  return isText
    ? new TextDecoder().decode(data.data)
    : `[${data.mimeType}, ${data.data.length} bytes: cannot be shown]`;
}

function imageOf(part: unknown): readonly Media[] {
  const data = dataOf(part);
  return data?.mimeType.startsWith('image/') === true
    ? [
        {
          kind: 'image',
          mediaType: data.mimeType,
          name: 'image',
          base64: Buffer.from(data.data).toString('base64'),
        },
      ]
    : [];
}

/** Parts with bytes came later than the oldest editor that this runs in, so they are known by their form. */
function dataOf(part: unknown): { mimeType: string; data: Uint8Array } | undefined {
  if (typeof part !== 'object' || part === null || !('mimeType' in part) || !('data' in part)) {
    return undefined;
  }
  const { mimeType, data } = part;
  return typeof mimeType === 'string' && data instanceof Uint8Array
    ? { mimeType, data }
    : undefined;
}

/** The texts of a rendered prompt, in order; its form is a tree of nodes with `text` and `children`. */
function promptText(node: unknown): readonly string[] {
  if (Array.isArray(node)) {
    return node.flatMap(promptText);
  }
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  const own = 'text' in node && typeof node.text === 'string' ? [node.text] : [];
  const inner = ['node', 'children'].flatMap((key) =>
    promptText(Object.entries(node).find(([name]) => name === key)?.[1]),
  );
  return [...own, ...inner];
}
