import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTeamFile } from '../../../src/app/read-team-file';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'massgen-read-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function write(name: string, content: string | Uint8Array): string {
  const file = join(dir, name);
  writeFileSync(file, content);
  return file;
}

describe('a team file', () => {
  it.each(['team.yaml', 'team.YML', 'team.json'])('is read as it is: %s', async (name) => {
    const text = '\uFEFFagents: []\r\n# é 😀\n';
    expect(await readTeamFile(write(name, text))).toBe(text);
  });

  it.each([
    ['team.toml', 'a = 1', 'has the suffix .toml; a team file ends with .yaml, .yml or .json.'],
    ['team', 'a: 1', 'has no suffix; a team file ends with .yaml, .yml or .json.'],
    [
      'latin.yaml',
      Buffer.from('name: caf\xe9', 'latin1'),
      'is no text in UTF-8; save it as UTF-8.',
    ],
    [
      'wide.yaml',
      Buffer.from('\uFEFFagents: []', 'utf16le'),
      'is written in UTF-16; save it as UTF-8.',
    ],
    [
      'large.yaml',
      Buffer.alloc(10_000_000, 'a'),
      'has 10000000 bytes; a team file has at most 65536 characters.',
    ],
  ])('%s is refused with the reason', async (name, content, reason) => {
    const file = write(name, content);
    await expect(readTeamFile(file)).rejects.toMatchObject({
      code: 'config/invalid',
      message: `${file} ${reason}`,
    });
  });

  it('that is not there, or a folder, is told as that', async () => {
    const missing = join(dir, 'none.yaml');
    await expect(readTeamFile(missing)).rejects.toThrow(
      `The team file ${missing} cannot be read: there is no such file.`,
    );
    const folder = join(dir, 'folder.yaml');
    mkdirSync(folder);
    await expect(readTeamFile(folder)).rejects.toThrow(
      `The team file ${folder} cannot be read: it is a folder.`,
    );
  });

  it.skipIf(process.platform === 'win32')(
    'is not waited for when it is a pipe or a device behind a link',
    async () => {
      const pipe = join(dir, 'pipe.yaml');
      execFileSync('mkfifo', [pipe]);
      const device = join(dir, 'device.yaml');
      symlinkSync('/dev/zero', device);
      for (const file of [pipe, device]) {
        await expect(readTeamFile(file)).rejects.toThrow(
          `The team file ${file} cannot be read: it is no ordinary file.`,
        );
      }
    },
  );
});
