import type { App } from '../app/app-contract';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { RunState } from '../run/state';
import type { PlayOptions } from './invocation';
import { commandPolicy } from './command-policy';
import type { ExitCode } from './exit-codes';
import { UsageError } from './failure';
import { findTeam, type Team } from './find-team';
import { withRun } from './find-run';
import { followToEnd } from './follow-run';
import { styled } from './terminal';
import type { World } from './world';

/** Goes on with a run that was cut off, where its log ends, and prints the rest as that of any run. */
export function resumeCommand(run: string, options: PlayOptions, world: World): Promise<ExitCode> {
  const { output } = world;
  return withRun(run, { options, world }, async ({ app, runId }) => {
    const before = (await app.openRun(runId)).state();
    const config = await teamOf(before, app, { options, world });
    output.write(`${styled(`Going on with ${runId}`, 'bold', output)}\n`);
    output.write(`  ${revealOnOneLine(before.task)}\n\n`);
    const request = {
      ...{ config, unsaved: new Map<string, Uint8Array>() },
      commandPolicy: commandPolicy(options.allowCommands ? 'all' : []),
    };
    const handle = await app.resumeRun(runId, request, world.interrupted);
    const { exitCode } = await followToEnd(handle, {
      way: {
        isDemonstration: false,
        project: projectOf(before),
        request: { folders: before.contextRoots },
      },
      apply: options.apply,
      autoApply: config.autoApply,
      isTimeoutOk: config.isTimeoutWithAnswerOk === true,
      ...{ screen: output, world },
    });
    return exitCode;
  });
}

function projectOf({ contextRoots }: RunState): string | undefined {
  return contextRoots[0]?.path;
}

/** The log holds no keys and no settings of services: they come from the team file again. */
async function teamOf(
  state: RunState,
  app: App,
  { options, world }: { readonly options: PlayOptions; readonly world: World },
): Promise<Team> {
  if (state.isScripted && options.config === undefined) {
    return app.offlineTeam();
  }
  const project = projectOf(state) ?? world.cwd;
  const query = { file: options.config, project, isTrusted: options.trustConfig };
  const found = await findTeam(app, world, query);
  if (found === undefined) {
    throw new UsageError(
      'The team file of this run is not at a usual place.',
      'Name it with --config.',
    );
  }
  return found;
}
