import { describe, expect, it } from 'vitest';
import type { AgentConfig, RunConfig } from '../../../src/config/run-config';
import { serverVariables } from '../../../src/config/egress-programs';
import {
  azureEndpoint,
  type Example,
  exampleKinds,
  examples,
  idleKeys,
  missingTools,
} from './example-files';

const ag2 = 'a framework inside of MassGen, whose teams are not agents here';
const wrongTool = 'a tool that does not exist is told, where MassGen runs without it';

/** Files that MassGen accepts and that are refused here, with the reason and a part of what is said. */
const stricter: Readonly<Record<string, { readonly why: string; readonly says: string }>> = {
  ...Object.fromEntries(
    [
      'ag2_case_study',
      'ag2_coder_case_study',
      'ag2_gemini',
      'ag2_groupchat',
      'ag2_single_agent',
    ].map((name) => [
      `ag2/${name}.yaml`,
      { why: ag2, says: 'ag2 is a framework inside of MassGen' },
    ]),
  ),
  ...Object.fromEntries(
    ['claude', 'gpt5_nano', 'gpt_oss', 'grok3_mini', 'qwen_api', 'qwen_local'].map((name) => [
      `tools/custom_tools/${name}_wrong_custom_tool_with_mcp_example.yaml`,
      { why: wrongTool, says: 'wrong_two_num_tool is no tool that is known here' },
    ]),
  ),
  'tools/code-execution/docker_with_resource_limits.yaml': {
    why: 'limits of memory and processors are not kept here, and whoever writes them counts on them',
    says: 'Commands have no memory limit here',
  },
};

const byPath = new Map(examples.map((example) => [example.path, example]));
const accepted = examples.filter(({ config }) => config !== undefined);

function told({ problems }: Example): string {
  return problems.map(({ message }) => message).join('\n');
}

describe('the published files', () => {
  it('are all here', () => {
    expect(examples).toHaveLength(161);
  });

  it.each(examples.map((example) => [example.path, example] as const))(
    '%s gets the verdict of MassGen, or is listed with its reason',
    (path, example) => {
      const isRefusedHere = Object.hasOwn(stricter, path);
      const errors = example.problems.filter(({ severity }) => severity === 'error');
      expect(example.result.kind === 'ok', told(example)).toBe(example.isValid && !isRefusedHere);
      expect(errors.length > 0).toBe(!example.isValid || isRefusedHere);
      expect(told(example)).toContain(stricter[path]?.says ?? '');
    },
  );

  it('are refused against MassGen’s verdict only where it is listed', () => {
    const refused = examples.filter(({ isValid, config }) => isValid && config === undefined);
    expect(refused.map(({ path }) => path).sort()).toEqual(Object.keys(stricter).sort());
  });

  it('with a table of limits says that it is no team', () => {
    const table = byPath.get('rate_limits/rate_limits.yaml');
    expect(table?.isValid).toBe(false);
    expect(told(table ?? fail())).toContain('agents is missing');
  });

  it('warn at most once about keys without effect', () => {
    for (const { path, problems } of examples) {
      const warnings = problems.filter(({ message }) => message.startsWith('Accepted, ha'));
      expect(warnings.length, path).toBeLessThanOrEqual(1);
    }
  });
});

function fail(): never {
  throw new Error('the file is not among them');
}

describe('a file that is accepted', () => {
  it.each(accepted.map((example) => [example.path, example] as const))(
    '%s has its agents, in its form, of its types',
    (_path, { text, config, agents, shape, types }) => {
      const counted = new Map<string, number>();
      for (const { backend } of config?.agents ?? []) {
        counted.set(backend.type, (counted.get(backend.type) ?? 0) + 1);
      }
      expect(config?.agents).toHaveLength(agents);
      expect(new RegExp(`^ ?${shape}:`, 'm').test(text)).toBe(true);
      expect(counted).toEqual(types);
    },
  );

  it.each(accepted.map((example) => [example.path, example] as const))(
    '%s shows what it exercises in what is made of it',
    (_path, example) => {
      const seen = Object.keys(features).filter((name) => features[name]?.(example) === true);
      const expected = [...example.features].filter((name) => Object.hasOwn(features, name));
      expect(seen.sort()).toEqual(expected.sort());
    },
  );

  it.each(accepted.map((example) => [example.path, example] as const))(
    '%s tells its keys that never had an effect',
    (_path, example) => {
      for (const key of example.ignoredKeys) {
        const [name = ''] = key.split('.').slice(key.startsWith('memory') ? 0 : -1);
        expect(told(example)).toContain(name);
      }
    },
  );

  it.each(accepted.map((example) => [example.path, example] as const))(
    '%s asks for the variables that it needs',
    (_path, { config, variables }) => {
      const names = new Set(config === undefined ? [] : variablesOf(config));
      for (const entry of variables) {
        expect(names, entry).toContain(entry.split('|').find((name) => names.has(name)));
      }
    },
  );

  it.each(accepted.map((example) => [example.path, example] as const))(
    '%s needs the paths that must exist, and nothing else keeps it from starting',
    (_path, { config, startup }) => {
      const [, listed = ''] = /^ok if these exist: (.*)$/.exec(startup) ?? [];
      const wanted = listed === '' ? [] : listed.split(', ');
      const paths = config?.contextPaths.map(({ path }) => path) ?? [];
      expect(paths).toEqual(expect.arrayContaining(wanted));
      // A folder for an agent needs no block about folders here.
      expect(startup).toMatch(/^ok|^fail: agents with cwd but no orchestrator section$/);
    },
  );
});

function variablesOf(config: RunConfig): readonly string[] {
  return config.agents.flatMap(({ backend, tools }) => [
    ...(backend.apiKeyName === undefined ? [] : [backend.apiKeyName]),
    ...(backend.type === 'azure_openai' ? [azureEndpoint] : []),
    ...(exampleKinds.find(({ type }) => type === backend.type)?.keyNamesOf(backend) ?? []),
    ...(tools?.servers ?? []).flatMap((server) => [...serverVariables(server)]),
  ]);
}

const anyAgent =
  (has: (agent: AgentConfig) => boolean) =>
  ({ config }: Example): boolean =>
    config?.agents.some(has) === true;

const anyOption = (...names: readonly string[]) =>
  anyOf(
    anyAgent(({ backend }) => names.some((name) => backend.options[name] !== undefined)),
    idle(...names.map((name) => `agents[].backend.${name}`)),
  );

const anyServer = (has: (server: Server) => boolean) =>
  anyAgent(({ tools }) => tools?.servers.some(has) === true);

type Server = NonNullable<AgentConfig['tools']>['servers'][number];

const hosted = (tool: 'web-search' | 'code-execution') =>
  anyAgent(({ backend }) => backend.hostedTools?.includes(tool) === true);

function idle(...paths: readonly string[]): (example: Example) => boolean {
  return (example) => idleKeys(example).some((path) => paths.includes(path));
}

function anyOf(...all: readonly ((example: Example) => boolean)[]): (example: Example) => boolean {
  return (example) => all.some((each) => each(example));
}

/** How each feature shows in what is read from a file; those that are about its spelling alone are not here. */
const features: Readonly<Record<string, (example: Example) => boolean>> = {
  system_message: anyAgent(({ systemMessage }) => systemMessage !== undefined),
  base_url: anyOption('base_url'),
  sampling: anyOption('temperature', 'top_p', 'top_k', 'repetition_penalty'),
  max_tokens: anyOption('max_tokens'),
  reasoning: anyOption('reasoning'),
  text_verbosity: anyOption('text'),
  extra_body: anyOption('extra_body'),
  chat_template_kwargs: anyOption('chat_template_kwargs'),
  betas: anyOption('betas'),
  permission_mode: anyOption('permission_mode'),
  upload_files: anyAgent(({ tools }) => (tools?.uploads.length ?? 0) > 0),
  web_search: hosted('web-search'),
  image_generation: idle('agents[].backend.enable_image_generation'),
  audio_generation: idle('agents[].backend.enable_audio_generation'),
  video_generation: idle('agents[].backend.enable_video_generation'),
  file_generation: idle('agents[].backend.enable_file_generation'),
  mcp: anyServer(() => true),
  mcp_stdio: anyServer(({ transport }) => transport.type === 'stdio'),
  mcp_http: anyServer(({ transport }) => transport.type === 'http'),
  mcp_env: anyServer(
    ({ transport }) => transport.type === 'stdio' && Object.keys(transport.environment).length > 0,
  ),
  docker: anyAgent(({ commandRules }) => commandRules?.mustBeConfined === true),
  docker_image: idle('agents[].backend.command_line_docker_image'),
  docker_network: idle('agents[].backend.command_line_docker_network_mode'),
  docker_sudo: idle('agents[].backend.command_line_docker_enable_sudo'),
  docker_credentials: idle('agents[].backend.command_line_docker_credentials'),
  docker_packages: idle('agents[].backend.command_line_docker_packages'),
  command_allowlist: anyAgent(({ commandRules }) => (commandRules?.allowed.length ?? 0) > 0),
  command_blocklist: anyAgent(({ commandRules }) => (commandRules?.blocked.length ?? 0) > 0),
  context_paths: ({ config }) => (config?.contextPaths.length ?? 0) > 0,
  context_write: ({ config }) =>
    config?.contextPaths.some(({ permission }) => permission === 'write') === true,
  protected_paths: ({ config }) =>
    config?.contextPaths.some(({ protectedPaths }) => protectedPaths.length > 0) === true,
  planning: ({ config }) => config?.settings.planning === 'classify',
  task_planning: ({ config }) => config?.settings.taskPlans === true,
  memory_files: ({ config }) => config?.settings.memoryFiles === true,
  skills: idle('orchestrator.coordination.use_skills'),
  restarts: ({ config }) => (config?.settings.maxRestarts ?? 0) > 0,
  answer_novelty: ({ config }) => config?.settings.novelty !== 'lenient',
  max_new_answers: ({ config }) => config?.settings.maxNewAnswersPerAgent !== null,
  dspy: idle('orchestrator.dspy'),
  skip_rounds: ({ config }) => config?.settings.skipCoordination === true,
  timeout_settings: ({ config }) => config?.capsFromFile?.includes('durationMs') === true,
  memory: idle('memory', 'agents[].memory'),
  ui_rich_terminal: ({ config }) => config?.display === 'rich',
  ui_simple: ({ config }) => config?.display === 'simple',
};

describe('what the published files can do here', () => {
  it('stands in a table that people can read', async () => {
    const table = tableOf();
    process.stdout.write(`${table.split('\n\n')[0] ?? ''}\n`);
    await expect(table).toMatchFileSnapshot('../../golden/example-files.txt');
  });
});

function tableOf(): string {
  const lines = examples.map((example) => `${example.path}: ${verdictOf(example)}`);
  const whole = accepted.filter((example) => missingTools(example).length === 0);
  const keys = counted(accepted.flatMap((example) => [...new Set(idleKeys(example))]));
  const tools = counted(accepted.flatMap((example) => [...new Set(missingTools(example))]));
  return `${[
    [
      `${examples.length} published files: ${accepted.length} are accepted, ${examples.length - accepted.length} are refused.`,
      `${whole.length} have all their tools here, ${accepted.length - whole.length} run without some of them:`,
      ...tools,
      'Keys without effect, with the number of files that have them:',
      ...keys,
    ].join('\n'),
    lines.join('\n'),
  ].join('\n\n')}\n`;
}

function counted(all: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const each of all) {
    counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .map(([name, count]) => `${String(count).padStart(5)}  ${name}`);
}

function verdictOf(example: Example): string {
  const { path, config, isValid } = example;
  if (config === undefined) {
    const why = stricter[path]?.why ?? 'no team file';
    return `refused${isValid ? '' : ', as by MassGen'}: ${why}`;
  }
  const without = [...new Set(missingTools(example))];
  const keys = [...new Set(idleKeys(example))];
  return [
    without.length === 0 ? 'all tools' : `without ${without.join(', ')}`,
    ...(keys.length === 0 ? [] : [`no effect: ${keys.join(', ')}`]),
  ].join('; ');
}
