// What of the product the wizards use, with servers of this machine as the test has them.
import { builtInBackends } from '../../../../src/backends/registry';
import { type WizardApp } from '../../../../src/cli/wizards/wizard';
import { loadConfig } from '../../../../src/config/load-config';
import type { RunConfig } from '../../../../src/config/run-config';
import type { LocalServer } from '../../../../src/app/app-contract';

export const kinds = builtInBackends({ recordingsDir: '/nowhere' });

export const ollama: LocalServer = {
  ...{ name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  models: ['qwen3-coder:30b', 'gpt-oss:20b'],
};

export const lmStudioElsewhere: LocalServer = {
  ...{ name: 'LM Studio', baseUrl: 'http://127.0.0.1:4321/v1' },
  models: ['mistralai/devstral-small-2507'],
};

export function wizardApp(servers: readonly LocalServer[] = []): WizardApp {
  return {
    backendKinds: kinds,
    loadConfig: (text, file) => loadConfig(text, file, kinds),
    detectLocalServers: () => Promise.resolve(servers),
  };
}

/** The checked team of a text that has no problem, no warning and no notice. */
export function cleanTeam(text: string): RunConfig {
  const result = loadConfig(text, '/team.yaml', kinds);
  if (result.kind === 'problems') {
    throw new Error(result.problems.map(({ message }) => message).join('\n') + text);
  }
  if (result.warnings.length + result.config.notices.length > 0) {
    const lines = [...result.warnings.map(({ message }) => message), ...result.config.notices];
    throw new Error(lines.join('\n') + text);
  }
  return result.config;
}
