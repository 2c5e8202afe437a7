import { type LoadOptions, readTeamText } from '../config/load-config';
import type { RunConfig } from '../config/run-config';
import { deepFreeze } from '../config/freeze';
import { withoutKeys } from '../config/secret-text';
import { TeamPlaces } from '../config/team-places';
import type { BackendKind } from '../core/ports/backend-kind';
import type { Secrets } from '../core/ports/secrets';
import type { TeamCheck, TeamCheckRequest } from './app-contract';
import { type Finding, keyFindings } from './key-findings';
import { placeFindings } from './place-findings';
import { withPrograms } from './team-settings';

export interface CheckParts {
  readonly kinds: readonly BackendKind[];
  readonly secrets: Secrets;
  readonly loadOptions: LoadOptions;
}

/** See `App.checkTeam`. What the environment lacks is told also beside errors of the text. */
export async function checkTeam(
  { kinds, secrets, loadOptions }: CheckParts,
  { text, file, project, level, programs = {} }: TeamCheckRequest,
  signal: AbortSignal,
): Promise<TeamCheck> {
  signal.throwIfAborted();
  const { config, yaml, problems } = readTeamText(text, file, kinds, loadOptions);
  if (yaml === undefined || config === undefined) {
    return { problems, config: undefined };
  }
  if (level === 'text') {
    // A variable that is set elsewhere makes the text no worse.
    return result(config, problems, (problem) => problem.code !== 'unset');
  }
  const searchPath = process.env['PATH'] ?? '';
  const here = withPrograms(config, programs);
  const findings = [
    ...(await keyFindings({ config: here, kinds, secrets }, signal)),
    ...refusals(here, kinds),
    ...(await placeFindings({ config: here, kinds, project, searchPath }, signal)),
  ];
  const places = new TeamPlaces(yaml);
  for (const { place, message, ...draft } of findings) {
    yaml.problems.add({ ...draft, message: withoutKeys(message), ...places.find(place) });
  }
  return result(config, yaml.problems.sorted(), () => true);
}

function result(
  config: RunConfig,
  all: TeamCheck['problems'],
  counts: (problem: TeamCheck['problems'][number]) => boolean,
): TeamCheck {
  const isUsable = all.every(({ severity }) => severity === 'warning');
  return {
    problems: all.filter(counts),
    config: isUsable ? deepFreeze(config) : undefined,
  };
}

/** Blocks that can be read and that their services cannot be asked with, e.g. without an address. */
function refusals({ agents, judge }: RunConfig, kinds: readonly BackendKind[]): readonly Finding[] {
  return [...agents, ...(judge === undefined ? [] : [{ id: undefined, backend: judge }])].flatMap(
    ({ id, backend }) => {
      const kind = kinds.find(({ type }) => type === backend.type);
      // The script refuses tasks, and a check has none.
      const refusal = kind?.type === 'offline' ? undefined : kind?.refusalOf(backend, '');
      return refusal === undefined
        ? []
        : [
            {
              place: { agentId: id, keys: [id === undefined ? 'judge' : 'backend'] },
              ...({ severity: 'error', code: 'wrong-value' } as const),
              message: [refusal.message, refusal.hint].filter((one) => one !== undefined).join(' '),
            },
          ];
    },
  );
}
