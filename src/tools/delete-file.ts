import { MassGenError } from '../core/errors';
import { defineTool } from './define-tool';
import { wasSeen } from './seen-files';
import { textOf } from './tool-input';

export const deleteFile = defineTool({
  name: 'delete_file',
  access: 'write',
  description:
    'Deletes one file. You must have read the file with read_file before (for a binary file, having tried is enough).',
  fields: {
    path: {
      type: 'string',
      description: 'Path of the file: relative to the project, or absolute.',
    },
  },
  subjectOf: (input) => textOf(input, 'path'),
  async run({ path }, { workspace }, signal): Promise<string> {
    if (!wasSeen(workspace, path)) {
      throw new MassGenError('tool/denied', `${path} was not deleted: you have not read it yet.`, {
        hint: 'Read it with read_file first, then delete it.',
      });
    }
    await workspace.deleteFile(path, signal);
    return `Deleted ${path}.`;
  },
});
