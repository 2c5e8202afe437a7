import { isMap, isScalar } from 'yaml';
import type { UploadConfig } from '../run-config';
import { shown } from '../secret-text';
import { entriesOf, list, mapping } from './collections';
import { settingText } from './scalars';
import type { ReadContext } from './read-context';
import { field, type Spec } from './spec';

const kindOfKey = {
  image_path: 'image',
  audio_path: 'audio',
  video_path: 'video',
  file_path: 'document',
} as const satisfies Readonly<Record<string, UploadConfig['kind']>>;

type UploadKey = keyof typeof kindOfKey;

const entry = mapping({
  image_path: field(settingText(), 'A picture: a path, or an https address.'),
  audio_path: field(settingText(), 'A sound: a path, or an https address.'),
  video_path: field(settingText(), 'A film: a path, or an https address.'),
  file_path: field(settingText(), 'A document: a path, or an https address.'),
});

/** Files that are put before the model with the task: a list of mappings with one key each. */
export function uploadFiles(): Spec<readonly UploadConfig[]> {
  return list({ shape: entry.shape, read: readEntry });
}

const readEntry: Spec<UploadConfig>['read'] = (node, context) => {
  const values = entry.read(node, context);
  if (values === undefined || !isMap(node)) {
    return undefined;
  }
  const keys = entriesOf(node, context).flatMap(({ name }) => (isUploadKey(name) ? [name] : []));
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    const names = Object.keys(kindOfKey).join(', ');
    const message = `Each entry has exactly one of ${names}.`;
    context.report(undefined, { code: key === undefined ? 'missing' : 'duplicate', message });
    return undefined;
  }
  const source = values[key];
  if (source === undefined || !isUsable(source, node.get(key, true), context)) {
    return undefined;
  }
  return { kind: kindOfKey[key], source };
};

function isUploadKey(name: string): name is UploadKey {
  return Object.hasOwn(kindOfKey, name);
}

/** What another address brings can be changed on its way. */
function isUsable(source: string, node: unknown, context: ReadContext): boolean {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase();
  if (scheme === undefined || (scheme === 'https' && URL.canParse(source))) {
    return true;
  }
  const message = `${shown(source)} is neither a path nor an https address.`;
  context.report(isScalar(node) ? node : undefined, { code: 'wrong-value', message });
  return false;
}
