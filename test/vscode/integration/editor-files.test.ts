import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setup, suite, suiteSetup, suiteTeardown, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { EditorFiles } from '../../../src/extension/review/editor-files';
import { createDiskFiles } from '../../../src/workspace/review/disk-files';

const signal = new AbortController().signal;

suite('the user’s files in the editor', () => {
  let folder: string;
  let path: string;
  let saves = true;
  const files = new EditorFiles(createDiskFiles(), () => saves);

  suiteSetup(() => {
    folder = mkdtempSync(join(tmpdir(), 'mgfiles-'));
  });
  suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

  let n = 0;
  setup(() => {
    saves = true;
    path = join(folder, `file-${String(++n)}.txt`);
    writeFileSync(path, 'one\ntwo\nthree\n');
  });
  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('a closed file is read and written as bytes on the disk', async () => {
    const live = await files.read(path, signal);
    assert.ok(live);
    assert.equal(live.isOpen, false);
    const bytes = Uint8Array.of(0xff, 0x00, 0x0d, 0x0a);
    assert.equal(await files.write(path, { bytes, mode: 0o755 }, live.token, signal), 'written');
    assert.deepEqual(Uint8Array.from(readFileSync(path)), bytes);
    assert.equal(statSync(path).mode & 0o777, 0o755);
  });

  test('an open file that is saved is edited in its editor, saved, and can be undone there', async () => {
    const document = await show(path);
    const live = await files.read(path, signal);
    assert.equal(live?.isOpen, true);
    const bytes = Buffer.from('one\nTWO\nthree\n');
    assert.equal(
      await files.write(path, { bytes, mode: live.mode }, live.token, signal),
      'written',
    );
    assert.equal(document.getText(), 'one\nTWO\nthree\n');
    assert.equal(document.isDirty, false);
    assert.equal(readFileSync(path, 'utf8'), 'one\nTWO\nthree\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
  });

  test('with saving off the edit stays unsaved', async () => {
    saves = false;
    const document = await show(path);
    const live = await files.read(path, signal);
    const bytes = Buffer.from('changed\n');
    await files.write(path, { bytes, mode: 0o644 }, live?.token, signal);
    assert.equal(document.isDirty, true);
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\nthree\n');
  });

  test('unsaved text is what the file holds now, and is not saved by an edit of ours', async () => {
    const document = await show(path);
    await type(document, new vscode.Position(0, 0), 'mine ');
    const live = await files.read(path, signal);
    assert.ok(live);
    assert.equal(live.isDirty, true);
    assert.equal(Buffer.from(live.bytes).toString(), 'mine one\ntwo\nthree\n');
    const bytes = Buffer.from('mine one\ntwo\nTHREE\n');
    assert.equal(
      await files.write(path, { bytes, mode: live.mode }, live.token, signal),
      'written',
    );
    assert.equal(document.getText(), 'mine one\ntwo\nTHREE\n');
    assert.equal(document.isDirty, true);
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\nthree\n');
  });

  test('typing after the look makes the write step back', async () => {
    const document = await show(path);
    const live = await files.read(path, signal);
    await type(document, new vscode.Position(1, 0), 'newer ');
    const bytes = Buffer.from('ours\n');
    assert.equal(await files.write(path, { bytes, mode: 0o644 }, live?.token, signal), 'changed');
    assert.equal(document.getText(), 'one\nnewer two\nthree\n');
  });

  test('what is typed while an edit of ours is on its way is kept', async () => {
    const document = await show(path);
    const live = await files.read(path, signal);
    const bytes = Buffer.from('one\ntwo\nTHREE\n');
    const [outcome] = await Promise.all([
      files.write(path, { bytes, mode: 0o644 }, live?.token, signal),
      type(document, new vscode.Position(0, 0), 'mine '),
    ]);
    assert.match(document.getText(), /^mine one\ntwo\n/);
    assert.equal(document.getText().includes('THREE'), outcome === 'written');
  });

  test('a header before a blank first line comes in whole', async () => {
    writeFileSync(path, '\nbody\n');
    await show(path);
    const live = await files.read(path, signal);
    const bytes = Buffer.from('// header\nbody\n');
    assert.equal(await files.write(path, { bytes, mode: 0o644 }, live?.token, signal), 'written');
    assert.deepEqual(readFileSync(path), bytes);
  });

  test('a change on the disk after the look makes the write step back', async () => {
    const live = await files.read(path, signal);
    writeFileSync(path, 'from elsewhere\n');
    const bytes = Buffer.from('ours\n');
    assert.equal(await files.write(path, { bytes, mode: 0o644 }, live?.token, signal), 'changed');
    assert.equal(readFileSync(path, 'utf8'), 'from elsewhere\n');
  });

  test('mixed line ends, which an editor would unify, are written as bytes', async () => {
    writeFileSync(path, 'one\r\ntwo\nthree\r\n');
    await show(path);
    const live = await files.read(path, signal);
    assert.ok(live);
    assert.equal(Buffer.from(live.bytes).toString(), 'one\r\ntwo\nthree\r\n');
    const bytes = Buffer.from('one\r\ntwo\nTHREE\r\n');
    assert.equal(
      await files.write(path, { bytes, mode: live.mode }, live.token, signal),
      'written',
    );
    assert.equal(readFileSync(path, 'latin1'), 'one\r\ntwo\nTHREE\r\n');
  });

  test('bytes that are no text replace an open file that is saved, never one with unsaved text', async () => {
    const document = await show(path);
    const bytes = Uint8Array.of(0x80, 0xff, 0x00);
    const saved = await files.read(path, signal);
    assert.equal(await files.write(path, { bytes, mode: 0o644 }, saved?.token, signal), 'written');
    assert.deepEqual(Uint8Array.from(readFileSync(path)), bytes);
    await type(document, new vscode.Position(0, 0), 'mine ');
    const dirty = await files.read(path, signal);
    await assert.rejects(
      files.write(path, { bytes: Uint8Array.of(0x81, 0xfe), mode: 0o644 }, dirty?.token, signal),
      /unsaved changes/,
    );
    assert.match(document.getText(), /^mine /);
  });

  test('line ends of a CRLF file and a byte order mark survive an edit', async () => {
    const before = '\ufeffone\r\ntwo\r\n';
    writeFileSync(path, before);
    await show(path);
    const live = await files.read(path, signal);
    assert.ok(live);
    const bytes = Buffer.from('\ufeffone\r\nTWO\r\nthree');
    assert.equal(
      await files.write(path, { bytes, mode: live.mode }, live.token, signal),
      'written',
    );
    assert.deepEqual(readFileSync(path), bytes);
  });

  test('a new file is made, one that is in the way is not overwritten', async () => {
    const fresh = join(folder, 'new', 'deep.txt');
    const content = { bytes: Buffer.from('new\n'), mode: 0o644 };
    assert.equal(await files.write(fresh, content, undefined, signal), 'written');
    assert.equal(await files.write(path, content, undefined, signal), 'changed');
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\nthree\n');
  });

  test('an open file is removed when it is saved, and kept when it has unsaved text', async () => {
    const document = await show(path);
    await type(document, new vscode.Position(0, 0), 'mine ');
    const dirty = await files.read(path, signal);
    assert.equal(await files.remove(path, dirty?.token ?? '', [], signal), 'changed');
    await document.save();
    const saved = await files.read(path, signal);
    assert.equal(await files.remove(path, saved?.token ?? '', [], signal), 'removed');
    assert.equal(await files.read(path, signal).then((live) => live?.isDirty ?? false), false);
  });
});

async function show(path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  await vscode.window.showTextDocument(document);
  return document;
}

async function type(
  document: vscode.TextDocument,
  at: vscode.Position,
  text: string,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, at, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}
