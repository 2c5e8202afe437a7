// Makes dist/massgen.vsix from a production build.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { bootstrap } from './bootstrap.mjs';

const root = resolve(import.meta.dirname, '..');
bootstrap({ production: true });

const result = spawnSync(
  process.execPath,
  [
    'node_modules/@vscode/vsce/vsce',
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    'dist/massgen.vsix',
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);
process.exitCode = result.status ?? 1;
