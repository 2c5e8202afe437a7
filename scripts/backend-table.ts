// The table of backends in the reference of team files, made from what the kinds say of themselves.
import type { BackendKind } from '../src/core/ports/backend-kind';

export function backendTypeTable(kinds: readonly BackendKind[]): string {
  return [
    '| `backend.type` | What it is | Key | Model when none is named |',
    '| --- | --- | --- | --- |',
    ...kinds.map(rowOf),
    '| `vscode_lm` | Language model of the editor, only inside VS Code | none; the editor asks for consent | |',
  ].join('\n');
}

function rowOf(kind: BackendKind): string {
  const { type, aliases = [], title, defaultModel = '' } = kind;
  const also = aliases.length === 0 ? '' : `, also ${aliases.map(code).join(', ')}`;
  const model = defaultModel === '' ? '' : code(defaultModel);
  return `| ${code(type)}${also} | ${title} | ${keysOf(kind)} | ${model} |`;
}

/** Stands for a resource of the user, which this kind asks for before it can name its key. */
const ownAddress = { base_url: 'https://example.openai.azure.com' };

function keysOf(kind: BackendKind): string {
  const settings = { type: kind.type, model: 'm', apiKeyName: undefined };
  const needsAddress = kind.keys.some(({ name }) => name === 'azure_endpoint');
  const names = kind.keyNamesOf({ ...settings, options: needsAddress ? ownAddress : {} });
  if (names.length > 0) {
    return names.map(code).join(' or ');
  }
  const hasKey = kind.keys.some(({ type }) => type === 'secret');
  if (kind.isProgram === true) {
    return hasKey ? 'its own sign-in, or one by `api_key`' : 'its own sign-in';
  }
  return hasKey ? 'none; one by `api_key` where it wants one' : 'none';
}

function code(text: string): string {
  return `\`${text}\``;
}
