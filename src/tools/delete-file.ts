import { MassGenError } from '../core/errors';
import { defineTool } from './define-tool';
import { isGeneratedPath } from './generated-paths';
import { pathInRoot, wasSeen } from './seen-files';
import { textOf } from './tool-input';

export const deleteFile = defineTool({
  name: 'delete_file',
  access: 'write',
  effect: 'workspace',
  description:
    'Deletes one file. You must have read the file with read_file in this turn (for a binary file, having tried is enough), or have written it; generated files are exempt.',
  fields: {
    path: {
      type: 'string',
      description: 'Path of the file: relative to the project, or absolute.',
    },
  },
  subjectOf: (input) => textOf(input, 'path'),
  async run({ path }, context, signal): Promise<string> {
    const isGenerated = isGeneratedPath(pathInRoot(context.workspace, path));
    if (!wasSeen(context, path) && !isGenerated) {
      throw new MassGenError(
        'tool/denied',
        `${path} was not deleted: you have not read it in this turn.`,
        {
          hint: 'Read it with read_file first, then delete it.',
        },
      );
    }
    await context.workspace.deleteFile(path, signal);
    return `Deleted ${path}.`;
  },
});
