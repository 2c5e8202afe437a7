import { defineTool } from './define-tool';
import { markSeen } from './seen-files';
import { textOf } from './tool-input';

export const writeFile = defineTool({
  name: 'write_file',
  access: 'write',
  effect: 'workspace',
  description:
    'Writes a whole text file in UTF-8, exactly as given; parent folders are made. An existing file is replaced. To change a part of a file use edit_file.',
  fields: {
    path: {
      type: 'string',
      description: 'Path of the file: relative to the project, or absolute.',
    },
    content: { type: 'string', description: 'The complete new content.' },
  },
  subjectOf: (input) => textOf(input, 'path'),
  async run({ path, content }, context, signal): Promise<string> {
    const bytes = new TextEncoder().encode(content);
    await context.workspace.writeFile(path, bytes, signal);
    markSeen(context, path);
    return `Wrote ${path} (${bytes.length} bytes).`;
  },
});
