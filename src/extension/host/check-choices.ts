// Which checks a run would have. Pure.
import type { CheckChoice } from '../../protocol/webview';
import type { CheckSpec } from '../../run/check-facts';

/** A command of the project that looks like a check. */
export interface FoundCheck {
  readonly spec: CheckSpec;
  readonly source: string;
}

/** A check that the user has turned on, by its very text: another command under its name is off again. */
export interface ChosenCheck {
  readonly name: string;
  readonly command: string;
}

/** Those of the team, which are always on; only without any, those that were found. */
export function checkChoices(
  ofTeam: readonly CheckSpec[],
  found: readonly FoundCheck[],
  chosen: readonly ChosenCheck[],
): readonly CheckChoice[] {
  const toChoice = (spec: CheckSpec, source: string, isOn: boolean): CheckChoice => ({
    name: spec.name,
    command: spec.command,
    mode: spec.mode,
    source,
    isOn,
  });
  return ofTeam.length > 0
    ? ofTeam.map((spec) => toChoice(spec, 'team', true))
    : found.map(({ spec, source }) => toChoice(spec, source, isChosen(spec, chosen)));
}

export function chosenChecks(
  found: readonly FoundCheck[],
  chosen: readonly ChosenCheck[],
): readonly CheckSpec[] {
  return found.filter(({ spec }) => isChosen(spec, chosen)).map(({ spec }) => spec);
}

function isChosen({ name, command }: CheckSpec, chosen: readonly ChosenCheck[]): boolean {
  return chosen.some((one) => one.name === name && one.command === command);
}
