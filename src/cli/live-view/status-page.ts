import { selectCosts } from '../../run/selectors/costs';
import { formatElapsed, formatMoney } from '../../run/selectors/formats';
import { agentName, ruleName } from '../../run/selectors/names';
import { selectProblems } from '../../run/selectors/problems';
import type { RunState } from '../../run/state';
import { language } from '../language';
import { tableLines } from '../table';
import { heading, named, type PageSize, plain } from './pages';
import { type Line, oneLine } from './text-cells';

/** What the run is, what it may take, what it has taken, and what went wrong. */
export function statusPage(
  state: RunState,
  artifactsDir: string,
  { width }: PageSize,
): readonly Line[] {
  const facts: readonly (readonly [string, string])[] = [
    ['Run', state.runId],
    ['Files', artifactsDir],
    ['Team', `${state.teamName}, ${state.agents.length} agents`],
    ['Rule', ruleName(state.settings.rule)],
    ['Limits', limits(state)],
    ...state.contextRoots.map(({ path, permission }): readonly [string, string] => [
      permission === 'write' ? 'Proposes' : 'Reads',
      path,
    ]),
    [
      'Commands',
      state.unconfinedReason === null ? 'confined' : `not confined: ${state.unconfinedReason}`,
    ],
  ];
  const problems = selectProblems(state, language).flatMap(({ heading: title, text, detail }) => [
    heading(title),
    ...[text, ...detail].flatMap((line) => plain(oneLine(line), width)),
    [],
  ]);
  return [
    heading('Run'),
    ...facts.flatMap(([name, text]) => named(name, oneLine(text), 'dim', width)),
    [],
    ...problems,
    heading('Agents'),
    ...state.agents.flatMap(({ info, toolServers = [] }) => [
      [{ text: `  ${agentName(info.slot)} is ${oneLine(`${info.id}, ${info.model}`)}` }],
      ...toolServers.map(({ server, status, message }): Line => [
        { text: `    ${oneLine(`${server}: ${status} ${message}`)}`, style: 'dim' },
      ]),
    ]),
    [],
    heading('Calls, tokens and cost'),
    ...costLines(state, width),
  ];
}

function limits({ caps }: RunState): string {
  const parts = [
    caps.durationMs === null ? '' : formatElapsed(caps.durationMs),
    caps.modelCalls === null ? '' : `${caps.modelCalls} calls`,
    caps.costUsd === null ? '' : formatMoney(caps.costUsd, language),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function costLines(state: RunState, width: number): readonly Line[] {
  const { rows, team, note } = selectCosts(state, language);
  const table = tableLines(
    ['Agent', 'Calls', 'Input', 'Cached', 'Output', 'Cost'],
    [...rows, team].map(({ name, calls, fresh, cached, output, cost }) => [
      ...[name, calls, fresh, cached, output, cost],
    ]),
    width - 2,
  );
  return [...table, ...(note === '' ? [] : [note])].flatMap((line) => plain(line, width));
}
