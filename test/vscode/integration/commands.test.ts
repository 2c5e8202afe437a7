import * as assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, suiteSetup, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';

suite('problems in the editor', () => {
  const diagnostics = vscode.languages.createDiagnosticCollection('tests');
  let uri: vscode.Uri;

  suiteSetup(async () => {
    await vscode.extensions.getExtension('massgen.massgen')?.activate();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder, 'no folder is open');
    // A plain text: no language service of the editor takes part or interrupts.
    uri = vscode.Uri.file(join(folder, 'notes.txt'));
    writeFileSync(uri.fsPath, 'one\ntwo\nthree\nfour words are here\n');
    await vscode.window.showTextDocument(uri);
    const range = new vscode.Range(3, 0, 3, 10);
    diagnostics.set(uri, [new vscode.Diagnostic(range, 'This is wrong.')]);
  });

  suiteTeardown(async () => {
    diagnostics.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(uri.fsPath, { force: true });
  });

  test('a problem offers Fix with MassGen, with its line and message', async () => {
    const actions = await quickFixes(uri, new vscode.Range(3, 2, 3, 2));
    const fix = actions.find(({ command }) => command?.command === 'massgen.fixProblems');
    assert.ok(fix, 'there is no such action');
    const target = JSON.stringify(fix.command?.arguments?.[0]);
    assert.ok(target.includes(uri.path), target);
    assert.ok(target.includes('"problems":[{"line":4,"message":"This is wrong."}]'), target);
  });

  test('a line without a problem offers nothing of ours', async () => {
    const actions = await quickFixes(uri, new vscode.Range(0, 0, 0, 0));
    const ours = actions.filter(({ command }) => command?.command === 'massgen.fixProblems');
    assert.deepEqual(ours, []);
  });
});

async function quickFixes(uri: vscode.Uri, range: vscode.Range): Promise<vscode.CodeAction[]> {
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
}
