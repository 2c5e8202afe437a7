import { isMap, isScalar, visit } from 'yaml';
import { autoApplyOf } from './auto-apply';
import type { BackendKind } from '../core/ports/backend-kind';
import type { PathPermission } from '../run/facts';
import { buildCaps } from './build-caps';
import { buildSettings } from './build-settings';
import { checkBackends, type ModelNotice } from './check-backends';
import {
  checkTeam,
  isFirstFormat,
  isOutside,
  reportFirstFormat,
  toContextPath,
} from './check-team';
import { deepFreeze } from './freeze';
import type { AgentConfig, ConfigResult, ContextPathConfig, RunConfig } from './run-config';
import { ReadContext } from './schema/read-context';
import type { AgentBlock } from './schema/agent-block';
import { type TeamFile, teamFile } from './schema/team-file';
import { looksLikeKey } from './secret-text';
import { judgeOf, membersOf } from './team-members';
import { TeamReport } from './team-report';
import { parseYaml, type YamlText } from './yaml/parse-yaml';

const defaultCommandTimeoutMs = 120_000;

/**
 * Checks the text of a team file. `file` is its absolute path, or a name in parentheses for a built-in team. Answers a
 * deeply frozen configuration, or every problem at once; no message and no configuration ever holds the value of a key.
 * Reads nothing but the text and never throws.
 */
export function loadConfig(
  text: string,
  file: string,
  kinds: readonly BackendKind[],
  modelNotice: ModelNotice = () => undefined,
): ConfigResult {
  const yaml = parseYaml(text, file);
  if (yaml.document === undefined) {
    return { kind: 'problems', problems: yaml.problems.sorted() };
  }
  const report = new TeamReport(yaml);
  const config = readTeam(yaml, { file, kinds, report, modelNotice });
  if (yaml.hasSyntaxErrors) {
    // What follows a syntax error is often cut off, so that something missing says nothing.
    yaml.problems.drop(['missing', 'wrong-type']);
  }
  const problems = yaml.problems.sorted();
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return config === undefined || hasErrors
    ? { kind: 'problems', problems }
    : { kind: 'ok', config: deepFreeze(config), warnings: problems };
}

interface Reading {
  readonly file: string;
  readonly kinds: readonly BackendKind[];
  readonly report: TeamReport;
  readonly modelNotice: ModelNotice;
}

function readTeam(
  yaml: YamlText,
  { file, kinds, report, modelNotice }: Reading,
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
    reportFirstFormat(report);
    return undefined;
  }
  const team = teamFile(kinds).read(root, ReadContext.atTop(yaml.document, yaml.problems));
  reportKeysInClearText(yaml);
  if (team === undefined) {
    return undefined;
  }
  checkTeam(team, yaml, report);
  checkBackends(team, report, modelNotice);
  return build(team, file, report);
}

/** Keys are looked for everywhere, also in texts and below unknown names. */
function reportKeysInClearText({ document, problems }: YamlText): void {
  visit(document, {
    Scalar(_key, node) {
      const isKey = typeof node.value === 'string' && looksLikeKey(node.value);
      if (isKey && node.range && !problems.has('literal-key', node.range[0])) {
        problems.add({
          code: 'literal-key',
          range: [node.range[0], node.range[1]],
          keyPath: '',
          message:
            'This looks like a key in clear text. Remove it from the file, and replace it at the service if others could read the file.',
        });
      }
    },
  });
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
    commandTimeoutMs:
      commandSeconds === undefined ? defaultCommandTimeoutMs : Math.round(commandSeconds * 1000),
    notices: report.notices,
    ...(judge === undefined ? {} : { judge }),
    ...(autoApply === undefined ? {} : { autoApply }),
    ...(team.orchestrator?.pace_ms === undefined ? {} : { paceMs: team.orchestrator.pace_ms }),
    ...(team.orchestrator?.timeout_with_answer_ok === true ? { isTimeoutWithAnswerOk: true } : {}),
  };
}

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
          },
        ],
  );
}

function systemMessageOf(
  { system_message: own, subtask }: Pick<AgentBlock, 'system_message' | 'subtask'>,
  isDivided: boolean,
): string | undefined {
  const part = isDivided && subtask !== undefined ? `Your part of the task: ${subtask}` : undefined;
  const texts = [own, part].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

function buildContextPaths(team: TeamFile): readonly ContextPathConfig[] {
  const byPath = new Map<string, ContextPathConfig>();
  for (const entry of team.orchestrator?.context_paths ?? []) {
    const { path, permission, protected_paths: inner = [] } = toContextPath(entry);
    if (path !== undefined) {
      const earlier = byPath.get(path);
      byPath.set(path, {
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
