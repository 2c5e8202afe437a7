// What is said about the models and programs of a team beside their own keys.
import type { BackendSettings } from '../core/ports/backend-kind';
import type { BackendBlock } from './schema/backend-block';
import type { TeamFile } from './schema/team-file';
import { agentsOf } from './team-members';
import type { TeamReport } from './team-report';

/** What a user should know about the model of a block before it is asked, e.g. that it ends soon; `undefined`: nothing. */
export type ModelNotice = (settings: BackendSettings) => string | undefined;

export function checkBackends(team: TeamFile, report: TeamReport, modelNotice: ModelNotice): void {
  reportIgnored(team, report);
  reportMoved(team, report);
  reportIsolation(team, report);
  for (const [index, { backend }] of agentsOf(team).entries()) {
    const path = team.agents === undefined ? ['agent'] : ['agents', index];
    checkCommandRules(backend, [...path, 'backend'], report);
    noteOwnCommands(backend, [...path, 'backend'], report);
    reportModel(backend?.settings, { path: [...path, 'backend', 'model'], report, modelNotice });
  }
  const judge = team.orchestrator?.consensus?.judge;
  const path = ['orchestrator', 'consensus', 'judge'];
  if (typeof judge === 'string') {
    const isProgram = agentsOf(team).some(({ id, backend }) => id === judge && backend?.isProgram);
    refuseProgram(isProgram, path, report);
  } else {
    refuseProgram(judge?.isProgram === true, path, report);
    reportModel(judge?.settings, { path: [...path, 'model'], report, modelNotice });
  }
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly report: TeamReport;
  readonly modelNotice: ModelNotice;
}

function reportModel(
  settings: BackendSettings | undefined,
  { path, report, modelNotice }: Place,
): void {
  const message = settings === undefined ? undefined : modelNotice(settings);
  if (message !== undefined) {
    report.at(path, { code: 'no-effect', severity: 'warning', message });
  }
}

/** A judge reads two texts and says one word; a program would go through files and ask for rights meanwhile. */
function refuseProgram(
  isProgram: boolean,
  path: readonly (string | number)[],
  report: TeamReport,
): void {
  if (isProgram) {
    const message = 'An agent program cannot be the judge; name a model.';
    report.at(path, { code: 'wrong-value', message });
  }
}

/** A program runs its commands by itself, so that none of them is seen before it runs. */
function checkCommandRules(
  backend: BackendBlock | undefined,
  path: readonly (string | number)[],
  report: TeamReport,
): void {
  const { allowed = [], blocked = [] } = backend?.commandRules ?? {};
  const keys = [
    ...(allowed.length > 0 ? ['command_line_allowed_commands'] : []),
    ...(blocked.length > 0 ? ['command_line_blocked_commands'] : []),
  ];
  for (const key of backend?.isProgram === true ? keys : []) {
    const message = `${backend?.settings.type ?? ''} runs its commands by itself, so that this cannot be kept; take it out, or give the agent another type.`;
    report.at([...path, key], { code: 'not-supported', message });
  }
}

/** Its own tools are not those that a file can take away. */
function noteOwnCommands(
  backend: BackendBlock | undefined,
  path: readonly (string | number)[],
  report: TeamReport,
): void {
  if (backend?.isProgram === true && backend.commandRules?.isForbidden === true) {
    report.at([...path, 'enable_mcp_command_line'], {
      code: 'not-supported',
      severity: 'warning',
      message: `${backend.settings.type} keeps its own way to run commands, confined like itself.`,
    });
  }
}

function reportIsolation(team: TeamFile, report: TeamReport): void {
  const isAsked = agentsOf(team).some(({ backend }) => backend?.commandRules?.mustBeConfined);
  if (isAsked) {
    report.notices.push(
      'command_line_execution_mode: commands run confined by this machine instead of in a container; where nothing confines them, a person is asked about each, and on the command line they are refused.',
    );
  }
}

function reportMoved(team: TeamFile, report: TeamReport): void {
  const keys = new Set(agentsOf(team).flatMap(({ keysBeside }) => keysBeside ?? []));
  if (keys.size > 0) {
    const one = keys.size === 1;
    report.notices.push(
      `${[...keys].join(', ')} ${one ? 'stands' : 'stand'} beside backend and ${one ? 'is' : 'are'} read as if ${one ? 'it' : 'they'} stood in it.`,
    );
  }
}

function reportIgnored(team: TeamFile, report: TeamReport): void {
  const keys = new Set(agentsOf(team).flatMap(({ backend }) => backend?.ignoredKeys ?? []));
  if (keys.size > 0) {
    const verb = keys.size === 1 ? 'is' : 'are';
    report.notices.push(
      `${[...keys].join(', ')} ${verb} set by the product itself; what the file says is ignored.`,
    );
  }
}
