import type { RunConfig } from '../config/run-config';
import { clip } from '../base/text';
import type { Logger } from '../core/ports/logger';
import {
  completeSession,
  forgetSessions,
  type ListedSession,
  readSessionList,
  registerSession,
  type RegistryPlace,
} from '../storage/session-registry';
import type { SessionOrigin } from './app-contract';

/** What is noted of a session when a run of it begins. */
export interface SessionBeginning {
  readonly sessionId: string;
  readonly task: string;
  readonly config: RunConfig;
  /** Storage folder, and the folder of the run's readable files. */
  readonly dataPath: string;
  readonly logDirectory: string | null;
}

/**
 * The shared list of sessions. It says where sessions are; what came of their runs stands in the runs alone. No method
 * rejects: a list that cannot be written is logged, and the run goes on without being in it.
 */
export interface SessionBook {
  begin(beginning: SessionBeginning, signal: AbortSignal): Promise<void>;
  end(sessionId: string): Promise<void>;
  forget(isGone: (session: ListedSession) => boolean): Promise<void>;
  read(): readonly ListedSession[];
}

export interface SessionBookParts extends RegistryPlace {
  readonly origin: SessionOrigin;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
}

const descriptionLength = 200;

export function createSessionBook(parts: SessionBookParts): SessionBook {
  const attempt = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      parts.logger.warn('storage', `the list of sessions was not written: ${String(error)}`);
    }
  };
  const always = new AbortController().signal;
  return {
    begin: async (beginning, signal) =>
      attempt(() => registerSession(parts, toEntry(parts, beginning), signal)),
    end: async (sessionId) => attempt(() => completeSession(parts, sessionId, always)),
    forget: async (isGone) => attempt(() => forgetSessions(parts, isGone, always)),
    read: () => readSessionList(parts.file),
  };
}

function toEntry(
  { origin, clock, redact }: SessionBookParts,
  { sessionId, task, config, dataPath, logDirectory }: SessionBeginning,
): Parameters<typeof registerSession>[1] {
  const models = config.agents.map(({ backend: { model, type } }) => (model === '' ? type : model));
  return {
    session_id: sessionId,
    start_time: new Date(clock.now()).toISOString(),
    end_time: null,
    status: 'active',
    config_path: config.file ?? null,
    model: [...new Set(models)].join(', '),
    description: clip(redact(task).replace(/\s+/g, ' ').trim(), descriptionLength),
    log_directory: logDirectory,
    data_path: dataPath,
    origin,
  };
}
