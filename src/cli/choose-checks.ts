import type { App } from '../app/app-contract';
import { nearest } from '../base/text';
import type { CheckSpec } from '../run/check-facts';
import { checkOfCommand } from '../run/check-specs';
import type { CliOptions } from './invocation';
import { UsageError } from './failure';
import type { Team } from './find-team';

type Proposals = Awaited<ReturnType<App['proposeChecks']>>;

/**
 * The team with the checks that were asked for: by a name of the team file or of what was found in the project, else as a
 * command. `offered`: what was found and not asked for, where the team has no checks of its own. Throws `UsageError`.
 */
export function withChecks(
  team: Team,
  asked: CliOptions['checks'],
  found: Proposals,
): { readonly config: Team; readonly offered: readonly string[] } {
  const proposals = found.map(({ spec }) => spec);
  const ofTeam = team.settings.checks;
  if (asked === undefined) {
    const offered = ofTeam === undefined ? proposals.map(({ name }) => name) : [];
    return { config: team, offered };
  }
  const checks = asked === 'none' ? [] : toSpecs(asked, [...(ofTeam ?? []), ...proposals]);
  return { config: { ...team, settings: { ...team.settings, checks } }, offered: [] };
}

function toSpecs(words: readonly string[], known: readonly CheckSpec[]): readonly CheckSpec[] {
  const chosen = new Map(words.map((word) => [word, toSpec(word, known)] as const));
  return [...chosen.values()];
}

function toSpec(word: string, known: readonly CheckSpec[]): CheckSpec {
  const names = known.map(({ name }) => name);
  const likely = /\s/.test(word) || names.includes(word) ? undefined : nearest(word, names);
  if (likely !== undefined) {
    throw new UsageError(`There is no check ${word}. Did you mean ${likely}?`);
  }
  return known.find(({ name }) => name === word) ?? checkOfCommand(word);
}
