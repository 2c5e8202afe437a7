import { isMap } from 'yaml';
import { nearest } from '../base/text';
import { firstFormatKeys } from './schema/original-keys';
import type { AgentBlock } from './schema/agent-block';
import type { OrchestratorBlock, TeamFile } from './schema/team-file';
import { shown } from './secret-text';
import type { TeamReport } from './team-report';
import type { YamlText } from './yaml/parse-yaml';

/** Files of MassGen's first format are recognized as a whole, instead of as a row of unknown keys. */
export function isFirstFormat({ document }: YamlText): boolean {
  const root = document.contents;
  return isMap(root) && firstFormatKeys.some((key) => root.has(key));
}

export function reportFirstFormat(report: TeamReport): void {
  report.at([], {
    code: 'not-supported',
    severity: 'error',
    message: "This is MassGen's first file format, which is no longer read.",
  });
}

export function agentsOf(team: TeamFile): readonly AgentBlock[] {
  return team.agents ?? (team.agent === undefined ? [] : [team.agent]);
}

/** What depends on more than one key. */
export function checkTeam(team: TeamFile, yaml: YamlText, report: TeamReport): void {
  const root = yaml.document.contents;
  const hasList = isMap(root) && root.has('agents');
  const hasOne = isMap(root) && root.has('agent');
  if (hasList && hasOne) {
    const message = 'A file has either agents or agent, not both.';
    report.at(['agent'], { code: 'duplicate', message });
  } else if (!hasList && !hasOne) {
    const message = 'agents is missing: the agents of the team, one to ten.';
    report.at([], { code: 'missing', message });
  }
  checkConsensus(team, report);
  checkMapped(team, report);
  checkContextPaths(team, report);
}

const consensusPath = ['orchestrator', 'consensus'];

function checkConsensus(team: TeamFile, report: TeamReport): void {
  const agents = agentsOf(team);
  const needed = team.orchestrator?.consensus?.min_agreement ?? 0;
  if (agents.length > 0 && needed > agents.length) {
    const message = `min_agreement is ${needed}, but the team has only ${agents.length} agents.`;
    report.at([...consensusPath, 'min_agreement'], { code: 'wrong-value', message });
  }
  checkWeights(agents, team.orchestrator?.consensus?.weights ?? new Map<string, number>(), report);
}

function checkWeights(
  agents: readonly AgentBlock[],
  weights: ReadonlyMap<string, number>,
  report: TeamReport,
): void {
  const ids = agents.flatMap(({ id }) => id ?? []);
  for (const id of weights.keys()) {
    if (!ids.includes(id)) {
      const suggestion = nearest(id, ids);
      const message = `No agent has the id ${shown(id)}.`;
      const path = [...consensusPath, 'weights', id];
      report.at(path, { code: 'wrong-value', message, suggestion });
    }
  }
  const effective = agents.map(({ id, weight }) => weights.get(id ?? '') ?? weight);
  if (effective.length > 0 && effective.every((weight) => weight === 0)) {
    const path = weights.size === 0 ? ['agents'] : [...consensusPath, 'weights'];
    const message = 'Every agent has the weight 0, so nobody can vote.';
    report.at(path, { code: 'wrong-value', message });
  }
}

/** Keys that are accepted and mean something else, or less, here. */
function checkMapped(team: TeamFile, report: TeamReport): void {
  const block = team.orchestrator ?? {};
  checkCoordination(block.coordination ?? {}, report);
  if (block.coordination_mode === 'decomposition') {
    const message = 'decomposition is not supported yet; the team votes.';
    report.unsupported(['orchestrator', 'coordination_mode'], message);
  }
  if (block.context_path_writes === 'presenter_only') {
    const message = 'presenter_only is not supported yet; every agent edits its own layers.';
    report.unsupported(['orchestrator', 'context_path_writes'], message);
  }
  if (block.snapshot_storage !== undefined || block.agent_temporary_workspace !== undefined) {
    report.notices.push(
      'snapshot_storage and agent_temporary_workspace are mapped to the storage of the run.',
    );
  }
  if (agentsOf(team).some(({ backend }) => backend?.hasCwd === true)) {
    report.notices.push('cwd: every agent has a private folder of its own, empty at the start.');
  }
}

function checkCoordination(
  block: NonNullable<OrchestratorBlock['coordination']>,
  report: TeamReport,
): void {
  const path = ['orchestrator', 'coordination'];
  const writeMode = block.write_mode;
  if (writeMode === 'legacy') {
    report.at([...path, 'write_mode'], {
      code: 'wrong-value',
      message:
        'legacy lets agents write into your files at once, which this product never does; use auto.',
      suggestion: 'auto',
    });
  } else if (writeMode !== undefined) {
    report.notices.push(`write_mode: ${writeMode} means layers over your folders here.`);
  }
  if ((block.max_orchestration_restarts ?? 0) > 0) {
    const message = 'Restarts of the whole run are not supported yet; there is one attempt.';
    report.unsupported([...path, 'max_orchestration_restarts'], message);
  }
}

type ContextPathEntry = NonNullable<OrchestratorBlock['context_paths']>[number];

/** A plain text is short for a path with read permission. */
export function toContextPath(entry: ContextPathEntry): Exclude<ContextPathEntry, string> {
  return typeof entry === 'string' ? { path: entry } : entry;
}

function checkContextPaths(team: TeamFile, report: TeamReport): void {
  const seen = new Set<string>();
  for (const [index, entry] of (team.orchestrator?.context_paths ?? []).entries()) {
    const { path = '', protected_paths: inner = [] } = toContextPath(entry);
    const at = ['orchestrator', 'context_paths', index];
    if (seen.has(path)) {
      const message = `${shown(path)} is listed twice; the weaker permission holds.`;
      report.at(at, { code: 'duplicate', severity: 'warning', message });
    }
    seen.add(path);
    for (const [position, item] of inner.entries()) {
      if (isOutside(item, path)) {
        const place = [...at, 'protected_paths', position];
        const message = `${shown(item)} lies outside its context path and protects nothing.`;
        report.at(place, { code: 'wrong-value', severity: 'warning', message });
      }
    }
  }
}

/** By the text alone; links are the workspace's business. */
export function isOutside(item: string, folder: string): boolean {
  const isAbsolute = /^([/\\]|[A-Za-z]:)/.test(item);
  if (isAbsolute) {
    return !`${item}/`.startsWith(`${folder.replace(/[/\\]+$/, '')}/`);
  }
  let depth = 0;
  for (const part of item.split(/[/\\]/)) {
    depth += part === '..' ? -1 : part === '.' || part === '' ? 0 : 1;
    if (depth < 0) {
      return true;
    }
  }
  return false;
}
