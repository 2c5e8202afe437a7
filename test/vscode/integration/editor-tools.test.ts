import * as assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { MassGenError } from '../../../src/core/errors';
import type { Tool, ToolContext, ToolResult } from '../../../src/core/ports/tool';
import type { AgentWorkspace } from '../../../src/core/ports/workspace';
import { editorTools } from '../../../src/extension/tools/editor-tools';
import { switchedOnTools } from '../../../src/extension/tools/lm-tools';

const never = new AbortController().signal;
const view = '/run/agent/project';

/** The view of an agent over the window's folder, in which one file is hidden. */
function context(): ToolContext {
  const name = vscode.workspace.workspaceFolders?.[0]?.name ?? '';
  const workspace = {
    roots: [{ name, kind: 'context', shownPath: view, canWrite: true }],
    stat: async (path: string): Promise<unknown> => {
      if (path.endsWith('.env')) throw new MassGenError('workspace/path-escape', 'hidden');
      return { kind: 'file', sizeBytes: 1, mode: 0o644 };
    },
  };
  return {
    // Only these two are asked.
    workspace: workspace as unknown as AgentWorkspace,
    slot: 1,
    seenPaths: new Set(),
    approveCommand: async () => false,
  };
}

async function call(name: string, input: unknown): Promise<ToolResult> {
  const tool = editorTools().find((each) => each.name === name);
  assert.ok(tool, name);
  return tool.run(input, context(), never);
}

function uriOf(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return vscode.Uri.joinPath(folder.uri, path);
}

suite('tools of the editor', () => {
  test('problems are told with the paths that the agent knows, without those of hidden files', async () => {
    const problems = vscode.languages.createDiagnosticCollection('massgen-tests');
    try {
      const at = (line: number): vscode.Range => new vscode.Range(line, 2, line, 4);
      const error = new vscode.Diagnostic(at(3), 'Not\nso.', vscode.DiagnosticSeverity.Error);
      error.source = 'check';
      error.code = 'E1';
      problems.set(uriOf('src/duration.js'), [
        error,
        new vscode.Diagnostic(at(0), 'Hm.', vscode.DiagnosticSeverity.Warning),
      ]);
      problems.set(uriOf('.env'), [new vscode.Diagnostic(at(0), 'secret word')]);
      problems.set(vscode.Uri.file('/etc/other.js'), [new vscode.Diagnostic(at(0), 'outside')]);
      const { text } = await call('get_problems', {});
      assert.deepEqual(text.split('\n').slice(1), [
        'src/duration.js:1:3: warning: Hm.',
        'src/duration.js:4:3: error: Not so. (check E1)',
      ]);
      const inFile = await call('get_problems', { path: `${view}/src/duration.js` });
      assert.equal(inFile.text, text);
      const elsewhere = await call('get_problems', { path: 'test' });
      assert.equal(elsewhere.text, 'The editor shows no problems there.');
      assert.match((await call('get_problems', { path: '/etc' })).text, /in no folder/);
    } finally {
      problems.dispose();
    }
  });

  test('symbols and references are those of the language services', async () => {
    const location = new vscode.Location(uriOf('src/duration.js'), new vscode.Position(4, 0));
    const hidden = new vscode.Location(uriOf('.env'), new vscode.Position(0, 0));
    const asked: vscode.Position[] = [];
    const registrations = [
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          [location, hidden].map(
            (each) => new vscode.SymbolInformation(query, vscode.SymbolKind.Function, 'box', each),
          ),
      }),
      vscode.languages.registerReferenceProvider(
        { pattern: '**/duration.js' },
        {
          provideReferences: (_document, position): vscode.Location[] => {
            asked.push(position);
            return [location, hidden];
          },
        },
      ),
    ];
    try {
      const symbols = await call('find_symbol', { name: 'zzParse' });
      assert.ok(
        symbols.text.includes('\nsrc/duration.js:5: function zzParse in box'),
        symbols.text,
      );
      assert.ok(!symbols.text.includes('.env'));
      const input = { path: 'src/duration.js', line: 1, name: 'parseDuration' };
      const references = await call('find_references', input);
      assert.match(references.text, /\nsrc\/duration\.js:5: /);
      assert.ok(!references.text.includes('.env'));
      assert.equal(asked.length, 1);
      const none = await call('find_references', { ...input, name: 'notThere' });
      assert.equal(none.isError, true);
      assert.equal((await call('find_references', { ...input, path: '.env' })).isError, true);
    } finally {
      vscode.Disposable.from(...registrations).dispose();
    }
  });

  test('what is wrong with an input is told in words', async () => {
    const { text, isError } = await call('find_references', { path: 7, line: 'x' });
    assert.equal(isError, true);
    assert.equal(
      text,
      'Nothing was done: path must be a text; line must be a whole number; name must be a text.',
    );
  });

  test('tools of extensions are offered by name only, run, and fail in words', async () => {
    const name = 'massgen_tests_echo';
    const [tool, ...others] = switchedOnTools([name, 'not_there', name]);
    assert.ok(tool !== undefined && others.length === 0);
    assert.equal(tool.name, `editor__${name}`);
    assert.equal(tool.effect, 'unknown');
    assert.equal(
      editorTools().some((each: Tool) => each.name.startsWith('editor__')),
      false,
    );
    const run = async (input: unknown, signal = never): Promise<ToolResult> =>
      tool.run(input, context(), signal);
    assert.deepEqual(await run({ say: 'hello' }), { text: 'hello', isError: false });
    const failed = await run({ fail: 'No luck.' });
    assert.equal(failed.isError, true);
    assert.match(failed.text, /No luck\./);
    const stop = new AbortController();
    const hanging = run({ hang: 'for ever' }, stop.signal);
    stop.abort(new MassGenError('cancelled/user', 'Stopped.'));
    await assert.rejects(hanging, /Stopped/);
  });
});
