// Names for what the app hands out, so that the shell needs no import below `app`.
import type { App, StartRunRequest } from '../app/app-contract';

export type RunConfig = StartRunRequest['config'];
type ConfigResult = ReturnType<App['loadConfig']>;
export type ConfigProblem = Extract<ConfigResult, { kind: 'problems' }>['problems'][number];
