// MassGen's published team files, each with what MassGen itself says about it and what is read from it here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInBackends } from '../../../src/backends/registry';
import { createAzureKind } from '../../../src/backends/responses/index';
import { loadConfig } from '../../../src/config/load-config';
import type { ConfigProblem, ConfigResult, RunConfig } from '../../../src/config/run-config';

export const azureEndpoint = 'AZURE_OPENAI_ENDPOINT';
const azureAddress = 'https://team.openai.azure.com';

const folder = join(import.meta.dirname, '../../fixtures/example-configs');

/** With the variable that the files of one service count on. */
export const exampleKinds = builtInBackends({ recordingsDir: '' }).map((kind) =>
  kind.type === 'azure_openai' ? createAzureKind({ [azureEndpoint]: azureAddress }) : kind,
);

/** One row of `expected.tsv`. */
export interface ExpectedExample {
  readonly path: string;
  readonly isValid: boolean;
  readonly agents: number;
  readonly shape: string;
  /** Each type with how many agents have it. */
  readonly types: ReadonlyMap<string, number>;
  readonly features: ReadonlySet<string>;
  readonly ignoredKeys: readonly string[];
  /** Names of variables; several of which one will do are one entry with `|`. */
  readonly variables: readonly string[];
  readonly startup: string;
}

export interface Example extends ExpectedExample {
  readonly text: string;
  readonly result: ConfigResult;
  readonly problems: readonly ConfigProblem[];
  /** `undefined` for a file with errors. */
  readonly config: RunConfig | undefined;
}

export const examples: readonly Example[] = rows().map((row) => {
  const text = readFileSync(join(folder, row.path), 'utf8');
  const result = loadConfig(text, `/configs/${row.path}`, exampleKinds);
  return {
    ...{ ...row, text, result },
    problems: result.kind === 'ok' ? result.warnings : result.problems,
    config: result.kind === 'ok' ? result.config : undefined,
  };
});

function rows(): readonly ExpectedExample[] {
  const [, ...lines] = readFileSync(join(folder, 'expected.tsv'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [path = '', valid, agents, shape = '', types = '', features = '', ...rest] =
      line.split('\t');
    const [ignored = '', variables = '', startup = ''] = rest;
    return {
      ...{ path, shape, startup },
      isValid: valid === 'yes',
      agents: Number(agents),
      types: new Map(listOf(types).map(withCount)),
      features: new Set(listOf(features)),
      ignoredKeys: listOf(ignored),
      variables: listOf(variables),
    };
  });
}

function listOf(cell: string): readonly string[] {
  return cell === '-' || cell === '' ? [] : cell.split(',');
}

function withCount(written: string): readonly [type: string, count: number] {
  const [, type = written, count = '1'] = /^(.*)x(\d+)$/.exec(written) ?? [];
  return [type, Number(count)];
}

/** Tools that a file names and that are not here, by name. */
export function missingTools({ problems, config }: Example): readonly string[] {
  const ofServices = (config?.agents ?? []).flatMap(({ backend }) => {
    const kind = exampleKinds.find(({ type }) => type === backend.type);
    return kind?.leftOutOf?.(backend) === undefined ? [] : (backend.hostedTools ?? []);
  });
  const ofMassGen = problems.flatMap(({ message }) => {
    const [, names = ''] =
      /^(.*?) (?:is a tool|are tools) of MassGen: not available yet/.exec(message) ?? [];
    return names === '' ? [] : names.split(', ');
  });
  return [...ofMassGen, ...ofServices];
}

/** Keys without effect, as they are named in the one warning about them. */
export function idleKeys({ problems }: Example): readonly string[] {
  return problems
    .filter(({ message }) => /^Accepted, (?:has|have) no effect/.test(message))
    .flatMap(({ keyPath, related = [] }) => [keyPath, ...related.map((one) => one.keyPath)])
    .map((path) => path.replaceAll(/\[\d+\]/g, '[]').replace(/^agent\./, 'agents[].'));
}
