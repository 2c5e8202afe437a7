import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId } from '../base/ids';
import { builtInBackends } from '../backends/registry';
import { detectLocalServers } from '../backends/chatcompletion/local-servers';
import { loadConfig } from '../config/load-config';
import { createModelNotice } from './model-notices';
import type { RunConfig } from '../config/run-config';
import { checkTeam } from './check-team';
import { MassGenError } from '../core/errors';
import type { BackendKind } from '../core/ports/backend-kind';
import type { Logger } from '../core/ports/logger';
import { Pacer } from '../core/orchestrator/pace';
import { RateGate } from '../core/orchestrator/rate-gate';
import type { PayloadStore } from '../core/ports/payload-store';
import { both, createLogger, withoutSecrets } from '../logging/logger';
import { createRedactor } from '../logging/redactor';
import { fileSink } from '../logging/sinks';
import { createFileEventStore } from '../storage/file-event-store';
import { holdsRun } from '../storage/own-folders';
import { createSessionFiles } from '../storage/session-files';
import { createPayloadFiles } from '../storage/payload-files';
import { ordinaryTools } from '../tools/registry';
import { openAddresses } from '../workspace/network/open-addresses';
import type { App, AppParts } from './app-contract';
import { composeApp } from './compose-app';
import { FileKeys, withFileKeys } from './file-keys';
import { watchedSecrets } from './loaded-secrets';
import { productVersion } from './product-version';
import { joinStorages, type OneStorage } from './joined-storages';
import { artifactsOfRuns, noArtifacts } from './run-artifacts';
import type { Services } from './services';
import { createSessionBook } from './session-book';
import { toolSources } from './tool-sources';
import { workspaceFiles } from './workspace-files';

/** Puts the product together: the only place where its adapters meet its core. Starts nothing. */
export function createApp(parts: AppParts): App {
  const { storageDir, clock, registryFile, origin } = parts;
  const redactor = createRedactor();
  const redact = (text: string): string => redactor.redact(text);
  const logger = withoutSecrets(both(parts.logger, fileLogger(parts)), redact);
  const fileKeys = new FileKeys((value) => {
    redactor.add(value);
  });
  const secrets = withFileKeys(parts.secrets, fileKeys);
  const shared: Shared = {
    ...{ redactor, logger, fileKeys },
    secrets: watchedSecrets({ ...parts, secrets }, redactor),
    addressesOf: openAddresses(),
    pacer: new Pacer(clock),
    gate: new RateGate(clock),
    book:
      registryFile === undefined
        ? undefined
        : createSessionBook({ ...{ file: registryFile, origin, clock, logger, redact } }),
  };
  return joinStorages({
    own: openStorage(parts, shared),
    ownDir: storageDir,
    open: (dir) => openStorage({ ...parts, storageDir: dir }, shared),
    listRunsIn: async (dir) => createFileEventStore({ dir, clock }).list(),
    holdsRun,
    book: shared.book,
  });
}

/** One of each for all storages of this process. */
type Shared = Pick<
  Services,
  'redactor' | 'logger' | 'secrets' | 'addressesOf' | 'pacer' | 'gate' | 'book'
> & { readonly fileKeys: FileKeys };

/** The product over one folder of runs. */
function openStorage(parts: AppParts, shared: Shared): OneStorage {
  const { storageDir, installDir, clock, liveFiles, extraBackends } = parts;
  const { fileKeys, ...common } = shared;
  const { redactor, logger, secrets, addressesOf } = common;
  const recordingsDir = join(installDir, 'media', 'offline');
  const kinds = [
    ...builtInBackends({ recordingsDir, runsDir: join(storageDir, 'runs') }),
    ...extraBackends,
  ];
  const store = createFileEventStore({
    dir: storageDir,
    clock,
    productVersion: productVersion(installDir),
  });
  const payloadsOf = (runId: RunId): PayloadStore =>
    createPayloadFiles(join(storageDir, 'runs', runId, 'payloads'));
  const loadOptions = {
    modelNotice: createModelNotice(kinds, clock),
    keepKey: fileKeys.keep,
    ...(parts.variables === undefined ? {} : { variables: parts.variables }),
  };
  const services = {
    ...common,
    ...{ storageDir, kinds, store, payloadsOf, loadOptions },
    sessions: createSessionFiles({ dir: storageDir, clock }),
    tools: ordinaryTools({ addressesOf, ripgrep: parts.ripgrep ?? [] }),
    extraTools: () => parts.extraTools?.() ?? [],
    artifacts: (parts.artifacts === 'none' ? noArtifacts : artifactsOfRuns)({
      ...{ storageDir, installDir, clock, logger, store, payloadsOf },
      cliArgs: parts.cliArgs,
      redact: (text) => redactor.redact(text),
    }),
    files: workspaceFiles({
      ...{ storageDir, liveFiles, clock, logger },
      findSandbox: parts.findSandbox,
      hiddenPaths: () => parts.hiddenPaths?.() ?? [],
    }),
    openToolSource: toolSources({
      ...{ storageDir, secrets, redactor, clock, logger },
      version: productVersion(installDir),
      openAddresses: addressesOf,
      ...(parts.signIns === undefined ? {} : { signIns: parts.signIns }),
    }),
    clock,
  };
  return composeApp(services, {
    loadConfig: (text, file) => loadConfig(text, file, kinds, loadOptions),
    checkTeam: async (request, signal) => checkTeam(services, request, signal),
    offlineTeam: () => offlineTeam(join(installDir, 'configs', 'offline.yaml'), kinds),
    detectLocalServers,
  });
}

const logBytes = 2_000_000;

/** What a user is asked for with a report; the shell's own log is gone with its window. */
function fileLogger({ storageDir, clock }: AppParts): Logger {
  const sink = fileSink(join(storageDir, 'massgen.log'), logBytes);
  return createLogger({ sinks: [sink], level: 'info', now: () => clock.now() });
}

/** Throws `config/invalid` when the installation is damaged. */
async function offlineTeam(file: string, kinds: readonly BackendKind[]): Promise<RunConfig> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new MassGenError('config/invalid', `The shipped team ${file} cannot be read.`, {
      cause: error,
      hint: 'Install MassGen again.',
    });
  }
  const result = loadConfig(text, file, kinds);
  if (result.kind === 'problems') {
    const [first] = result.problems;
    const problem = first === undefined ? '' : ` Line ${first.line}: ${first.message}`;
    throw new MassGenError('config/invalid', `The shipped team ${file} is not valid.${problem}`);
  }
  return result.config;
}
