import type { ComponentChildren, JSX } from 'preact';
import type { Label } from '../../src/base/ids';
import { hasChecks } from '../../src/run/checks';
import { selectCheckCount } from '../../src/run/selectors/check-marks';
import { counted, formatCount } from '../../src/run/selectors/formats';
import { agentName } from '../../src/run/selectors/names';
import { selectTally } from '../../src/run/selectors/tally';
import type { TallyRow } from '../../src/run/selectors/tally';
import { selectVoteList } from '../../src/run/selectors/vote-list';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { VoteBar } from '../parts/bar';
import { Section } from '../parts/section';
import { LabelText, Mark, Sentence } from '../parts/text';
import { CheckCell } from './check-list';
import { Quote } from './timeline';
import { IndependenceLine } from './verdict';

/** The votes in numbers, with and without those for oneself. */
export function TallyTable({ state }: { readonly state: RunState }): JSX.Element {
  const { rows, hasSelfVotes } = selectTally(state);
  const isChecked = hasChecks(state);
  return (
    <div class="tally">
      <table>
        <thead>
          <tr>
            <th scope="col">Candidate</th>
            <th class="tally-bar" aria-hidden="true" />
            <th scope="col">Votes</th>
            <th scope="col">No self</th>
            {isChecked ? (
              <th scope="col" class="tally-checks">
                Checks
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.slot} row={row}>
              {isChecked ? <Checks state={state} label={row.label} /> : null}
            </Row>
          ))}
        </tbody>
      </table>
      <p class="legend" aria-hidden="true">
        <span>
          <i class="swatch swatch-others" />
          from others
        </span>
        {hasSelfVotes ? (
          <span>
            <i class="swatch swatch-self" />
            self-vote
          </span>
        ) : null}
      </p>
      <IndependenceLine state={state} />
    </div>
  );
}

/** Each vote with its reason in the words of the voter; below them those that do not count, struck through. */
export function Reasons({ state }: { readonly state: RunState }): JSX.Element {
  const votes = selectVoteList(state);
  const valid = votes.filter(({ isValid }) => isValid).length;
  const others = votes.length - valid;
  const note = `${counted(valid, 'vote', 'votes')}${others === 0 ? '' : `, ${others} not counted`}`;
  return (
    <Section id="reasons" title="Reasons" note={note}>
      <ul class="reasons">
        {votes.map(({ key, slot, label, isValid, notes, reason }) => (
          <li key={key} data-vote={isValid ? 'valid' : 'void'}>
            <p class="event-line">
              <Mark slot={slot} />
              <span>{agentName(slot)}</span>
              <span class="dim">voted</span>
              <LabelText label={label} isStruck={!isValid} />
              {notes.length === 0 ? null : (
                <span class="dim">
                  <Sentence text={notes.join(', ')} />
                </span>
              )}
            </p>
            {reason === '' ? null : <Quote text={`“${reason}”`} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Checks({
  state,
  label,
}: {
  readonly state: RunState;
  readonly label: Label;
}): JSX.Element {
  const { language } = usePanel();
  return (
    <td class="tally-checks">
      <CheckCell count={selectCheckCount(state, { kind: 'answer', label }, language)} />
    </td>
  );
}

function Row({
  row,
  children,
}: {
  readonly row: TallyRow;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { language } = usePanel();
  return (
    <tr class={row.isWinner ? 'tally-winner' : undefined}>
      <th scope="row">
        <span class="marked">
          <Mark slot={row.slot} isWinner={row.isWinner} />
          <LabelText label={row.label} />
          {row.isWinner ? <span class="hidden-text">won</span> : null}
        </span>
      </th>
      <td class="tally-bar" aria-hidden="true">
        <VoteBar shareFromOthers={row.shareFromOthers} shareSelf={row.shareSelf} />
      </td>
      <td>{formatCount(row.votes, language)}</td>
      <td>{formatCount(row.votesFromOthers, language)}</td>
      {children}
    </tr>
  );
}
