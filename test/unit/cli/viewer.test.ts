// `massgen viewer`: where the file goes, and what is left alone.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, finished, installCli, projectRoot } from '../../support/built-cli';
import { CliStage, words } from '../../support/cli-stage';

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz012345';

/** An installation of its own, whose `dist` is changed here. */
let install: string;
let stage: CliStage;
let out: string;

beforeAll(async () => {
  install = mkdtempSync(join(tmpdir(), 'massgen-install-'));
  const script = join(install, 'dist', 'cli.js');
  mkdirSync(join(install, 'dist'));
  copyFileSync((await installCli()).script, script);
  for (const part of ['media', 'configs', 'package.json']) {
    symlinkSync(join(projectRoot, part), join(install, part));
  }
  stage = new CliStage({ script });
  const { file } = await stage.team({
    painter: [words.answer(`Blue, see ${stage.home}/colors.txt, and ${key}`)],
  });
  await stage.massgen('Which color?', '--config', file, '--automation');
});
afterAll(async () => {
  await stage.close();
  rmSync(install, { recursive: true, force: true });
});
beforeEach(() => {
  const dist = join(install, 'dist');
  for (const name of ['webview', 'viewer']) {
    writeFileSync(join(dist, `${name}.js`), `// ${name}\n`);
    writeFileSync(join(dist, `${name}.css`), `/* ${name} */\n`);
  }
  out = mkdtempSync(join(tmpdir(), 'massgen-out-'));
  return () => rmSync(out, { recursive: true, force: true });
});

const viewer = async (...args: readonly string[]): Promise<CliResult> =>
  finished(stage.start(['viewer', ...args], { cwd: out }));

describe('massgen viewer', () => {
  it('writes one file for the newest run into the current folder, and tells where', async () => {
    const { code, output, notes } = await viewer();
    const [name = '', ...others] = readdirSync(out);
    expect({ code, notes, others }).toEqual({ code: 0, notes: '', others: [] });
    expect(name).toMatch(/^massgen-[\w.-]+\.html$/);
    expect(output).toContain(`Written to ${join(out, name)} (`);
    expect(output).toMatch(/taken out \(\d+ places\); nothing was sent anywhere\.\n$/);
    const html = readFileSync(join(out, name), 'utf8');
    expect(html).toContain('Blue, see ~/colors.txt, and [secret removed]');
    expect(html).not.toContain(key);
    expect(html).not.toContain(stage.home);
  });

  it('replaces a file with --force alone, and a folder never', async () => {
    writeFileSync(join(out, 'a.html'), 'mine');
    mkdirSync(join(out, 'folder'));
    const refused = await viewer('latest', '--output', 'a.html');
    expect(refused.code).toBe(1);
    expect(refused.notes).toContain('is there already');
    expect(readFileSync(join(out, 'a.html'), 'utf8')).toBe('mine');
    expect((await viewer('latest', '--output', 'a.html', '--force')).code).toBe(0);
    expect(readFileSync(join(out, 'a.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect((await viewer('--output', 'folder', '--force')).notes).toContain('is a folder');
    expect((await viewer('--output', 'no/a.html')).notes).toContain('There is no folder');
    expect(readdirSync(out).toSorted()).toEqual(['a.html', 'folder']);
  });

  it('says that nothing was opened where nobody sees a window', async () => {
    const { code, notes } = await viewer('--output', 'a.html', '--open');
    expect(code).toBe(0);
    expect(notes).toContain('It was not opened');
  });

  it('refuses a run that there is not, and an installation without the page', async () => {
    expect(await viewer('nope')).toMatchObject({
      code: 1,
      notes: expect.stringContaining('There is no run nope') as string,
    });
    rmSync(join(install, 'dist', 'viewer.js'));
    expect(await viewer()).toMatchObject({
      code: 1,
      notes: expect.stringContaining('not in this installation') as string,
    });
    expect(readdirSync(out)).toEqual([]);
  });
});
