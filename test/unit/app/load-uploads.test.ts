import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadUploads } from '../../../src/app/load-uploads';
import type { UploadConfig } from '../../../src/config/run-config';
import type { Media } from '../../../src/core/ports/model-backend';
import { fill, never, startRun, tempFolder } from '../workspace/temp-project';

const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
const pdf = Buffer.from('%PDF-1.7\n');

async function load(
  uploads: readonly UploadConfig[],
  media: readonly Media['kind'][] = ['image', 'audio', 'video', 'document'],
) {
  const project = tempFolder();
  const other = tempFolder();
  fill(project, {
    ...{ 'img/a.png': png, 'b.pdf': pdf, 'c.md': '# c\n', '.env': 'SECRET=1\n' },
    'big.pdf': Buffer.concat([pdf, Buffer.alloc(15_000_000)]),
  });
  fill(other, { 'd.mp3': Buffer.from('ID3x'), '.env': 'SECRET=2\n' });
  const workspace = await startRun(project).agent();
  const named = uploads.map((upload) => ({
    ...{ ...upload, source: upload.source.replace('OTHER', other).replace('PROJECT', project) },
  }));
  const agent = {
    ...{ id: 'one', systemMessage: undefined, weight: 1 },
    backend: { type: 'x', model: 'm', apiKeyName: undefined, options: {} },
    tools: { servers: [], custom: [], uploads: named },
  };
  const capabilities = {
    ...{ hasTools: true, hasParallelToolCalls: true, media },
    ...{ contextWindowTokens: undefined, maxOutputTokens: undefined },
  };
  const places = { workspace, folders: [project], addressesOf: async () => [] };
  return loadUploads([{ agent, backend: { capabilities }, places }], never);
}

describe('uploads', () => {
  it('are read in order, from the project or by their whole path, with their type by what they are', async () => {
    const [media = []] = await load([
      { kind: 'document', source: 'b.pdf' },
      { kind: 'image', source: 'img/a.png' },
      { kind: 'audio', source: join('OTHER', 'd.mp3') },
      { kind: 'document', source: 'c.md' },
    ]);
    expect(media.map(({ kind, mediaType, name }) => [kind, mediaType, name])).toEqual([
      ['document', 'application/pdf', 'b.pdf'],
      ['image', 'image/png', 'a.png'],
      ['audio', 'audio/mpeg', 'd.mp3'],
      ['document', 'text/markdown', 'c.md'],
    ]);
    expect(media[1]?.base64).toBe(png.toString('base64'));
  });

  it('are refused with everything that is wrong at once', async () => {
    const failing = load(
      [
        { kind: 'video', source: 'v.mp4' },
        { kind: 'image', source: 'b.pdf' },
        { kind: 'document', source: 'big.pdf' },
        { kind: 'document', source: 'gone.pdf' },
        { kind: 'image', source: 'img/a.png' },
      ],
      ['image', 'document'],
    );
    await expect(failing).rejects.toMatchObject({ code: 'config/invalid' });
    const message = await failing.catch((error: unknown) => String(error));
    expect(message).toContain('"one": v.mp4: its model takes no video files.');
    expect(message).toContain('b.pdf: it is no PNG, JPEG, GIF or WebP picture.');
    expect(message).toContain('big.pdf: it has 15000009 bytes, and at most 15000000 fit');
    expect(message).toContain('gone.pdf');
    expect(message).not.toContain('a.png');
  });

  it.each(['.env', 'PROJECT/.env', 'OTHER/.env', '../x.txt'])(
    'bring no secrets and nothing from outside by a way around: %s',
    async (source) => {
      await expect(load([{ kind: 'document', source }])).rejects.toMatchObject({
        code: 'config/invalid',
      });
    },
  );

  it('may be as large as the file of the team says, and no larger', async () => {
    const size = png.length;
    await expect(
      load([{ kind: 'image', source: 'img/a.png', maxBytes: size }]),
    ).resolves.toMatchObject([[{}]]);
    const failing = load([{ kind: 'image', source: 'img/a.png', maxBytes: size - 1 }]);
    await expect(failing).rejects.toMatchObject({ code: 'config/invalid' });
    await expect(failing).rejects.toThrow(`it has ${size} bytes, and at most ${size - 1} fit`);
  });

  it('are none where none are named', async () => {
    expect(await load([])).toEqual([[]]);
  });
});
