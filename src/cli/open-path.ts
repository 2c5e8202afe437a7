import { spawn } from 'node:child_process';
import type { World } from './world';

/** Opens a file or folder with the system's own program, where a person is at a terminal with a screen; else answers `false`. */
export function openPath(path: string, { platform, input, notes, environment }: World): boolean {
  const hasScreen =
    platform !== 'linux' ||
    environment['DISPLAY'] !== undefined ||
    environment['WAYLAND_DISPLAY'] !== undefined;
  if (!input.isInteractive || !hasScreen) {
    return false;
  }
  const program = platform === 'win32' ? 'explorer' : platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [path], { stdio: 'ignore', detached: true });
  child.on('error', () => {
    notes.write(`${program} is not here, so nothing was opened.\n`);
  });
  child.unref();
  return true;
}
