export type LogTag =
  | 'orchestrator'
  | 'agent'
  | 'backend'
  | 'tool'
  | 'workspace'
  | 'storage'
  | 'config'
  | 'view'
  | 'review'
  | 'app';

/**
 * Explanations for people; no feature reads a log. `info`: a user could follow the run by it; `debug`: decisions with
 * inputs; `trace`: payloads. Every sink removes secrets.
 */
export interface Logger {
  trace(tag: LogTag, message: string): void;
  debug(tag: LogTag, message: string): void;
  info(tag: LogTag, message: string): void;
  warn(tag: LogTag, message: string): void;
  error(tag: LogTag, message: string, error?: unknown): void;
}
