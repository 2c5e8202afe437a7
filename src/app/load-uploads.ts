import type { AgentConfig, UploadConfig } from '../config/run-config';
import { MassGenError, isCancelled, isMassGenError } from '../core/errors';
import type { Media, ModelBackend } from '../core/ports/model-backend';
import { imageTypeOf } from '../tools/image-type';
import { tryDecode } from '../tools/text-file';
import type { UploadPlaces } from './upload-bytes';
import { uploadBytes } from './upload-bytes';

/** What goes into one request; services take little more once it is written as text. */
const largestBytes: Readonly<Record<Media['kind'], number>> = {
  image: 3_750_000,
  audio: 15_000_000,
  video: 15_000_000,
  document: 15_000_000,
};
const largestTotal = 20_000_000;

export interface UploadsOf {
  readonly agent: AgentConfig;
  readonly backend: Pick<ModelBackend, 'capabilities'>;
  readonly places: UploadPlaces;
}

/**
 * The files that each agent is shown with the task, in the order of the team file. Throws `config/invalid` with
 * everything that is wrong with any of them, and `cancelled/*`.
 */
export async function loadUploads(
  all: readonly UploadsOf[],
  signal: AbortSignal,
): Promise<readonly (readonly Media[])[]> {
  const problems: string[] = [];
  const loaded: (readonly Media[])[] = [];
  for (const { agent, backend, places } of all) {
    const media: Media[] = [];
    for (const upload of agent.tools?.uploads ?? []) {
      const found = await load(upload, backend, places, signal);
      if (typeof found === 'string') {
        problems.push(`Agent "${agent.id}": ${upload.source}: ${found}.`);
      } else {
        media.push(found);
      }
    }
    const total = media.reduce((sum, { base64 }) => sum + base64.length * 0.75, 0);
    if (total > largestTotal) {
      problems.push(
        `Agent "${agent.id}": its files have more than ${largestTotal} bytes together.`,
      );
    }
    loaded.push(media);
  }
  if (problems.length > 0) {
    throw new MassGenError('config/invalid', `Files cannot be uploaded. ${problems.join(' ')}`, {
      hint: 'Correct upload_files in the team file.',
    });
  }
  return loaded;
}

/** A text says what is wrong, without a full stop. */
async function load(
  { kind, source, maxBytes = largestBytes[kind] }: UploadConfig,
  { capabilities }: UploadsOf['backend'],
  places: UploadPlaces,
  signal: AbortSignal,
): Promise<Media | string> {
  if (capabilities.media?.includes(kind) !== true) {
    return `its model takes no ${kind} files`;
  }
  let bytes: Uint8Array;
  try {
    const most = Math.min(maxBytes, largestBytes[kind]);
    bytes = await uploadBytes(source, places, most, signal);
  } catch (error) {
    if (signal.aborted || isCancelled(error) || !isMassGenError(error)) {
      throw error;
    }
    return error.message.replace(/\.$/, '');
  }
  const name = nameOf(source);
  const mediaType = typeOf(kind, name, bytes);
  return mediaType === undefined
    ? `it is ${expected[kind]}`
    : { kind, mediaType, name, base64: Buffer.from(bytes).toString('base64') };
}

const expected: Readonly<Record<Media['kind'], string>> = {
  image: 'no PNG, JPEG, GIF or WebP picture',
  audio: 'no MP3 or WAV file',
  video: 'no MP4, MOV or WebM file',
  document: 'neither a PDF nor a text',
};

function nameOf(source: string): string {
  const path = URL.canParse(source) ? new URL(source).pathname : source;
  return path.split(/[\\/]/).at(-1) ?? 'file';
}

const byBeginning: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['audio/mpeg', 0, 'ID3'],
  ['audio/mpeg', 0, '\xff\xfb'],
  ['audio/mpeg', 0, '\xff\xf3'],
  ['audio/mpeg', 0, '\xff\xf2'],
  ['audio/wav', 8, 'WAVE'],
  ['video/quicktime', 4, 'ftypqt'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, '\x1aE\xdf\xa3'],
  ['application/pdf', 0, '%PDF-'],
];

/** By the bytes, not by the name: a service refuses what is not what it is said to be. */
function typeOf(kind: Media['kind'], name: string, bytes: Uint8Array): string | undefined {
  if (kind === 'image') {
    return imageTypeOf(bytes);
  }
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const found = byBeginning.find(([, at, text]) => start.startsWith(text, at))?.[0];
  if (kind === 'document') {
    const isText = found === undefined && tryDecode(bytes) !== undefined;
    return found === 'application/pdf' ? found : isText ? textType(name) : undefined;
  }
  return found?.startsWith(`${kind}/`) === true ? found : undefined;
}

function textType(name: string): string {
  return /\.md$/i.test(name) ? 'text/markdown' : 'text/plain';
}
