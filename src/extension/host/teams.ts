import * as vscode from 'vscode';
import type { App, ConfigProblem, RunConfig } from '../../app/app-contract';
import { playerOf } from '../../app/player-of';
import type { TeamChoice } from '../../protocol/webview';
import { playerName } from '../../run/selectors/player-name';
import { type EditorModels, lineOf, proposeTeam } from '../lm/editor-models';
import type { KnownModel, Memory } from '../memory';
import { type TeamFile, type TeamFiles, configuredTeamFile, teamFileName } from './team-files';
import { asSetHere, projectServers } from './program-settings';
import { ruleInWords } from './rule-words';

/** A team that can be chosen; a file with problems is listed too, so that choosing it says what is wrong. */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly config: RunConfig | undefined;
  readonly problems: readonly ConfigProblem[];
  readonly file: TeamFile | undefined;
  readonly isScripted: boolean;
  /** The project's servers for the editor, which its agents have as well. */
  readonly servers?: TeamFile;
}

const offlineTeamId = 'offline';
export const editorTeamId = 'editor-models';

/** Knows which teams there are in this window and which one is chosen. */
export class Teams {
  readonly #app: App;
  readonly #files: TeamFiles;
  readonly #models: EditorModels;
  readonly #memory: Memory;

  constructor(parts: { app: App; files: TeamFiles; models: EditorModels; memory: Memory }) {
    this.#app = parts.app;
    this.#files = parts.files;
    this.#models = parts.models;
    this.#memory = parts.memory;
  }

  /** Real teams first; the script that ships with the product is always the last. */
  async list(): Promise<readonly Team[]> {
    const servers = await projectServers();
    const files = (await this.#files.list()).map((file) =>
      withServers(this.#fromFile(file), servers),
    );
    const models = this.#fromEditorModels();
    const proposed = models === undefined ? undefined : withServers(models, servers);
    const offline: Team = {
      id: offlineTeamId,
      name: vscode.l10n.t('Offline demonstration'),
      config: await this.#app.offlineTeam(),
      problems: [],
      file: undefined,
      isScripted: true,
    };
    return [
      ...missingFile(files),
      ...files,
      ...(proposed === undefined ? [] : [proposed]),
      offline,
    ];
  }

  /** The user's choice if it still exists, else the setting's file, also a missing one, else the first real team. */
  choose(teams: readonly Team[]): Team | undefined {
    const configured = configuredTeamFile();
    const wanted = [this.#memory.teamId, configured === undefined ? undefined : fileId(configured)];
    return (
      wanted.map((id) => teams.find((team) => team.id === id)).find((team) => team !== undefined) ??
      teams[0]
    );
  }

  #fromFile(file: TeamFile): Team {
    const result = this.#app.loadConfig(file.text, file.path);
    const isOk = result.kind === 'ok';
    return {
      id: fileId(file.path),
      name: isOk && result.config.name !== '' ? result.config.name : teamFileName(file.path),
      config: isOk ? result.config : undefined,
      problems: isOk ? result.warnings : result.problems,
      file,
      isScripted: false,
    };
  }

  #fromEditorModels(): Team | undefined {
    const members = proposeTeam(this.#models.known);
    if (members.length === 0) {
      return undefined;
    }
    const result = this.#app.loadConfig(editorTeamText(members), '(editor models)');
    return {
      id: editorTeamId,
      name: vscode.l10n.t('Editor models'),
      config: result.kind === 'ok' ? result.config : undefined,
      problems: result.kind === 'ok' ? [] : result.problems,
      file: undefined,
      isScripted: false,
    };
  }
}

/** The same team as it is on this machine. */
function withServers(team: Team, servers: TeamFile | undefined): Team {
  if (team.config === undefined) {
    return team;
  }
  const { config, problems } = asSetHere(team.config, servers);
  return {
    ...team,
    config,
    problems: [...team.problems, ...problems],
    ...(servers === undefined ? {} : { servers }),
  };
}

/** The file that the setting names and that is not there: a team as well, so that the panel can say so. */
function missingFile(files: readonly Team[]): readonly Team[] {
  const path = configuredTeamFile();
  if (path === undefined || files.some(({ id }) => id === fileId(path))) {
    return [];
  }
  const team = { id: fileId(path), name: teamFileName(path), config: undefined, problems: [] };
  return [{ ...team, file: undefined, isScripted: false }];
}

export function toTeamChoice(team: Team, app: App): TeamChoice {
  const agents = team.config?.agents ?? [];
  const kindOf = (type: string): App['backendKinds'][number] | undefined =>
    app.backendKinds.find((kind) => kind.type === type);
  return {
    id: team.id,
    name: team.name,
    members: agents.map(({ backend }, index) => ({
      slot: index + 1,
      model: playerName(playerOf(backend, app.backendKinds)),
      provider: kindOf(backend.type)?.hostOf(backend) ?? placeOf(backend, kindOf(backend.type)),
    })),
    decides: team.config === undefined ? '' : ruleInWords(team.config),
    isScripted: team.isScripted,
    isPaid: agents.some(({ backend }) => {
      const price = kindOf(backend.type)?.priceOf(backend);
      return price === undefined || price.inputUsd > 0 || price.outputUsd > 0;
    }),
    notes: notesOf(team),
  };
}

/** Each once; what keeps a team from running is shown elsewhere. */
function notesOf({ config, problems }: Team): readonly string[] {
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const all = [...warnings.map(({ message }) => message), ...(config?.notices ?? [])];
  return config === undefined ? [] : [...new Set(all)];
}

type Backend = RunConfig['agents'][number]['backend'];
type Kind = App['backendKinds'][number] | undefined;

/** Where a model is that no host receives anything for. */
function placeOf({ type, options }: Backend, kind: Kind): string {
  return options['base_url'] !== undefined || kind?.isProgram === true
    ? vscode.l10n.t('this machine')
    : type;
}

/** A team file's text for the editor's own models; checked like any other team file. */
function editorTeamText(members: readonly KnownModel[]): string {
  const agents = members.map((model, index) =>
    [
      `  - id: member_${String(index + 1)}`,
      '    backend:',
      '      type: vscode_lm',
      `      model: ${JSON.stringify(model.id)}`,
      `      vendor: ${JSON.stringify(model.vendor)}`,
      `      family: ${JSON.stringify(lineOf(model))}`,
    ].join('\n'),
  );
  return `agents:\n${agents.join('\n')}\norchestrator:\n  profile: recommended\n`;
}

function fileId(path: string): string {
  return `file:${path}`;
}
