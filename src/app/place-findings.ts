// Paths and programs that a team names and this machine does not have.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { AgentConfig, RunConfig } from '../config/run-config';
import type { BackendKind } from '../core/ports/backend-kind';
import type { Finding } from './key-findings';

interface Placed {
  readonly config: RunConfig;
  readonly kinds: readonly BackendKind[];
  /** Absolute; absent: relative paths are not looked for. */
  readonly project: string | undefined;
  /** A value of PATH. */
  readonly searchPath: string;
}

/** Looks only; starts and reads nothing. Throws `cancelled/*`. */
export async function placeFindings(
  { config, kinds, project, searchPath }: Placed,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const missing: Finding[] = [];
  for (const wanted of [
    ...contextPaths(config),
    ...config.agents.flatMap((agent) => agentFiles(agent)),
  ]) {
    signal.throwIfAborted();
    const path = fileAt(wanted.path, project);
    if (path !== undefined && !(await isThere(path))) {
      missing.push({
        ...wanted.finding,
        message: `There is nothing at ${path}.${hintAt(wanted.path)}`,
      });
    }
  }
  for (const wanted of config.agents.flatMap((agent) => programsOf(agent, kinds))) {
    signal.throwIfAborted();
    if (!(await isProgram(wanted.program, { project, searchPath }))) {
      const where = wanted.program.includes('/') ? '' : ' in the folders of PATH';
      const message = `${wanted.program}, ${wanted.purpose}, is not there${where}. Install it, or write its whole path.`;
      missing.push({ ...wanted.finding, message });
    }
  }
  return missing;
}

interface Wanted {
  readonly path: string;
  readonly finding: Omit<Finding, 'message'>;
}

function contextPaths({ contextPaths: paths }: RunConfig): readonly Wanted[] {
  return paths.map(({ path }) => ({
    path,
    finding: {
      place: { keys: ['context_paths'], text: path },
      ...{ severity: 'error', code: 'not-found' },
    },
  }));
}

function agentFiles({ id, tools }: AgentConfig): readonly Wanted[] {
  const uploads = (tools?.uploads ?? []).flatMap(({ source }) =>
    /^[a-z][a-z0-9+.-]+:\/\//i.test(source) ? [] : [{ path: source, key: 'upload_files' }],
  );
  const modules = (tools?.custom ?? []).flatMap(({ run }) =>
    run.kind === 'module' ? [{ path: run.path, key: 'custom_tools' }] : [],
  );
  return [...uploads, ...modules].map(({ path, key }) => ({
    path,
    finding: {
      place: { agentId: id, keys: [key], text: path },
      ...{ severity: 'error', code: 'not-found' },
    },
  }));
}

interface WantedProgram {
  readonly program: string;
  /** As the rest of `NAME, …, is not there`. */
  readonly purpose: string;
  readonly finding: Omit<Finding, 'message'>;
}

/** Without a server or tool an agent still works, so that only an agent program must be there. */
function programsOf(
  { id, backend, tools }: AgentConfig,
  kinds: readonly BackendKind[],
): readonly WantedProgram[] {
  const kind = kinds.find(({ type }) => type === backend.type);
  const own = kind?.isProgram === true ? kind.commandOf(backend)[0] : undefined;
  const servers = (tools?.servers ?? []).flatMap(({ name, transport }) =>
    transport.type === 'stdio'
      ? [wantedProgram(transport.command[0], `the program of the server ${name}`, id)]
      : [],
  );
  const custom = (tools?.custom ?? []).flatMap(({ name, run }) =>
    run.kind === 'command' ? [wantedProgram(run.command[0], `the program of ${name}`, id)] : [],
  );
  const agent =
    own === undefined
      ? []
      : [
          {
            program: own,
            purpose: `the program of ${kind?.title ?? backend.type}`,
            finding: {
              place: { agentId: id, keys: ['backend', 'command'] },
              ...({ severity: 'error', code: 'not-found' } as const),
            },
          },
        ];
  return [...agent, ...servers, ...custom].filter(({ program }) => !program.includes('${'));
}

function wantedProgram(program: string, purpose: string, agentId: string): WantedProgram {
  const place = { agentId, keys: [], text: program };
  return { program, purpose, finding: { place, severity: 'warning', code: 'not-found' } };
}

/** As a run finds it. */
function fileAt(path: string, project: string | undefined): string | undefined {
  return isAbsolute(path) ? path : project === undefined ? undefined : resolve(project, path);
}

function hintAt(path: string): string {
  return /^~(?=\/|$)/.test(path) ? ' Write ${HOME} or the whole path in place of ~.' : '';
}

function absolute(path: string, project: string | undefined): string | undefined {
  const whole = path.replace(/^~(?=\/|$)/, homedir());
  return isAbsolute(whole) ? whole : project === undefined ? undefined : resolve(project, whole);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function isProgram(
  program: string,
  { project, searchPath }: Pick<Placed, 'project' | 'searchPath'>,
): Promise<boolean> {
  if (program.includes('/') || program.startsWith('~')) {
    const path = absolute(program, project);
    return path === undefined || isExecutable(path);
  }
  for (const folder of searchPath.split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, program)))) {
      return true;
    }
  }
  return false;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
