import { join } from 'node:path';
import type { ExitCode } from '../exit-codes';
import { systemClock } from '../system-clock';
import { foundLines, lookAround } from './found';
import { askForAgents, type Suggestion } from './init-agents';
import { askForFolders, askForLimits, askForRules } from './init-rules';
import { nothingSaved, offerRun, withoutSource } from './quickstart-wizard';
import { chooseTeamFile } from './select-config';
import { isLocalTeam, sourcesOf, type TeamPlan, usualLimits } from './team-plan';
import type { Wizard } from './wizard';
import { askForName, checkedText, teamPath, writeAsked } from './write-team';

const useCases: readonly (Suggestion & { readonly label: string; readonly hint: string })[] = [
  { label: 'Questions and texts', hint: 'three agents', count: 3, tools: [] },
  {
    ...{ label: 'Research', hint: 'three agents that search the web' },
    ...{ count: 3, tools: ['web-search'] },
  },
  { label: 'Code and files', hint: 'two agents with a folder', count: 2, tools: [] },
  {
    ...{ label: 'Data', hint: 'two agents that run code at their service' },
    ...{ count: 2, tools: ['code-execution'] },
  },
  { label: 'From nothing', hint: 'one agent, no tools', count: 1, tools: [] },
];

/** A team file in four steps, each with its usual answer marked. */
export async function initialize(wizard: Wizard): Promise<ExitCode> {
  const { app, ask, world } = wizard;
  ask.say('Step 1 of 4: what for');
  const useCase = await ask.choose('What is the team for?', [
    ...useCases.map((value) => ({ value, label: value.label, hint: value.hint })),
    { value: undefined, label: 'Take a team file that exists', hint: 'yours, or an example' },
  ]);
  if (useCase === undefined) {
    return offerRun(wizard, await chooseTeamFile(wizard), 'Chosen:');
  }
  const found = await lookAround(app, world);
  ask.say('Step 2 of 4: agents', ...foundLines(found));
  const sources = sourcesOf(found, app.backendKinds, systemClock.now());
  if (sources.length === 0) {
    return withoutSource(wizard, () => initialize(wizard));
  }
  const members = await askForAgents(wizard, sources, useCase);
  ask.say('Step 4 of 4: folders, rules, limits');
  const paths = await askForFolders(wizard);
  const rules = await askForRules(wizard, members.length);
  const limits = await askForLimits(wizard, usualLimits(isLocalTeam(members, sources)));
  return save(wizard, { name: useCase.label, members, paths, rules, limits });
}

async function save(wizard: Wizard, plan: TeamPlan): Promise<ExitCode> {
  const { app, ask, world } = wizard;
  const warn = (line: string): void => ask.warn(line);
  const origin = 'Written by massgen --init';
  const text = checkedText(app, plan, { file: join(world.cwd, 'team.yaml'), origin, warn });
  ask.show('The team file:', text);
  if (!(await ask.confirm('Save it?', true))) {
    return nothingSaved(wizard);
  }
  const folder = await ask.choose('Where?', [
    { value: join(world.cwd, '.massgen'), label: './.massgen', hint: 'for this folder' },
    {
      value: join(world.home, '.config', 'massgen', 'agents'),
      label: '~/.config/massgen/agents',
      hint: 'for every project of yours',
    },
  ]);
  const name = await askForName(wizard, join(folder, 'team.yaml'));
  const saved = await writeAsked(wizard, text, teamPath(name, world));
  return saved === undefined ? nothingSaved(wizard) : offerRun(wizard, saved);
}
