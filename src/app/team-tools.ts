import { join } from 'node:path';
import { builtInBackends } from '../backends/registry';
import { toJsonSchema } from '../config/json-schema';
import { effectiveValues } from '../config/effective-values';
import { quickTeam } from '../config/quick-team';
import { namesFileKey } from '../base/variables';
import type { App, AppParts, RunConfig } from './app-contract';
import { checkTeam } from './check-team';
import { FileKeys, withFileKeys } from './file-keys';
import { createModelNotice } from './model-notices';

/** What can be said of team files without storage, workspaces and libraries of services. */
export interface TeamTools extends Pick<App, 'backendKinds' | 'checkTeam' | 'quickTeam'> {
  /** JSON Schema of a team file; `type`: one whose backends are all of this type. */
  jsonSchema(type?: string): Readonly<Record<string, unknown>>;
  /** What every setting of a checked team comes to, one line each. */
  effectiveLines(config: RunConfig): readonly string[];
}

type Parts = Pick<AppParts, 'installDir' | 'clock' | 'secrets' | 'variables'>;

/** Much quicker than the whole product, for commands that start no run. */
export function createTeamTools({ installDir, clock, secrets: own, variables }: Parts): TeamTools {
  const fileKeys = new FileKeys(() => undefined);
  const secrets = withFileKeys(own, fileKeys);
  const kinds = builtInBackends({ recordingsDir: join(installDir, 'media', 'offline') });
  const loadOptions = {
    modelNotice: createModelNotice(kinds, clock),
    keepKey: fileKeys.keep,
    ...(variables === undefined ? {} : { variables }),
  };
  return {
    backendKinds: kinds,
    checkTeam: (request, signal) => checkTeam({ kinds, secrets, loadOptions }, request, signal),
    quickTeam: (wish) => quickTeam(wish, kinds),
    jsonSchema: (type) =>
      type === undefined
        ? toJsonSchema(kinds, { openTypes: ['vscode_lm'] })
        : toJsonSchema(
            kinds.filter((kind) => kind.type === type),
            { openTypes: [] },
          ),
    effectiveLines: (config) => [
      ...agentLines(config),
      ...capLines(config),
      ...settingLines(config),
    ],
  };
}

function agentLines({ agents }: RunConfig): readonly string[] {
  return agents.map(({ id, backend: { type, model, apiKeyName } }, i) => {
    const key = apiKeyName === undefined ? '' : `, key ${keyInWords(apiKeyName)}`;
    return `agents[${i}]: ${id}, ${type}${model === '' ? '' : ` ${model}`}${key}`;
  });
}

function keyInWords(name: string): string {
  return namesFileKey(name) ? 'of the file itself' : name;
}

function capLines({ caps, capsFromFile = [] }: RunConfig): readonly string[] {
  const names = [
    ['durationMs', 'limits.duration_minutes', 60_000],
    ['modelCalls', 'limits.model_calls', 1],
    ['costUsd', 'limits.cost_usd', 1],
  ] as const;
  return names.map(([name, key, unit]) => {
    const value = caps[name];
    const mark = capsFromFile.includes(name) ? ' (from the file)' : '';
    return `${key}: ${value === null ? 'null' : value / unit}${mark}`;
  });
}

function settingLines(config: RunConfig): readonly string[] {
  return effectiveValues(config).map(
    ({ key, value, isUsual }) => `${key}: ${value}${isUsual ? '' : ' (from the file)'}`,
  );
}
