import { MassGenError } from '../core/errors';
import type { ToolResult } from '../core/ports/tool';
import { defineTool } from './define-tool';
import { imageTypeOf } from './image-type';
import { markSeen } from './seen-files';
import { textOf } from './tool-input';

/** With base64 this is 5 MB, the least that a common service takes for one picture. */
const largestBytes = 3_750_000;

export const readImage = defineTool({
  name: 'read_image',
  access: 'read',
  effect: 'read',
  gives: 'image',
  description: 'Shows you a picture: a PNG, JPEG, GIF or WebP file of at most 3.75 MB.',
  fields: {
    path: {
      type: 'string',
      description: 'Path of the file: relative to the project, or absolute.',
    },
  },
  subjectOf: (input) => textOf(input, 'path'),
  async run({ path }, context, signal): Promise<Omit<ToolResult, 'isError'>> {
    const { kind, sizeBytes } = await context.workspace.stat(path, signal);
    if (kind === 'file' && sizeBytes > largestBytes) {
      throw new MassGenError(
        'workspace/too-large',
        `${path} has ${sizeBytes} bytes; at most ${largestBytes} can be shown.`,
        { hint: 'Make a smaller copy with run_command, if a program for that is there.' },
      );
    }
    const bytes = await context.workspace.readFile(path, signal);
    const mediaType = imageTypeOf(bytes);
    if (mediaType === undefined) {
      throw new MassGenError(
        'tool/invalid-input',
        `${path} is no PNG, JPEG, GIF or WebP file, whatever its name says.`,
        { hint: 'Read text with read_file; convert other pictures with run_command.' },
      );
    }
    markSeen(context, path);
    const name = path.split(/[\\/]/).at(-1) ?? path;
    const base64 = Buffer.from(bytes).toString('base64');
    return {
      text: `[${path}: ${mediaType}, ${bytes.length} bytes]`,
      media: [{ kind: 'image', mediaType, name, base64 }],
    };
  },
});
