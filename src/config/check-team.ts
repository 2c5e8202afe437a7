import { isMap } from 'yaml';
import { nearest } from '../base/text';
import { checkApply } from './auto-apply';
import { checkConflicts } from './check-conflicts';
import { checkToolLists } from './check-tool-lists';
import { checkChecks } from './team-checks';
import { firstFormatKeys } from './schema/original-keys';
import type { AgentBlock } from './schema/agent-block';
import type { ContextPathEntry } from './schema/context-paths';
import { knownSensitivity } from './schema/sensitivity';
import type { OrchestratorBlock, TeamFile } from './schema/team-file';
import { shown } from './secret-text';
import { agentsOf, membersOf } from './team-members';
import type { TeamReport } from './team-report';
import type { YamlText } from './yaml/parse-yaml';

/** Files of MassGen's first format are recognized as a whole, instead of as a row of unknown keys. */
export function isFirstFormat({ document }: YamlText): boolean {
  const root = document.contents;
  return isMap(root) && firstFormatKeys.some((key) => root.has(key));
}

export function reportFirstFormat({ document }: YamlText, report: TeamReport): void {
  const root = document.contents;
  const found = firstFormatKeys.filter((key) => isMap(root) && root.has(key));
  report.at(found.slice(0, 1), {
    code: 'not-supported',
    severity: 'error',
    message: `${found.join(', ')}: this is MassGen's first file format, which is no longer read. List the agents under agents, each with an id and a backend.`,
  });
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
  checkConflicts(team, report);
  checkAgents(team, report);
  checkToolLists(team, yaml, report);
  checkMainAgent(team, report);
  checkOwnPaths(team, report);
  checkMapped(team, report);
  checkContextPaths(team, report);
  checkChecks(team, report);
  checkApply(team, report);
}

const consensusPath = ['orchestrator', 'consensus'];

function checkConsensus(team: TeamFile, report: TeamReport): void {
  const members = membersOf(team);
  const { min_agreement: needed = 0, judge, weights } = team.orchestrator?.consensus ?? {};
  if (members.length > 0 && needed > members.length) {
    const message = `min_agreement is ${needed}, but the team has only ${members.length} ${members.length === 1 ? 'agent' : 'agents'}.`;
    report.at([...consensusPath, 'min_agreement'], { code: 'wrong-value', message });
  }
  if (typeof judge === 'string') {
    checkJudge(judge, team, report);
  }
  const presenter = team.orchestrator?.presenter_agent;
  const ids = members.flatMap(({ id }) => id ?? []);
  if (presenter !== undefined) {
    checkId(presenter, ids, { report, path: ['orchestrator', 'presenter_agent'] });
  }
  checkWeights(members, weights ?? new Map<string, number>(), report);
}

function checkJudge(judge: string, team: TeamFile, report: TeamReport): void {
  const path = [...consensusPath, 'judge'];
  const ids = agentsOf(team).flatMap(({ id }) => id ?? []);
  if (!checkId(judge, ids, { report, path })) {
    return;
  }
  if (membersOf(team).length === 0) {
    const message = 'The judge is the only agent, and nobody is left to answer.';
    report.at(path, { code: 'wrong-value', message });
  } else {
    report.notices.push(`${judge} only judges: it neither answers nor votes.`);
  }
}

interface Place {
  readonly report: TeamReport;
  readonly path: readonly (string | number)[];
}

function checkId(id: string, ids: readonly string[], { report, path }: Place): boolean {
  const isKnown = ids.includes(id);
  if (!isKnown) {
    const suggestion = nearest(id, ids);
    const message = `No agent${ids.length === 0 ? '' : ' that answers and votes'} has the id ${shown(id)}.`;
    report.at(path, { code: 'wrong-value', message, suggestion });
  }
  return isKnown;
}

function checkWeights(
  agents: readonly AgentBlock[],
  weights: ReadonlyMap<string, number>,
  report: TeamReport,
): void {
  const ids = agents.flatMap(({ id }) => id ?? []);
  for (const id of weights.keys()) {
    checkId(id, ids, { report, path: [...consensusPath, 'weights', id] });
  }
  const effective = agents.map(({ id, weight }) => weights.get(id ?? '') ?? weight);
  if (effective.length > 0 && effective.every((weight) => weight === 0)) {
    const path = weights.size === 0 ? ['agents'] : [...consensusPath, 'weights'];
    const message = 'Every agent has the weight 0, so nobody can vote.';
    report.at(path, { code: 'wrong-value', message });
  }
}

/** What agents may not share, and parts of a task that nobody divides. */
function checkAgents(team: TeamFile, report: TeamReport): void {
  const taken = new Set<string>();
  const isDivided = team.orchestrator?.coordination_mode === 'decomposition';
  for (const [index, { backend, subtask, ...own }] of agentsOf(team).entries()) {
    const path = team.agents === undefined ? ['agent'] : ['agents', index];
    const cwd = backend?.cwd?.replace(/[/\\]+$/, '');
    if (cwd !== undefined && taken.has(cwd)) {
      const message = `The folder ${shown(cwd)} is already that of another agent.`;
      report.at([...path, 'backend', 'cwd'], { code: 'duplicate', message });
    }
    if (cwd !== undefined) {
      taken.add(cwd);
    }
    if (subtask !== undefined && !isDivided) {
      const message = 'subtask has an effect with `coordination_mode: decomposition` only.';
      report.at([...path, 'subtask'], { code: 'no-effect', severity: 'warning', message });
    }
    checkSensitivity(own.voting_sensitivity, [...path, 'voting_sensitivity'], report);
  }
}

function checkMainAgent(team: TeamFile, report: TeamReport): void {
  const [, ...others] = [...agentsOf(team).entries()].filter(([, agent]) => agent.main_agent);
  for (const [index] of others) {
    const message = 'Another agent is the main agent already.';
    report.at(['agents', index, 'main_agent'], { code: 'duplicate', message });
  }
}

/** Access that a file gives to one agent would be given to all. */
function checkOwnPaths(team: TeamFile, report: TeamReport): void {
  const agents = agentsOf(team);
  for (const [index, { backend }] of agents.length > 1 ? agents.entries() : []) {
    if (backend?.contextPaths !== undefined) {
      const reason = 'only in a team of one; name them under orchestrator for all';
      report.noteNoEffect(['agents', index, 'backend', 'context_paths'], reason);
    }
  }
}

function checkSensitivity(
  written: AgentBlock['voting_sensitivity'],
  path: readonly (string | number)[],
  report: TeamReport,
): void {
  if (written !== undefined && knownSensitivity(written) === undefined) {
    report.noteNoEffect(path, `${written} is not here yet, that of the team is used`);
  }
}

/** Keys that are accepted and mean something else, or less, here. */
function checkMapped(team: TeamFile, report: TeamReport): void {
  const block = team.orchestrator ?? {};
  checkCoordination(block.coordination ?? {}, report);
  if (block.context_path_writes === 'presenter_only') {
    const reason = 'presenter_only is not here yet, every agent edits its own layers';
    report.noteNoEffect(['orchestrator', 'context_path_writes'], reason);
  }
  if (block.snapshot_storage !== undefined || block.agent_temporary_workspace !== undefined) {
    report.notices.push(
      'snapshot_storage and agent_temporary_workspace are mapped to the storage of the run.',
    );
  }
  if (agentsOf(team).some(({ backend }) => backend?.cwd !== undefined)) {
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
}

/** A plain text is short for a path with read permission. */
export function toContextPath(entry: ContextPathEntry): Exclude<ContextPathEntry, string> {
  return typeof entry === 'string' ? { path: entry } : entry;
}

function checkContextPaths(team: TeamFile, report: TeamReport): void {
  const seen = new Set<string>();
  for (const [index, entry] of (team.orchestrator?.context_paths ?? []).entries()) {
    const { path = '', protected_paths: inner = [] } = toContextPath(entry);
    const at = ['orchestrator', 'context_paths', index];
    if (seen.has(placeOf(path))) {
      const message = `${shown(path)} is listed twice; the weaker permission holds.`;
      report.at(at, { code: 'duplicate', severity: 'warning', message });
    }
    seen.add(placeOf(path));
    for (const [position, item] of inner.entries()) {
      if (isOutside(item, path)) {
        const place = [...at, 'protected_paths', position];
        const message = `${shown(item)} lies outside its context path and protects nothing.`;
        report.at(place, { code: 'wrong-value', severity: 'warning', message });
      }
    }
  }
}

/** `./src/` is `src`: both are one place, and the weaker permission of the two holds for it. By the text alone. */
export function placeOf(path: string): string {
  const steps = path.split(/[/\\]/).filter((step) => step !== '' && step !== '.');
  return `${/^[/\\]/.test(path) ? '/' : ''}${steps.join('/')}`;
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
