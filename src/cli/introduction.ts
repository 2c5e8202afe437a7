import type { App } from '../app/app-contract';
import { playerOf } from '../app/player-of';
import { formatMoney, formatRange, formatRoughTokens } from '../run/selectors/formats';
import { playerName } from '../run/selectors/player-name';
import { revealHidden, revealOnOneLine } from '../run/selectors/visible-text';
import { language } from './language';
import type { Plan } from './plan';
import { printSection } from './print-section';
import { styled, type Terminal } from './terminal';
import type { World } from './world';

export interface Facts {
  readonly forecast: ReturnType<App['forecast']>;
  readonly kinds: App['backendKinds'];
}

export interface Surroundings {
  readonly terminal: Terminal;
  readonly world: World;
}

/** What is about to happen, before anything does: team, task, folders, commands, and what it may take. */
export function printIntroduction(
  plan: Plan,
  { forecast, kinds }: Facts,
  { terminal, world }: Surroundings,
): void {
  const { config, task, folders, follows } = plan.request;
  terminal.write(`${styled(`MassGen ${world.version}`, 'bold', terminal)}\n`);
  const isScripted = config.agents.every(({ backend }) => backend.type === 'offline');
  const facts: readonly (readonly [string, string])[] = [
    ['Team', isScripted ? `${config.name}: a script, made by hand. No model runs.` : config.name],
    [
      'Agents',
      config.agents
        .map(({ id, backend }, i) => `${i + 1} ${id} (${playerName(playerOf(backend, kinds))})`)
        .join(', '),
    ],
    ['Task', revealHidden(task).replaceAll('\n', '\n           ')],
    ...(follows === undefined ? [] : [['Goes on', `from run ${follows}`] as const]),
    ...folders.map(({ path, permission }): readonly [string, string] => [
      permission === 'write' ? 'Proposes' : 'Reads',
      plan.isDemonstration ? `${path} (a fresh copy of the sample project)` : path,
    ]),
    ...(folders.length === 0
      ? [['Folders', 'none; agents have only their private workspaces'] as const]
      : []),
    ['Commands', commandsLine(plan)],
    ['Checks', checksLine(plan)],
    ...(isScripted ? [] : [['Estimate', estimate(forecast)] as const]),
  ];
  for (const [name, text] of facts) {
    terminal.write(`  ${styled(name.padEnd(9), 'dim', terminal)}${text}\n`);
  }
  if (plan.listedCommands.length > 0) {
    const lines = plan.listedCommands.map(
      ({ command, hash }) => `${revealOnOneLine(command)}  sha256 ${hash.slice(0, 16)}…`,
    );
    printSection('Commands of the script, allowed on this copy only', lines, terminal);
  }
  terminal.write('\n');
}

/** Whether what agents run is kept from the rest of the machine. */
function commandsLine({ confinement }: Plan): string {
  return confinement.isConfined
    ? `confined: ${confinement.words}`
    : `not confined: ${confinement.reason}`;
}

function checksLine({ request, offeredChecks }: Plan): string {
  const checks = request.folders.length === 0 ? [] : (request.config.settings.checks ?? []);
  if (checks.length > 0) {
    const names = checks.map(({ name, mode }) => (mode === 'gate' ? name : `${name} (informs)`));
    return names.map(revealOnOneLine).join(', ');
  }
  return offeredChecks.length === 0
    ? 'none'
    : `none. Found in the project: ${offeredChecks.map(revealOnOneLine).join(', ')}; add one with --check NAME`;
}

function estimate({ calls, tokens, costUsd, hasFees }: Facts['forecast']): string {
  const rough = (count: number): string => formatRoughTokens(count, language);
  const cost =
    costUsd === null
      ? '?'
      : formatRange(formatMoney(costUsd[0], language), formatMoney(costUsd[1], language));
  const callRange = formatRange(`${calls[0]}`, `${calls[1]}`);
  const fees = hasFees && costUsd !== null ? ', without what services charge for searches' : '';
  return `${callRange} calls, ${formatRange(rough(tokens[0]), rough(tokens[1]))} tokens, ${cost}${fees}`;
}
