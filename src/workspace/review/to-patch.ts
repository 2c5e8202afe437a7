import type { ReviewSubject } from '../../core/ports/review';
import type { ReviewFile } from '../../run/state';
import type { BaseContent, UpperEntry } from '../content';
import type { ManifestEntry } from '../manifest';
import { composeTree } from './composed-tree';
import type { ReviewParts } from './guarded-write';
import type { FileDiff, GitBlob } from './unified-diff';
import { fileDiff } from './unified-diff';

/**
 * What is proposed now against the base, as a patch that git takes. A line before each file says whose it is. Where a run
 * has several folders, paths begin with the folder's name. Empty folders and files with an unknown base are left out.
 */
export function toPatch(parts: ReviewParts, subject: ReviewSubject): Uint8Array {
  const tree = composeTree(parts, subject);
  const roots = subject.contextRoots.filter(({ name }) => tree.has(name));
  let patch = '';
  for (const { name } of roots) {
    const prefix = subject.contextRoots.length > 1 ? `${name}/` : '';
    for (const { diff, path } of diffsOf(parts, subject, name, tree.get(name) ?? new Map())) {
      const text = fileDiff({
        before: diff.before && { ...diff.before, path: prefix + diff.before.path },
        after: diff.after && { ...diff.after, path: prefix + diff.after.path },
      });
      patch += text === '' ? '' : `${provenance(subject, name, path)}\n${text}`;
    }
  }
  return new Uint8Array(Buffer.from(patch, 'latin1'));
}

function diffsOf(
  parts: ReviewParts,
  subject: ReviewSubject,
  root: string,
  entries: ReadonlyMap<string, ManifestEntry>,
): readonly { readonly path: string; readonly diff: FileDiff }[] {
  const sources = new Map(
    subject.files.flatMap(({ root: own, path, from }) =>
      own === root && from !== undefined && isMove(entries, path, from) ? [[path, from]] : [],
    ),
  );
  const moved = new Set(sources.values());
  return [...entries]
    .filter(([path, { base }]) => !moved.has(path) && base?.kind !== 'unknown')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { now, base }]) => {
      const from = sources.get(path) ?? path;
      const old = toBlob(parts, from === path ? base : (entries.get(from)?.base ?? null));
      const next = toBlob(parts, now);
      return {
        path,
        diff: {
          before: old === undefined ? undefined : { path: from, blob: old },
          after: next === undefined ? undefined : { path, blob: next },
        },
      };
    });
}

function isMove(entries: ReadonlyMap<string, ManifestEntry>, to: string, from: string): boolean {
  return entries.get(from)?.now.kind === 'deleted' && entries.get(to)?.now.kind === 'file';
}

function toBlob({ store }: ReviewParts, content: UpperEntry | BaseContent): GitBlob | undefined {
  const bytes = store.readContent(content);
  if (bytes === undefined || content === null) {
    return undefined;
  }
  const isExecutable = content.kind === 'file' && (content.mode & 0o100) !== 0;
  const mode = content.kind === 'link' ? '120000' : isExecutable ? '100755' : '100644';
  return { bytes, mode };
}

/** Git skips what stands before a file. */
function provenance(subject: ReviewSubject, root: string, path: string): string {
  const file = subject.files.find((each) => each.root === root && each.path === path);
  const name = path.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
  const text = `MassGen: ${name} from ${sourceWords(subject, file)}`;
  return Buffer.from(text).toString('latin1');
}

function sourceWords(subject: ReviewSubject, file: ReviewFile | undefined): string {
  const [first] = file?.parts ?? [];
  if (file?.parts === undefined || first?.hunk === undefined) {
    return first?.label ?? subject.label;
  }
  return file.parts
    .map(({ label, hunk }) => {
      const start = (hunk?.baseStart ?? 0) + 1;
      const lines = hunk?.baseLines ?? 0;
      const place =
        lines === 0
          ? `before line ${start}`
          : lines === 1
            ? `line ${start}`
            : `lines ${start} to ${start + lines - 1}`;
      return `${label} (${place})`;
    })
    .join(', ');
}
