// npm run generate: writes the files that are made from the sources.
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files';

for (const { path, text } of generatedFiles()) {
  writeFileSync(path, text);
  process.stdout.write(`${path}\n`);
}
