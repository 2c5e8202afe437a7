// For shells without an editor, and for files that no editor has open.
export { createDiskFiles } from '../workspace/review/disk-files';
