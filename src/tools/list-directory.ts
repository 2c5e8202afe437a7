import { defineTool } from './define-tool';
import { textOf } from './tool-input';

const entryLimit = 1000;

export const listDirectory = defineTool({
  name: 'list_directory',
  access: 'read',
  effect: 'read',
  description:
    'Lists a folder: one name per line, folders end with "/", links with "@". Use "." for the top of the project.',
  fields: {
    path: {
      type: 'string',
      description: 'Path of the folder: relative to the project, or absolute.',
    },
  },
  subjectOf: (input) => textOf(input, 'path'),
  async run({ path }, { workspace }, signal): Promise<string> {
    const entries = await workspace.listDirectory(path, signal);
    if (entries.length === 0) {
      return `${path} is empty.`;
    }
    const marks = { file: '', directory: '/', link: '@', other: ' (not a regular file)' };
    const lines = entries.slice(0, entryLimit).map(({ name, kind }) => name + marks[kind]);
    const rest = entries.length - lines.length;
    return [...lines, ...(rest > 0 ? [`[… ${rest} more]`] : [])].join('\n');
  },
});
