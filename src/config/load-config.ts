import { isMap, isScalar } from 'yaml';
import { autoApplyOf } from './auto-apply';
import type { BackendKind } from '../core/ports/backend-kind';
import type { Variables } from '../core/ports/secrets';
import type { PathPermission } from '../run/facts';
import { buildCaps } from './build-caps';
import { buildSettings } from './build-settings';
import { checkBackends, type ModelNotice } from './check-backends';
import {
  checkTeam,
  isFirstFormat,
  isOutside,
  placeOf,
  reportFirstFormat,
  toContextPath,
} from './check-team';
import { deepFreeze } from './freeze';
import type {
  AgentConfig,
  ConfigProblem,
  ConfigResult,
  ContextPathConfig,
  RunConfig,
} from './run-config';
import { ReadContext } from './schema/read-context';
import type { AgentBlock } from './schema/agent-block';
import type { Spec } from './schema/spec';
import { knownSensitivity } from './schema/sensitivity';
import { type TeamFile, teamFile } from './schema/team-file';
import { reportKeysInText } from './keys-in-text';
import { placesOfKeys } from './known-places';
import type { ContextPathEntry } from './schema/context-paths';
import { agentsOf, judgeOf, membersOf } from './team-members';
import { TeamReport } from './team-report';
import { parseYaml, type YamlText } from './yaml/parse-yaml';

const defaultCommandTimeoutMs = 120_000;

export interface LoadOptions {
  /** Absent: nothing is said about models. */
  readonly modelNotice?: ModelNotice;
  /** Absent: no variable is set. */
  readonly variables?: Variables;
  /**
   * Takes a key that stands in `file`, and answers the name that the configuration holds in its place; absent: such keys
   * are refused.
   */
  readonly keepKey?: KeepKey;
}

export type KeepKey = (value: string, file: string) => string;

/**
 * Checks the text of a team file. `file` is its absolute path, or a name in parentheses for a built-in team. Answers a
 * deeply frozen configuration, or every problem at once; no message and no configuration ever holds the value of a key.
 * Reads nothing but the text and never throws.
 */
export function loadConfig(
  text: string,
  file: string,
  kinds: readonly BackendKind[],
  options: LoadOptions = {},
): ConfigResult {
  const { config, problems } = readTeamText(text, file, kinds, options);
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return config === undefined || hasErrors
    ? { kind: 'problems', problems }
    : { kind: 'ok', config: deepFreeze(config), warnings: problems };
}

export interface ReadTeam {
  /** What could be read, also beside errors; agents with errors may be missing. Not frozen. */
  readonly config: RunConfig | undefined;
  /** In the order of the file. */
  readonly problems: readonly ConfigProblem[];
  /** `undefined` for a text that was refused as a whole. */
  readonly yaml: YamlText | undefined;
}

/** Like `loadConfig`, for checks that go on where it ends. */
export function readTeamText(
  text: string,
  file: string,
  kinds: readonly BackendKind[],
  { modelNotice = () => undefined, variables, keepKey }: LoadOptions = {},
): ReadTeam {
  const yaml = parseYaml(text, file);
  if (yaml.document === undefined) {
    return { config: undefined, problems: yaml.problems.sorted(), yaml: undefined };
  }
  const report = new TeamReport(yaml);
  const team = teamFile(kinds);
  const context = ReadContext.atTop(yaml.document, yaml.problems, {
    ...{ variables, placesOf: placesOfKeys(team.shape) },
    ...(keepKey === undefined ? {} : { keepKey: (value) => keepKey(value, file) }),
  });
  const config = readTeam(yaml, { file, spec: team, report, modelNotice, context });
  reportKeysInText(text, yaml);
  if (yaml.hasSyntaxErrors) {
    // What follows a syntax error is often cut off, so that something missing says nothing.
    yaml.problems.drop(['missing', 'wrong-type']);
    yaml.problems.dropBesideSyntax('unknown-key');
  }
  yaml.problems.reportNotes();
  return { config, problems: yaml.problems.sorted(), yaml };
}

interface Reading {
  readonly file: string;
  readonly spec: Spec<TeamFile>;
  readonly report: TeamReport;
  readonly modelNotice: ModelNotice;
  readonly context: ReadContext;
}

function readTeam(
  yaml: YamlText,
  { file, spec, report, modelNotice, context }: Reading,
): RunConfig | undefined {
  const root = yaml.document.contents;
  if (!isMap(root)) {
    const isEmpty = root === null || (isScalar(root) && root.value === null);
    const message = isEmpty
      ? 'The file is empty; a team needs at least agents.'
      : 'A team file is a mapping of keys to values.';
    report.at([], { code: isEmpty ? 'missing' : 'wrong-type', message });
    return undefined;
  }
  if (isFirstFormat(yaml)) {
    reportFirstFormat(yaml, report);
    return undefined;
  }
  const team = spec.read(root, context);
  if (team === undefined) {
    return undefined;
  }
  checkTeam(team, yaml, report);
  checkBackends(team, report, modelNotice);
  return { ...build(team, file, report), ...variablesOf(context) };
}

function variablesOf({
  namedVariables,
  filledSettings,
}: ReadContext): Pick<RunConfig, 'variables' | 'writtenSettings'> {
  return namedVariables.length === 0
    ? {}
    : { variables: namedVariables, writtenSettings: Object.fromEntries(filledSettings) };
}

function build(team: TeamFile, file: string, report: TeamReport): RunConfig {
  const { caps, fromFile } = buildCaps(team);
  const commandSeconds = team.limits?.command_timeout_seconds;
  const isBuiltIn = file.startsWith('(');
  const settings = buildSettings(team, report);
  const judge = judgeOf(team);
  const autoApply = autoApplyOf(team);
  checkEnd(settings, caps, report);
  return {
    name: team.name ?? nameOf(file),
    file: isBuiltIn ? undefined : file,
    agents: buildAgents(team),
    contextPaths: buildContextPaths(team),
    settings,
    caps,
    capsFromFile: fromFile,
    ...(team.session_id === undefined ? {} : { sessionId: team.session_id }),
    commandTimeoutMs:
      commandSeconds === undefined ? defaultCommandTimeoutMs : Math.round(commandSeconds * 1000),
    notices: report.notices,
    ...(judge === undefined ? {} : { judge }),
    ...(autoApply === undefined ? {} : { autoApply }),
    ...(team.orchestrator?.pace_ms === undefined ? {} : { paceMs: team.orchestrator.pace_ms }),
    ...(team.orchestrator?.timeout_with_answer_ok === true ? { isTimeoutWithAnswerOk: true } : {}),
    ...forCommandLine(team),
  };
}

function forCommandLine({
  prompt,
  session_id: sessionId,
  ui,
}: TeamFile): Pick<RunConfig, 'prompt' | 'sessionId' | 'display'> {
  const shown = ui?.display_type;
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(shown === undefined ? {} : { display: displays[shown] }),
  };
}

const displays = {
  rich_terminal: 'rich',
  textual_terminal: 'rich',
  terminal: 'rich',
  simple: 'simple',
  silent: 'silent',
} as const satisfies Readonly<Record<string, RunConfig['display']>>;

/** Agents could outdo one another without end when neither their answers nor the time are limited. */
function checkEnd(
  { maxNewAnswersPerAgent, maxNewAnswersGlobal }: RunConfig['settings'],
  { durationMs }: RunConfig['caps'],
  report: TeamReport,
): void {
  if (maxNewAnswersPerAgent === null && maxNewAnswersGlobal === null && durationMs === null) {
    report.at([], {
      code: 'no-effect',
      severity: 'warning',
      message:
        'Neither the answers nor the time of a run are limited; set max_new_answers_per_agent or a deadline.',
    });
  }
}

/** `review` of `/x/review.massgen.yaml`. */
function nameOf(file: string): string {
  const base = file.split(/[/\\]/).at(-1) ?? '';
  return base.replace(/\.(ya?ml|json)$/i, '').replace(/\.massgen$/, '') || 'team';
}

/** Agents that could not be read have been reported; the configuration is then not used. */
function buildAgents(team: TeamFile): readonly AgentConfig[] {
  const { consensus, coordination_mode: mode } = team.orchestrator ?? {};
  const isDivided = mode === 'decomposition';
  return membersOf(team).flatMap(({ id, backend, weight, ...own }) =>
    id === undefined || backend === undefined
      ? []
      : [
          {
            id,
            backend: backend.settings,
            systemMessage: systemMessageOf(own, isDivided),
            weight: consensus?.weights?.get(id) ?? weight ?? 1,
            ...(backend.planningMode === undefined ? {} : { planningMode: backend.planningMode }),
            ...(backend.tools === undefined ? {} : { tools: backend.tools }),
            ...(backend.commandRules === undefined ? {} : { commandRules: backend.commandRules }),
            ...sensitivityOf(own),
          },
        ],
  );
}

/** What is not here yet has been reported. */
function sensitivityOf({
  voting_sensitivity: written,
}: Pick<AgentBlock, 'voting_sensitivity'>): Pick<AgentConfig, 'votingSensitivity'> {
  const known = written === undefined ? undefined : knownSensitivity(written);
  return known === undefined ? {} : { votingSensitivity: known };
}

function systemMessageOf(
  { system_message: own, subtask }: Pick<AgentBlock, 'system_message' | 'subtask'>,
  isDivided: boolean,
): string | undefined {
  const part = isDivided && subtask !== undefined ? `Your part of the task: ${subtask}` : undefined;
  const texts = [own, part].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** Those that a team of one has in its backend block; MassGen's other place for them comes first. */
function pathsOfOne(team: TeamFile): readonly ContextPathEntry[] {
  const [agent, ...others] = agentsOf(team);
  const named = team.orchestrator?.context_paths?.map((entry) => toContextPath(entry).path) ?? [];
  return others.length > 0
    ? []
    : (agent?.backend?.contextPaths ?? []).filter(
        (entry) => !named.includes(toContextPath(entry).path),
      );
}

function buildContextPaths(team: TeamFile): readonly ContextPathConfig[] {
  const byPath = new Map<string, ContextPathConfig>();
  for (const entry of [...(team.orchestrator?.context_paths ?? []), ...pathsOfOne(team)]) {
    const { path, permission, protected_paths: inner = [] } = toContextPath(entry);
    if (path !== undefined) {
      const key = placeOf(path);
      const earlier = byPath.get(key);
      byPath.set(key, {
        path,
        permission: weaker(permission ?? 'read', earlier?.permission),
        protectedPaths: [
          ...(earlier?.protectedPaths ?? []),
          ...inner.filter((item) => !isOutside(item, path)),
        ],
      });
    }
  }
  return [...byPath.values()];
}

function weaker(one: PathPermission, other: PathPermission | undefined): PathPermission {
  return other === 'read' ? 'read' : one;
}
