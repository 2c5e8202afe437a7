// What other extensions get from `activate()`. Nothing heavy is loaded before it is used.
import type { ExtensionApi } from '../../api/run-contract';
import { teamRun } from '../../api/team-run';
import type { Shell } from '../shell';

export function extensionApi(load: () => Promise<Shell>): ExtensionApi {
  return {
    apiVersion: 1,
    run: (task, options) =>
      teamRun(
        async (tell, signal) => (await load()).programs.run({ task, options, tell }, signal),
        options.signal,
      ),
    buildConfig: async (options) => (await load()).programs.buildConfig(options),
  };
}
