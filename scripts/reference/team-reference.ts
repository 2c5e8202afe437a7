// `configs/README.md`: the shipped teams, every key of a team file, and every setting of the editor.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exampleName } from '../../src/config/example-names';
import { keysWithoutEffect } from '../../src/config/keys-without-effect';
import type { Shape } from '../../src/config/schema/shape';
import { teamFile } from '../../src/config/schema/team-file';
import type { BackendKind } from '../../src/core/ports/backend-kind';
import type { Setting } from '../../src/extension/host/setting-kinds';
import { settingsTable } from '../../src/extension/host/settings-table';
import { backendTypeTable } from '../backend-table';
import { backendSections, backendTable, sectionsOf, sectionText } from './key-tables';
import { code, table } from './markdown';

const backendPath = 'agents[].backend';

export function teamReference(kinds: readonly BackendKind[]): string {
  const { shape } = teamFile(kinds);
  const sections = sectionsOf(shape);
  const backends = backendShape(shape);
  return `${[
    '<!-- Made by `npm run generate` from the schema, the settings and the files of this folder. -->',
    '# Team files',
    introduction,
    '## Teams to begin with',
    examplesText,
    exampleTable(),
    '## Types of backends',
    typesText,
    backendTypeTable(kinds),
    '## Variables',
    variablesText,
    '## Keys',
    keysText,
    ...sections.map(sectionText),
    `### ${code(backendPath)}`,
    backendText,
    backendTable(backends, backendPath),
    ...backendSections(backends, backendPath).map(sectionText),
    '## Keys without an effect',
    idleText,
    idleTable(kinds),
    '## Settings of VS Code',
    settingsText,
    settingTable(),
  ].join('\n\n')}\n`;
}

const introduction = `A team file says who works on a task and how the team decides. The editor completes, explains and checks it; in the
terminal \`massgen --validate FILE\` says everything that is wrong with it, with its line, before anything is sent. A file is UTF-8,
at most 65536 characters, YAML or JSON, one document.`;

const typesText = `\`type\` may be left out where the model tells it (\`gpt-…\`, \`claude-…\`, \`gemini-…\`, \`grok-…\`). \`chatcompletion\` takes any address
by \`base_url\` and knows the keys of well-known hosts.`;

const variablesText = `\`\${NAME}\` is filled in where machines differ: \`model\`, \`base_url\`, \`azure_endpoint\`, \`api_version\`, paths, and everything of a
server of tools; \`\${NAME:-instead}\` has something to fall back on, \`$\${\` is a plain \`\${\`, and in a server \`\${cwd}\` is the agent's own
folder. Keys are never filled in: \`api_key\` and the texts of servers name them, every other place refuses a variable that is
called or looks like a key. Values come from the environment, then \`./.env\` (keys only), \`~/.massgen/.env\` and
\`~/.config/massgen/.env\`; in VS Code keys come from its secret storage.`;

const examplesText = `A team is named by its path, by its path with \`_\` for each \`/\`, or by the last part of its path alone.`;

const keysText = `† marks keys that MassGen does not have. Where a default differs, \`recommended\` is what holds under
\`orchestrator.profile: recommended\`, which every file that this product writes has, and \`compat\` what holds without it.
\`agent\` takes what stands under \`agents[]\`, and \`orchestrator.timeout\` what stands under \`timeout_settings\`.`;

const backendText = `A key with several meanings has several rows. What a type does not know is no error where MassGen knows it: see the keys
without an effect.`;

const idleText = `Files written for MassGen may have these keys. They are checked for their form, named in one warning, and sent nowhere. A key
that asks for isolation, a permission or a limit is refused where nothing at least as strict holds.`;

const settingsText = `\`window\`: a project can set it too; \`machine\` and \`application\`: only you can. In a folder that is not trusted, what the project
says is not looked at where the last column says so.`;

function exampleTable(): string {
  const files = readdirSync('configs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
  return table(
    ['Name', 'What it is for', 'What it needs'],
    files.map((file) => {
      const [purpose = '', needs = ''] = readFileSync(join('configs', file), 'utf8').split('\n');
      const name = code(exampleName(file.replace(/\.yaml$/, '')));
      return [name, purpose.replace(/^# /, ''), needs.replace(/^# (Needs )?/, '')];
    }),
  );
}

function backendShape(shape: Shape): Extract<Shape, { kind: 'by-type' }> {
  const agents = keyOf(shape, 'agents');
  const backend = agents?.kind === 'list' ? keyOf(agents.item, 'backend') : undefined;
  if (backend?.kind !== 'by-type') {
    throw new Error('the schema has no backend where the reference looks for it');
  }
  return backend;
}

function keyOf(shape: Shape, name: string): Shape | undefined {
  return shape.kind === 'mapping' ? shape.keys.find((key) => key.name === name)?.shape : undefined;
}

function idleTable(kinds: readonly BackendKind[]): string {
  const rows = keysWithoutEffect(kinds).map(({ path, group, sentence }) => [
    ...[code(path), group, sentence],
  ]);
  return table(['Key', 'About', 'What is done'], rows);
}

function settingTable(): string {
  const settings: readonly (readonly [string, Setting<unknown>])[] = Object.entries(settingsTable);
  return table(
    ['Setting', 'Default', 'Who sets it', 'Meaning', 'Not from untrusted folders'],
    settings.map(([name, { fallback, scope, text, choices = {}, isRestricted }]) => [
      ...[code(`massgen.${name}`), code(JSON.stringify(fallback)), scope],
      [unlinked(text), ...Object.entries(choices).map(choiceText)].join(' '),
      isRestricted ? 'yes' : '',
    ]),
  );
}

function choiceText([value, meaning]: readonly [string, string]): string {
  return `${code(value)}: ${meaning}`;
}

/** Links of the editor of settings are names here. */
function unlinked(text: string): string {
  return text.replaceAll(/`#(massgen\.[\w.]+)#`/g, '`$1`');
}
