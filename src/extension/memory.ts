import type { Memento } from 'vscode';
import type { PathPermission } from '../run/facts';
import type { ChosenCheck } from './host/check-choices';

/** A model of the editor as it was last seen; asking the editor again waits for a user's action. */
export interface KnownModel {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
}

/** A command that may run without asking, in this workspace. */
export interface AllowedCommand {
  readonly command: string;
  /** Command and folder as a hash that is the same for every agent and run. */
  readonly rememberedAs: string;
}

/**
 * What the extension remembers between windows: a few small values, never run data. Everything read back is checked,
 * because an older or newer version may have written it.
 */
export class Memory {
  readonly #workspace: Memento;
  readonly #global: Memento;

  constructor(workspace: Memento, global: Memento) {
    this.#workspace = workspace;
    this.#global = global;
  }

  get teamId(): string | undefined {
    const value = this.#workspace.get<unknown>('massgen.teamId');
    return typeof value === 'string' ? value : undefined;
  }

  /** `undefined`: the window's setting decides again. */
  async setTeamId(teamId: string | undefined): Promise<void> {
    await this.#workspace.update('massgen.teamId', teamId);
  }

  permissionOf(folder: string): PathPermission {
    const value = this.#record('massgen.permissions')[folder];
    return value === 'read' ? 'read' : 'write';
  }

  async setPermission(folder: string, permission: PathPermission): Promise<void> {
    const all = { ...this.#record('massgen.permissions'), [folder]: permission };
    await this.#workspace.update('massgen.permissions', all);
  }

  get allowedCommands(): readonly AllowedCommand[] {
    return list(this.#workspace.get<unknown>('massgen.allowedCommands')).filter(isAllowedCommand);
  }

  async setAllowedCommands(commands: readonly AllowedCommand[]): Promise<void> {
    await this.#workspace.update('massgen.allowedCommands', commands);
  }

  /** Checks found in the project that new runs shall have, by their very text. */
  get chosenChecks(): readonly ChosenCheck[] {
    return list(this.#workspace.get<unknown>('massgen.checks')).filter(isChosenCheck);
  }

  async setChosenChecks(checks: readonly ChosenCheck[]): Promise<void> {
    await this.#workspace.update('massgen.checks', checks);
  }

  /** The run that the user left for a new task; it is not shown by itself again. */
  get leftRunId(): string | undefined {
    const value = this.#workspace.get<unknown>('massgen.leftRunId');
    return typeof value === 'string' ? value : undefined;
  }

  async setLeftRunId(runId: string): Promise<void> {
    await this.#workspace.update('massgen.leftRunId', runId);
  }

  isTrustedTeamFile(file: string, hash: string): boolean {
    return this.#record('massgen.trustedTeamFiles')[file] === hash;
  }

  async trustTeamFile(file: string, hash: string): Promise<void> {
    const all = { ...this.#record('massgen.trustedTeamFiles'), [file]: hash };
    await this.#workspace.update('massgen.trustedTeamFiles', all);
  }

  /** `undefined` until the user has chosen the editor's models once. */
  get editorModels(): readonly KnownModel[] | undefined {
    const value = this.#global.get<unknown>('massgen.editorModels');
    return Array.isArray(value) ? list(value).filter(isKnownModel) : undefined;
  }

  async setEditorModels(models: readonly KnownModel[]): Promise<void> {
    await this.#global.update('massgen.editorModels', models);
  }

  /** Names of the keys in the secret storage, which cannot list them itself. */
  get keyNames(): readonly string[] {
    return list(this.#global.get<unknown>('massgen.keyNames')).filter((x) => typeof x === 'string');
  }

  async setKeyNames(names: readonly string[]): Promise<void> {
    await this.#global.update('massgen.keyNames', [...new Set(names)].sort());
  }

  #record(key: string): Readonly<Record<string, unknown>> {
    const value = this.#workspace.get<unknown>(key);
    return isRecord(value) ? value : {};
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAllowedCommand(value: unknown): value is AllowedCommand {
  return (
    isRecord(value) &&
    typeof value['command'] === 'string' &&
    typeof value['rememberedAs'] === 'string'
  );
}

function isChosenCheck(value: unknown): value is ChosenCheck {
  return (
    isRecord(value) && typeof value['name'] === 'string' && typeof value['command'] === 'string'
  );
}

function isKnownModel(value: unknown): value is KnownModel {
  return (
    isRecord(value) &&
    ['id', 'name', 'vendor', 'family'].every((key) => typeof value[key] === 'string')
  );
}
