import type { UpperEntry } from '../content';
import type { ManifestEntry } from '../manifest';
import type { SnapshotStore } from '../snapshot-store';

type Json = Readonly<Record<string, unknown>>;

/**
 * A changed package.json with the scripts of the base where those were changed or removed; scripts that are new stay.
 * `undefined` for other files, and when the scripts are as they were or cannot be read.
 */
export function withBaseScripts(
  path: string,
  { now, base }: ManifestEntry,
  contents: Pick<SnapshotStore, 'readContent' | 'putBytes'>,
): ManifestEntry | undefined {
  if (!/(^|\/)package\.json$/.test(path) || now.kind !== 'file' || base?.kind !== 'file') {
    return undefined;
  }
  const written = new TextDecoder().decode(contents.readContent(now));
  const changed = parsed(written);
  const before = scriptsOf(parsed(new TextDecoder().decode(contents.readContent(base))));
  if (changed === undefined) {
    return undefined;
  }
  const after = scriptsOf(changed);
  if (Object.entries(before).every(([name, script]) => after[name] === script)) {
    return undefined;
  }
  const scripts = { ...after, ...before };
  // A check of the format looks at this file, too.
  const indent = /^([ \t]+)"/m.exec(written)?.[1] ?? '  ';
  const end = written.endsWith('\n') ? '\n' : '';
  const text = `${JSON.stringify({ ...changed, scripts }, null, indent)}${end}`;
  const bytes = new TextEncoder().encode(text);
  const restored: UpperEntry = {
    ...now,
    sha256: contents.putBytes(bytes),
    sizeBytes: bytes.byteLength,
  };
  return { now: restored, base };
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function scriptsOf(json: Json | undefined): Json {
  const scripts = json?.['scripts'];
  return isRecord(scripts) ? scripts : {};
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
