import * as assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';

suite('activation', () => {
  test('the extension activates', async () => {
    const extension = vscode.extensions.getExtension('massgen.massgen');
    assert.ok(extension, 'the extension is not there');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  test('every command of the manifest is registered', async () => {
    const extension = vscode.extensions.getExtension('massgen.massgen');
    const manifest = extension?.packageJSON as {
      contributes?: { commands?: { command: string }[] };
    };
    await extension?.activate();
    const registered = new Set(await vscode.commands.getCommands());
    const declared = (manifest.contributes?.commands ?? []).map(({ command }) => command);
    assert.deepEqual(
      declared.filter((command) => !registered.has(command)),
      [],
    );
  });
});
