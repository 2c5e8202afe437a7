import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { World } from './world';

/** One question with yes or no, no by default; where nobody can answer it is yes, because nothing is asked there. */
export async function confirmOnce(
  question: string,
  { input, output, interrupted }: World,
): Promise<boolean> {
  if (!input.isInteractive) {
    return true;
  }
  output.write(`${question} [y/N] `);
  const lines = createInterface({ input: input.stream, output: new PassThrough() });
  try {
    return await new Promise<boolean>((resolve) => {
      lines.once('line', (line) => resolve(/^\s*y(es)?\s*$/i.test(line)));
      lines.once('close', () => resolve(false));
      interrupted.addEventListener('abort', () => resolve(false), { once: true });
    });
  } finally {
    lines.close();
  }
}
