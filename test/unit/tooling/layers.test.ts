import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

/** Each file has one import. */
const FORBIDDEN: readonly (readonly [file: string, imported: string, rule: string])[] = [
  ['src/base/sees-above.ts', '../run/model', 'layer-base'],
  ['src/run/sees-protocol.ts', '../protocol/shape', 'layer-run'],
  ['src/protocol/sees-core.ts', '../core/errors', 'layer-protocol'],
  ['src/core/sees-adapter.ts', '../tools/tool', 'layer-core'],
  ['src/backends/sees-orchestrator.ts', '../core/orchestrator/driver', 'layer-backends'],
  ['src/tools/sees-adapter.ts', '../storage/store', 'layer-tools'],
  ['src/workspace/sees-protocol.ts', '../protocol/shape', 'layer-workspace'],
  ['src/app/sees-shell.ts', '../cli/main', 'layer-app'],
  ['src/cli/sees-adapter.ts', '../tools/tool', 'layer-cli'],
  ['src/extension/sees-cli.ts', '../cli/main', 'layer-extension'],
  ['src/utilities/stray.ts', '../base/thing', 'layer-unknown'],
  ['webview/sees-core.ts', '../src/core/errors', 'layer-webview'],
  ['webview/sees-node.ts', 'node:path', 'no-node-in-webview'],
  ['src/run/sees-node.ts', 'node:fs', 'pure-core'],
  ['src/core/sees-package.ts', 'zod', 'pure-core'],
  ['src/app/sees-vscode.ts', 'vscode', 'vscode-by-the-top-door'],
  ['src/cli/sees-nothing.ts', './missing', 'no-orphan-imports'],
  ['src/tools/sees-dev-dependency.ts', 'vitest', 'no-dev-dependencies'],
  ['src/base/ring-a.ts', './ring-b', 'no-cycles'],
];

const ALLOWED: readonly (readonly [file: string, imported: string])[] = [
  ['src/run/model.ts', '../base/thing'],
  ['src/protocol/shape.ts', '../run/model'],
  ['src/core/errors.ts', '../run/model'],
  ['src/core/ports/port.ts', '../errors'],
  ['src/core/orchestrator/driver.ts', '../ports/port'],
  ['src/tools/tool.ts', '../core/ports/port'],
  ['src/tools/other.ts', 'node:fs'],
  ['src/tools/schema.ts', 'zod'],
  ['src/storage/store.ts', '../protocol/shape'],
  ['src/app/app.ts', '../core/orchestrator/driver'],
  ['src/cli/main.ts', '../app/app'],
  ['src/extension/activate.ts', 'vscode'],
  ['src/extension/models.ts', '../core/ports/port'],
  ['webview/main.ts', '../src/protocol/shape'],
];

let tree = '';
let found: string[] = [];

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'massgen-layers-'));
  copyFileSync(join(root, 'package.json'), join(tree, 'package.json'));
  copyFileSync(join(root, 'tsconfig.json'), join(tree, 'tsconfig.json'));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  put('src/base/thing.ts', 'export interface Thing { readonly a: number }');
  put('src/base/ring-b.ts', "export type * from './ring-a';");
  for (const [file, imported] of [...FORBIDDEN, ...ALLOWED]) {
    put(file, `import type * as Other from '${imported}';\nexport type Seen = typeof Other;`);
  }
  found = violations();
});

afterAll(() => {
  rmSync(tree, { recursive: true, force: true });
});

function put(file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), text);
}

/** `file: rule` for each finding, sorted. */
function violations(): string[] {
  const bin = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(root, '.dependency-cruiser.mjs');
  const args = [bin, '--config', config, '--output-type', 'json', 'src', 'webview'];
  const report = JSON.parse(
    execFileSync(process.execPath, args, { cwd: tree, encoding: 'utf8', maxBuffer: 64e6 }),
  ) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  return report.summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`).sort();
}

describe('the layer rules', () => {
  it.each(FORBIDDEN)('%s must not import %s', (file, _imported, rule) => {
    expect(found).toContain(`${file}: ${rule}`);
  });

  it('find nothing wrong with imports of lower floors', () => {
    const allowed = new Set(ALLOWED.map(([file]) => file));
    expect(found.filter((line) => allowed.has(line.split(': ')[0] ?? ''))).toEqual([]);
  });
});
