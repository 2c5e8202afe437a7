import type { ConfigResult } from '../config/run-config';
import type { TeamCheck, TeamCheckRequest } from './app-contract';
import type { Services } from './services';

/** See `App.checkTeam`. */
export async function checkTeam(
  _services: Services,
  load: (text: string, file: string) => ConfigResult,
  { text, file }: TeamCheckRequest,
  signal: AbortSignal,
): Promise<TeamCheck> {
  signal.throwIfAborted();
  const result = load(text, file);
  return result.kind === 'ok'
    ? { problems: result.warnings, config: result.config }
    : { problems: result.problems, config: undefined };
}
