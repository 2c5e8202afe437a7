import type { Choice } from './asker';
import {
  memberOf,
  type PlannedMember,
  proposedMembers,
  type Source,
  withOwnIds,
} from './team-plan';
import type { Wizard } from './wizard';

const mostAgents = 5;

export function askForCount(wizard: Wizard, proposed: number): Promise<number> {
  const choices = Array.from({ length: mostAgents }, (_, index) => ({
    value: index + 1,
    label: index === 0 ? '1 agent' : `${index + 1} agents`,
    ...(index === 0 ? { hint: 'works alone, without a vote' } : {}),
  }));
  return wizard.ask.choose('How many agents?', choices, proposed - 1);
}

/** So many agents: those that are proposed, or each as the user wants it. */
export async function chooseMembers(
  wizard: Wizard,
  sources: readonly Source[],
  count: number,
): Promise<readonly PlannedMember[]> {
  const proposed = proposedMembers(sources, count);
  if (proposed.length === count) {
    wizard.ask.say('Proposed:', ...proposed.map((member) => memberLine(member, sources)));
    if (await wizard.ask.confirm('Take this team?', true)) {
      return proposed;
    }
  }
  const members: PlannedMember[] = [];
  for (let number = 1; number <= count; number += 1) {
    const source = await chooseSource(
      wizard,
      sources,
      `Agent ${number} of ${count}: who plays it?`,
    );
    members.push(memberOf(source, await chooseModel(wizard, source)));
  }
  return withOwnIds(members);
}

function memberLine({ id, type, model }: PlannedMember, sources: readonly Source[]): string {
  const label = sources.find(({ member }) => member.type === type)?.label ?? type ?? '';
  return model === undefined ? `  ${id}: ${label}` : `  ${id}: ${model} (${label})`;
}

export async function chooseSource(
  { ask }: Wizard,
  sources: readonly Source[],
  question: string,
): Promise<Source> {
  const [only] = sources;
  return sources.length === 1 && only !== undefined
    ? only
    : ask.choose(
        question,
        sources.map((source) => ({ value: source, label: source.label, hint: source.hint })),
      );
}

/** `undefined`: the program chooses by itself. */
export async function chooseModel(
  { ask }: Wizard,
  { label, models, choosesModel }: Source,
): Promise<string | undefined> {
  if (choosesModel) {
    return undefined;
  }
  const other: Choice<string | undefined> = {
    value: undefined,
    label: 'Another one …',
    hint: 'type its name',
  };
  const chosen =
    models.length === 0
      ? undefined
      : await ask.find(`Model at ${label} (type to search)`, [
          ...models.map((model) => ({ value: model, label: model })),
          other,
        ]);
  return (
    chosen ??
    ask.text(`Name of the model at ${label}`, {
      check: (answer) => (answer === '' ? 'It needs a name, as the service knows it.' : undefined),
    })
  );
}
