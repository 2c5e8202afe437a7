import * as assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, suiteSetup, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';

const text = `agents:
  - id: one
    backend:
      type: chatcompletoin
      model: gpt-5.4
  - id: two
    backend:
      type: chatcompletion
      modle: gpt-5.4
      api_key: sk-0123456789abcdefghijklmnop
orchestrator:
  pro
`;

suite('team files in the editor', () => {
  let document: vscode.TextDocument;
  let path: string;

  suiteSetup(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder, 'no folder is open');
    path = join(folder, 'bad.massgen.yaml');
    writeFileSync(path, text);
    document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    await vscode.window.showTextDocument(document);
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    rmSync(path, { force: true });
  });

  test('all problems show at once, each at its place', async () => {
    const found = await problems(document.uri, 3);
    const codes: readonly string[] = found.map(
      ({ code, range }) =>
        `${typeof code === 'string' ? code : '?'} ${String(range.start.line + 1)}`,
    );
    for (const expected of ['unknown-backend 4', 'unknown-key 9', 'literal-key 10']) {
      assert.ok(codes.includes(expected), `${expected} is not among ${codes.join(', ')}`);
    }
  });

  test('no message holds the key itself', async () => {
    const found = await problems(document.uri, 3);
    assert.equal(found.filter(({ message }) => message.includes('sk-0123')).length, 0);
  });

  test('a misspelled type has a fix that writes the right one', async () => {
    const found = await problems(document.uri, 3);
    const wrong = found.find(({ code }) => code === 'unknown-backend');
    assert.ok(wrong);
    const actions = await fixes(document.uri, wrong.range);
    const fix = actions.find(({ title }) => title.includes('chatcompletion'));
    assert.ok(fix?.edit, `no such fix among ${actions.map(({ title }) => title).join(', ')}`);
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(document.lineAt(3).text, /type: chatcompletion$/);
  });

  test('a literal key is offered a place in the secret storage', async () => {
    const found = await problems(document.uri, 2);
    const literal = found.find(({ code }) => code === 'literal-key');
    assert.ok(literal);
    const actions = await fixes(document.uri, literal.range);
    const move = actions.find(({ command }) => command?.command === 'massgen.moveKeyToSecrets');
    assert.ok(move, `no such fix among ${actions.map(({ title }) => title).join(', ')}`);
  });

  test('half a word is completed with the keys of its place', async () => {
    const at = new vscode.Position(11, 5);
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      at,
    );
    const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(labels.includes('profile'), `profile is not among ${labels.join(', ')}`);
  });

  test('a key explains itself', async () => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(4, 8),
    );
    const words = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))
      .join('\n');
    assert.match(words, /model/);
  });
});

/** Waits until there are at least so many; the check follows the typing after a short pause. */
async function problems(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  const found = vscode.languages.getDiagnostics(uri);
  if (found.length >= count) {
    return found;
  }
  await new Promise<void>((resolve) => {
    const listening = vscode.languages.onDidChangeDiagnostics(() => {
      listening.dispose();
      resolve();
    });
  });
  return problems(uri, count);
}

async function fixes(uri: vscode.Uri, range: vscode.Range): Promise<vscode.CodeAction[]> {
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
}
