// What a program sees outside of its agent's view because the product has put it there.
import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { confinedRun, isLayered, named } from '../confinement/confined-run';
import { fill, never, tempFolder } from '../temp-project';
import { script } from './script';
import { outputOf } from './started-program';

async function listenAt(path: string): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(async () => new Promise<void>((resolve) => void server.close(() => resolve())));
}

const connectTo = (path: string): string => `
  require('net').connect('${path}').on('error', (error) => console.log(error.code))
    .on('data', (bytes) => console.log(String(bytes)));`;

describe.skipIf(!isLayered)(named('outside of its view a program'), () => {
  test('connects to the sockets that it was given, and to no other', async () => {
    const folder = tempFolder();
    const [given, other] = [join(folder, 'given'), join(folder, 'other')];
    await listenAt(given);
    await listenAt(other);
    chmodSync(folder, 0o700);
    const agent = await confinedRun(tempFolder()).agent();
    expect(await outputOf(agent, connectTo(given), { sockets: [given] })).toBe('hello\n');
    expect(await outputOf(agent, connectTo(other), { sockets: [given] })).toBe('ENOENT\n');
  });

  test('reads what it was given of a hidden folder, and changes nothing of it', async () => {
    const home = tempFolder();
    fill(home, { 'tool/lib/a.txt': 'library', 'tool/b.txt': 'other' });
    const agent = await confinedRun(tempFolder(), { homes: [home] }).agent();
    const text = `
      const fs = require('fs');
      console.log(fs.readFileSync('${home}/tool/lib/a.txt', 'utf8'), fs.existsSync('${home}/tool/b.txt'));
      try { fs.writeFileSync('${home}/tool/lib/a.txt', 'x'); } catch (error) { console.log(error.code); }`;
    const said = await outputOf(agent, text, { readable: [join(home, 'tool/lib')] });
    expect(said).toBe('library false\nEROFS\n');
  });

  test('is shown nothing that is missing, holds a home, or is where agents work', async () => {
    const home = tempFolder();
    fill(home, { 'code/project/a.txt': 'a\n', 'plain.txt': '' });
    const agent = await confinedRun(join(home, 'code/project'), { homes: [home] }).agent();
    for (const [parts, why] of [
      [{ readable: ['lib'] }, 'lib: it is not an absolute path'],
      [{ readable: [join(home, 'gone')] }, 'gone: it does not exist'],
      [{ readable: [home] }, 'it holds a whole home folder'],
      [{ readable: ['/'] }, 'it holds a whole home folder'],
      [{ readable: [join(home, 'code')] }, 'it overlaps with a folder that agents work in'],
      [{ sockets: [join(home, 'plain.txt')] }, 'it is no socket'],
    ] as const) {
      await expect(agent.startProgram(script('', parts), never)).rejects.toMatchObject({
        ...{ code: 'tool/failed', message: expect.stringContaining(why) as unknown },
      });
    }
  });

  test('is shown nothing that a team file names and that holds credentials, or lies where they are', async () => {
    const home = tempFolder();
    fill(home, { '.ssh/id_x': 'key', '.config/gh/hosts.yml': 'key', 'work/.env': 'KEY=1' });
    fill(home, { 'server/index.js': '' });
    const agent = await confinedRun(tempFolder(), { homes: [home] }).agent();
    for (const path of ['.ssh', '.ssh/id_x', '.config', '.config/gh/hosts.yml', 'work/.env']) {
      const named = [join(home, path)];
      await expect(agent.startProgram(script('', { named }), never)).rejects.toMatchObject({
        message: expect.stringContaining('it holds credentials') as unknown,
      });
    }
    const text = `console.log(require('fs').existsSync('${home}/server/index.js'))`;
    expect(await outputOf(agent, text, { named: [join(home, 'server')] })).toBe('true\n');
  });
});
