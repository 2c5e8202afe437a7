// Files that are made from the sources, whole or in part, and kept in the repository because they ship as they are.
import { readFileSync } from 'node:fs';
import { builtInBackends } from '../src/backends/registry';
import { toJsonSchema } from '../src/config/json-schema';
import { artifactSchema, artifactSchemaNames } from './artifact-schemas/files';
import { teamReference } from './reference/team-reference';
import { withSettings, withSettingTexts } from './editor-manifest';

export interface GeneratedFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
}

export function generatedFiles(): readonly GeneratedFile[] {
  // The type is the editor's own: its keys are known only where the editor is.
  const kinds = builtInBackends({ recordingsDir: '' });
  const schema = toJsonSchema(kinds, { openTypes: ['vscode_lm'] });
  return [
    { path: 'media/massgen.schema.json', text: pretty(schema) },
    { path: 'package.json', text: withSettings(readFileSync('package.json', 'utf8')) },
    { path: 'package.nls.json', text: withSettingTexts(readFileSync('package.nls.json', 'utf8')) },
    { path: 'configs/README.md', text: teamReference(kinds) },
    ...artifactSchemaNames.map((name) => ({
      path: `media/schemas/${name}.schema.json`,
      text: pretty(artifactSchema(name)),
    })),
  ];
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
