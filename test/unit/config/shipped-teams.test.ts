import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInBackends } from '../../../src/backends/registry';
import { loadConfig } from '../../../src/config/load-config';
import { projectRoot } from './backend-kinds';

const kinds = builtInBackends({ recordingsDir: join(projectRoot, 'media', 'offline') });
const names = readdirSync(join(projectRoot, 'configs'));

describe('the teams that ship with the product', () => {
  it.each(names)('configs/%s loads without a problem and is recommended', (name) => {
    const path = join(projectRoot, 'configs', name);
    expect(loadConfig(readFileSync(path, 'utf8'), path, kinds)).toMatchObject({
      kind: 'ok',
      warnings: [],
      config: { settings: { profile: 'recommended' }, notices: [] },
    });
  });

  it('name models that their services have, where a service lists its own', () => {
    const makers = new Set(['openai', 'claude', 'gemini', 'grok']);
    const unknown = names.flatMap((name) => {
      const result = loadConfig(
        readFileSync(join(projectRoot, 'configs', name), 'utf8'),
        name,
        kinds,
      );
      const agents = result.kind === 'ok' ? result.config.agents : [];
      return agents.flatMap(({ backend: { type, model } }) => {
        const models = kinds.find((kind) => kind.type === type)?.models ?? [];
        return makers.has(type) && !models.some(({ id }) => id === model) ? [model] : [];
      });
    });
    expect(unknown).toEqual([]);
  });
});
