import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInBackends } from '../../../src/backends/registry';
import { exampleFile, exampleNames } from '../../../src/config/example-files';
import { resolveExample } from '../../../src/config/example-names';
import { loadConfig } from '../../../src/config/load-config';
import { projectRoot } from './backend-kinds';

const kinds = builtInBackends({ recordingsDir: join(projectRoot, 'media', 'offline') });
const names = await exampleNames(projectRoot);

function textOf(name: string): string {
  return readFileSync(exampleFile(projectRoot, name), 'utf8');
}

/** Names that MassGen's documentation uses, and those that this product had before. */
const known = [
  'basic/multi/three_agents_default',
  'basic/multi/gemini_gpt5_claude',
  'features/fast_iteration',
  'tools/mcp/gpt5_nano_mcp_example',
  'tools/mcp/multimcp_gemini',
  'tools/filesystem/claude_code_single',
  'tools/filesystem/claude_code_context_sharing',
  'tools/filesystem/gpt5mini_cc_fs_context_path',
  'tools/code-execution/multi_agent_playwright_automation',
  'tools/mcp/claude_mcp_example',
  'providers/local/lmstudio',
  ...['agent-programs', 'local-models', 'offline', 'three-providers', 'with-tools'],
];

describe('the teams that ship with the product', () => {
  it.each(known)('@examples/%s is one of them in all three spellings', (path) => {
    for (const name of [path, path.replaceAll('/', '_'), path.slice(path.lastIndexOf('/') + 1)]) {
      expect(resolveExample(`@examples/${name}`, names)).toEqual({ kind: 'found', path });
    }
  });

  it.each(names)('configs/%s loads without a problem and is recommended', (name) => {
    expect(loadConfig(textOf(name), exampleFile(projectRoot, name), kinds)).toMatchObject({
      kind: 'ok',
      warnings: [],
      config: { settings: { profile: 'recommended' }, notices: [] },
    });
  });

  it.each(names)('configs/%s begins with what it is for and what it needs', (name) => {
    const [purpose, needs, next] = textOf(name).split('\n');
    expect(purpose).toMatch(/^# [A-Z].*\.$/);
    expect(needs).toMatch(/^# Needs .*\.$/);
    expect(next).not.toMatch(/^#/);
  });

  it.each(names)('configs/%s says that it needs the variables that it names or takes', (name) => {
    const result = loadConfig(textOf(name), name, kinds);
    const agents = result.kind === 'ok' ? result.config.agents : [];
    const variables = agents.flatMap(({ backend }) => {
      const usual = kinds.find(({ type }) => type === backend.type)?.keyNamesOf(backend) ?? [];
      return backend.apiKeyName ?? (usual.includes('GEMINI_API_KEY') ? 'GEMINI_API_KEY' : usual);
    });
    const [, needs = ''] = textOf(name).split('\n');
    expect(variables.filter((variable) => !needs.includes(variable))).toEqual([]);
  });

  it('name models that their services have, where a service lists its own', () => {
    const makers = new Set(['openai', 'claude', 'gemini', 'grok']);
    const unknown = names.flatMap((name) => {
      const result = loadConfig(textOf(name), name, kinds);
      const agents = result.kind === 'ok' ? result.config.agents : [];
      return agents.flatMap(({ backend: { type, model } }) => {
        const models = kinds.find((kind) => kind.type === type)?.models ?? [];
        return makers.has(type) && !models.some(({ id }) => id === model) ? [model] : [];
      });
    });
    expect(unknown).toEqual([]);
  });
});
