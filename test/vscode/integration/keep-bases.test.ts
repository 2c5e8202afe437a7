import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setup, suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { KeepBases } from '../../../src/extension/runs/keep-bases';
import type { RunState } from '../../../src/run/state';
import { wonChecked } from '../../webview/fixtures/checked-runs';

interface Kept {
  readonly path: string;
  readonly text: string;
}

suite('files that the user changes during a run', () => {
  let folder: string;
  let kept: Kept[];
  let bases: KeepBases;

  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'mgkeep-'));
    kept = [];
    const state: RunState = {
      ...wonChecked().state(),
      contextRoots: [{ name: 'app', path: join(folder, 'app'), permission: 'write' }],
    };
    const keepBase = (path: string, bytes: Uint8Array): void => {
      kept.push({ path, text: Buffer.from(bytes).toString() });
    };
    const logger = { error: (): void => undefined };
    bases = new KeepBases({ live: [{ state: () => state, keepBase }] }, logger);
  });
  teardown(async () => {
    bases.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  });

  async function edited(path: string): Promise<vscode.TextDocument> {
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(join(path, '..')));
    writeFileSync(path, 'as it was\n');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    await vscode.window.showTextDocument(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'mine: ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    return document;
  }

  test('hand their old bytes to the run before they are saved', async () => {
    const path = join(folder, 'app', 'a.txt');
    const document = await edited(path);
    assert.deepEqual(kept, []);
    assert.ok(await document.save());
    assert.deepEqual(kept, [{ path, text: 'as it was\n' }]);
  });

  test('are left alone outside of its folders, also beside one with a longer name', async () => {
    const document = await edited(join(folder, 'app-two', 'a.txt'));
    assert.ok(await document.save());
    assert.deepEqual(kept, []);
  });

  test('hand over their bytes before they are moved or deleted in the editor', async () => {
    const path = join(folder, 'app', 'a.txt');
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(join(folder, 'app')));
    writeFileSync(path, 'as it was\n');
    const moved = vscode.Uri.file(join(folder, 'app', 'b.txt'));
    const move = new vscode.WorkspaceEdit();
    move.renameFile(vscode.Uri.file(path), moved);
    assert.ok(await vscode.workspace.applyEdit(move));
    const remove = new vscode.WorkspaceEdit();
    remove.deleteFile(moved);
    assert.ok(await vscode.workspace.applyEdit(remove));
    assert.deepEqual(
      kept.map(({ path: at }) => at),
      [path, moved.fsPath],
    );
  });
});
