import { describe, expect, it } from 'vitest';
import { builtInBackends } from '../../../src/backends/registry';
import { loadConfig } from '../../../src/config/load-config';
import { knownServices, teamText } from '../../../src/extension/host/services-table';

const kinds = builtInBackends({ recordingsDir: '/nowhere' });

describe('teams made from a key', () => {
  it.each(knownServices)('a team at $name is a team file without problems', (service) => {
    const text = teamText({ title: service.name, ...service });
    const result = loadConfig(text, '(test)', kinds);
    expect(result).toMatchObject({ kind: 'ok', warnings: [] });
    const agents = result.kind === 'ok' ? result.config.agents : [];
    expect(agents.map(({ backend }) => backend.model)).toEqual(service.models);
    expect(agents.map(({ backend }) => backend.apiKeyName)).toEqual(
      service.models.map(() => service.keyName),
    );
  });

  it('a team at a local server needs no key, and odd model names stay as they are', () => {
    const models = ['qwen3:8b', 'a "quoted" name'];
    const text = teamText({
      title: 'Ollama',
      baseUrl: 'http://127.0.0.1:11434/v1',
      keyName: undefined,
      models,
    });
    const result = loadConfig(text, '(test)', kinds);
    const agents = result.kind === 'ok' ? result.config.agents : [];
    expect(agents.map(({ backend }) => backend.model)).toEqual(models);
    expect(agents.map(({ backend }) => backend.apiKeyName)).toEqual([undefined, undefined]);
  });
});
