import type { HiddenPlaces } from './hidden-places';

/** What a confined process may do on macOS. All paths are absolute and real. */
export interface SeatbeltView {
  readonly writable: readonly string[];
  /** Can be read although something around them is hidden. */
  readonly readable: readonly string[];
  readonly hidden: HiddenPlaces;
}

/**
 * The profile for `sandbox-exec`: everything can be read but what is hidden, only `writable` can be written, and there
 * is no network, sockets with names included. The last rule that fits decides.
 */
export function seatbeltProfile(view: SeatbeltView): string {
  const shown = [...view.readable, ...view.writable];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow process-info* signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    '(allow file-read*)',
    '(allow file-ioctl (subpath "/dev"))',
    ...rules('deny', 'file-read* file-write*', [
      ...view.hidden.folders.map(subpath),
      ...view.hidden.files.map(literal),
    ]),
    ...rules('allow', 'file-read*', shown.map(subpath)),
    ...rules('allow', 'file-write*', [
      ...view.writable.map(subpath),
      ...['/dev/null', '/dev/zero', '/dev/tty'].map(literal),
    ]),
    '(deny network*)',
    '',
  ].join('\n');
}

function rules(word: string, what: string, filters: readonly string[]): readonly string[] {
  return filters.length === 0 ? [] : [`(${word} ${what}\n  ${filters.join('\n  ')})`];
}

function subpath(path: string): string {
  return `(subpath ${quoted(path)})`;
}

function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

/** A string of the profile's language: only quotes and backslashes mean something in it. */
function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`;
}
