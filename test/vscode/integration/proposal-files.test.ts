import * as assert from 'node:assert/strict';
import { suite, suiteSetup, suiteTeardown, test } from 'mocha';
import * as vscode from 'vscode';
import { LazyFiles } from '../../../src/extension/review/lazy-files';
import { fromProposalUri, toProposalUri } from '../../../src/extension/review/proposal-uri';

const latin1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a);
const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x00, 0xff);

suite('read-only files of a review', () => {
  const files = new LazyFiles();
  const contents = new Map<string, { bytes: Uint8Array; changedAt: number }>();
  let registration: vscode.Disposable;

  suiteSetup(() => {
    registration = vscode.workspace.registerFileSystemProvider('massgen-test', files, {
      isReadonly: true,
      isCaseSensitive: true,
    });
    files.load = async () => ({
      proposals: { read: async (uri) => contents.get(uri.path) },
    });
  });

  suiteTeardown(() => {
    registration.dispose();
    files.dispose();
  });

  for (const [what, bytes] of [
    ['another encoding', latin1],
    ['an image', picture],
    ['an empty file', new Uint8Array()],
  ] as const) {
    test(`the bytes of ${what} arrive as they are`, async () => {
      contents.set('/r/agent1.1/app/file.bin', { bytes, changedAt: 1 });
      const uri = vscode.Uri.parse('massgen-test:/r/agent1.1/app/file.bin');
      assert.deepEqual(Uint8Array.from(await vscode.workspace.fs.readFile(uri)), bytes);
      const stat = await vscode.workspace.fs.stat(uri);
      assert.equal(stat.size, bytes.byteLength);
      assert.equal(stat.permissions, vscode.FilePermission.Readonly);
    });
  }

  test('an address that is not of a review is not found', async () => {
    const uri = vscode.Uri.parse('massgen-test:/r/agent1.1/app/missing.ts');
    await assert.rejects(
      async () => vscode.workspace.fs.readFile(uri),
      /EntryNotFound|FileNotFound/,
    );
  });

  test('nothing can be written', async () => {
    contents.set('/r/agent1.1/app/a.ts', { bytes: latin1, changedAt: 1 });
    const uri = vscode.Uri.parse('massgen-test:/r/agent1.1/app/a.ts');
    await assert.rejects(async () => vscode.workspace.fs.writeFile(uri, picture));
    await assert.rejects(async () => vscode.workspace.fs.delete(uri));
  });

  test('an open document shows the new text after a change', async () => {
    const path = '/r/agent1.1/app/open.txt';
    const uri = vscode.Uri.from({ scheme: 'massgen-test', path });
    contents.set(path, { bytes: Buffer.from('before\n'), changedAt: 1 });
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.getText(), 'before\n');
    const changed = new Promise<void>((resolve) => {
      const listening = vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document) {
          listening.dispose();
          resolve();
        }
      });
    });
    contents.set(path, { bytes: Buffer.from('after, and longer\n'), changedAt: 2 });
    files.changed([uri]);
    await changed;
    assert.equal(document.getText(), 'after, and longer\n');
  });

  test('an address names run, answer, folder and path, and gives them back', () => {
    const target = {
      runId: '20261130-abc',
      label: 'agent2.1' as const,
      root: 'my app/ü',
      path: 'src/ordner mit %/größe.ts',
    };
    const live = '/home/user/my app/ü/src/ordner mit %/größe.ts';
    const uri = toProposalUri('massgen-proposed', target, live);
    assert.deepEqual(fromProposalUri(vscode.Uri.parse(uri.toString())), target);
    assert.equal(uri.path, vscode.Uri.file(live).path);
    const without = toProposalUri('massgen-base', target, undefined);
    assert.deepEqual(fromProposalUri(vscode.Uri.parse(without.toString())), target);
    assert.ok(without.path.endsWith('/größe.ts'));
    assert.equal(fromProposalUri(vscode.Uri.file('/tmp/a')), undefined);
  });
});
