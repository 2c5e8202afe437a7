import type { JSX } from 'preact';
import { selectCosts } from '../../src/run/selectors/costs';
import type { CostRow } from '../../src/run/selectors/costs';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Mark } from '../parts/text';

/** Calls, tokens and money of each agent and of the team. */
export function CostTable({ state }: { readonly state: RunState }): JSX.Element {
  const { language } = usePanel();
  const { rows, team, note } = selectCosts(state, language);
  return (
    <table class="cost">
      {note === '' ? null : <caption>{note}</caption>}
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Calls</th>
          <th scope="col" class="cost-tokens">
            Fresh
          </th>
          <th scope="col" class="cost-tokens">
            Cached
          </th>
          <th scope="col" class="cost-tokens">
            Output
          </th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.slot} row={row} />
        ))}
      </tbody>
      <tfoot>
        <Row row={team} />
      </tfoot>
    </table>
  );
}

function Row({ row }: { readonly row: CostRow }): JSX.Element {
  return (
    <tr>
      <th scope="row">
        <span class="marked">
          {row.slot === null ? null : <Mark slot={row.slot} isWinner={row.isWinner} />}
          <span class={row.slot === null ? undefined : 'cost-name'}>{row.name}</span>
        </span>
      </th>
      <td>{row.calls}</td>
      <td class="cost-tokens">{row.fresh}</td>
      <td class="cost-tokens">{row.cached}</td>
      <td class="cost-tokens">{row.output}</td>
      <td>{row.cost === '?' ? <UnknownPrice /> : row.cost}</td>
    </tr>
  );
}

function UnknownPrice(): JSX.Element {
  return (
    <span title="price unknown">
      <span aria-hidden="true">?</span>
      <span class="hidden-text">price unknown</span>
    </span>
  );
}
