// A real VS Code with the packaged extension installed, and a browser that shows it.
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { installVsix, newDataDir, startServer } from './server.mjs';
import { launchChromium, newProfile, openWorkbench, openWorkspaceFile } from './browser.mjs';

const vsix = resolve(import.meta.dirname, '..', '..', 'dist', 'massgen.vsix');

/**
 * Starts one session; `settings`, `env` and `trust` as for `startServer`, `profile` as for
 * Playwright's contexts. `open` opens a folder (undefined: none) in a new window of the same
 * profile, `openWorkspaceFile` a .code-workspace file. `close` ends everything and removes what it
 * wrote; `dir` is its data folder until then.
 *
 * @param {{ settings?: Record<string, unknown>, env?: Record<string, string>, trust?: boolean,
 *   profile?: import('playwright-core').BrowserContextOptions, args?: string[] }} [options]
 */
export async function startSession({ profile = {}, ...options } = {}) {
  if (!existsSync(vsix)) {
    throw new Error('dist/massgen.vsix is missing: run npm run package first');
  }
  const dir = newDataDir();
  const tidy = () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', tidy);
  installVsix(dir, vsix);
  const server = await startServer({ ...options, dataDir: dir });
  const browser = await launchChromium();
  const context = await newProfile(browser, server, profile);
  return {
    dir,
    server,
    browser,
    context,
    open: (/** @type {string | undefined} */ folder) => openWorkbench(context, server, folder),
    openWorkspaceFile: (/** @type {string} */ file) => openWorkspaceFile(context, server, file),
    close: async () => {
      await browser.close();
      await server.stop();
      process.removeListener('exit', tidy);
      tidy();
    },
  };
}
