import type { ComponentChildren, JSX } from 'preact';
import type { Label } from '../../src/base/ids';
import type { Citation } from '../../src/run/facts';
import { selectCandidates } from '../../src/run/selectors/candidates';
import type { Candidate } from '../../src/run/selectors/candidates';
import { hasChecks } from '../../src/run/checks';
import { exclusionWord, selectCheckMarks } from '../../src/run/selectors/check-marks';
import { changedTestLines, changedTestsSentence } from '../../src/run/selectors/check-words';
import { canChoose, selectChoice } from '../../src/run/selectors/choice';
import { formatAdded, formatCount, formatRemoved, plural } from '../../src/run/selectors/formats';
import { selectTally } from '../../src/run/selectors/tally';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import { Menu } from '../parts/menu';
import { useRoving } from '../parts/roving';
import { Section } from '../parts/section';
import { Sources } from '../parts/sources';
import { LabelText, Mark, TextWithCode } from '../parts/text';
import { CheckList } from './check-list';

interface CandidatesProps {
  readonly state: RunState;
  readonly isClosedAtFirst?: boolean;
}

/** The answers that can be voted for or chosen, in the order of the team; none is put forward. */
export function Candidates({ state, isClosedAtFirst }: CandidatesProps): JSX.Element {
  const root = useRoving();
  const { candidates, text } = selectCandidates(state);
  return (
    <Section
      id={isClosedAtFirst === true ? 'candidates-of-result' : 'candidates'}
      title="Candidates"
      note={text}
      {...(isClosedAtFirst === undefined ? {} : { isClosedAtFirst })}
    >
      <ul class="candidates" ref={root}>
        {candidates.map((candidate) => (
          <Row key={candidate.slot} candidate={candidate} state={state} />
        ))}
        {hasChecks(state) ? <UntouchedFolder state={state} /> : null}
      </ul>
    </Section>
  );
}

interface RowProps {
  readonly candidate: Candidate;
  readonly state: RunState;
}

function Row({ candidate, state }: RowProps): JSX.Element {
  const { post, isReplay } = usePanel();
  const { slot, label, summary, filesNote } = candidate;
  const { label: chosen, isByUser } = selectChoice(state);
  const isChosen = chosen === label;
  const open = (): void => post({ type: 'open-answer', runId: state.runId, label });
  return (
    <Candidate label={label} state={state} filesNote={filesNote} citations={candidate.citations}>
      <button type="button" class="candidate-open" data-item={label} title={summary} onClick={open}>
        <Mark slot={slot} isWinner={isChosen} />
        <LabelText label={label} />
        {isChosen ? (
          <span class="small candidate-chosen">{isByUser ? 'decided by you' : 'chosen'}</span>
        ) : null}
        <Exclusion state={state} label={label} />
        <span class="candidate-summary clipped" dir="auto">
          <TextWithCode text={summary} />
        </span>
        <Votes state={state} label={label} />
        <Counts candidate={candidate} />
      </button>
      {isReplay || state.outcome === null || chosen !== null ? null : (
        <button
          type="button"
          class="link link-plain"
          data-item={`use-${label}`}
          aria-label={`Use ${label}`}
          onClick={() => post({ type: 'override', runId: state.runId, label })}
        >
          Use
        </button>
      )}
      {isReplay ? null : (
        <Menu
          name={`Actions for ${label}`}
          buttonClass="tool"
          item={`menu-${label}`}
          items={[
            { text: 'Open', onSelect: open },
            ...(canChoose(state, label)
              ? [
                  {
                    text: 'Use This Answer Instead',
                    onSelect: () => post({ type: 'override', runId: state.runId, label }),
                  },
                ]
              : []),
            {
              text: 'Try It…',
              onSelect: () => post({ type: 'try-answer', runId: state.runId, label }),
            },
          ]}
        >
          <Icon name="ellipsis" />
        </Menu>
      )}
    </Candidate>
  );
}

interface CandidateProps {
  readonly label: Label;
  readonly filesNote: string;
  readonly citations: readonly Citation[];
  readonly state: RunState;
  readonly children: ComponentChildren;
}

/** A row with its checks below it, in the same columns for all; the place for them is there before they begin. */
function Candidate({ label, state, filesNote, citations, children }: CandidateProps): JSX.Element {
  const { language } = usePanel();
  const tests = changedTestsSentence(state, label);
  const marks = selectCheckMarks(state, { kind: 'answer', label }, language);
  return (
    <li data-candidate={label}>
      <div class="candidate">{children}</div>
      {marks.length === 0 ? null : (
        <CheckList
          marks={marks}
          name={`Checks of ${label}`}
          opens={{ runId: state.runId, label }}
        />
      )}
      {tests === '' ? null : (
        <p
          class="small candidate-tests"
          title={changedTestLines(state.checks?.answers[label]?.report).join('\n')}
        >
          {tests}
        </p>
      )}
      {filesNote === '' ? null : <p class="small candidate-tests">{filesNote}</p>}
      <Sources citations={citations} of={label} isClosedAtFirst />
    </li>
  );
}

/** What the same checks say where nobody has changed anything. */
function UntouchedFolder({ state }: { readonly state: RunState }): JSX.Element {
  const { language } = usePanel();
  return (
    <li class="untouched">
      <p class="small">Untouched folder</p>
      <CheckList
        marks={selectCheckMarks(state, { kind: 'baseline' }, language)}
        name="Checks of the untouched folder"
        opens={{ runId: state.runId, label: null }}
      />
    </li>
  );
}

/** Why an answer cannot be voted for. */
function Exclusion({
  state,
  label,
}: {
  readonly state: RunState;
  readonly label: Label;
}): JSX.Element | null {
  const { language } = usePanel();
  const word = exclusionWord(state, label, language);
  return word === '' ? null : (
    <span class="small candidate-out">
      <Icon name="error" tone="bad" />
      <span class="clipped" title={word}>
        {word}
      </span>
    </span>
  );
}

function Counts({ candidate }: { readonly candidate: Candidate }): JSX.Element {
  const { language } = usePanel();
  const { files, added, removed } = candidate;
  return (
    <span class="counts">
      <span>{files === 1 ? '1 file' : `${files} files`}</span>
      {files === 0 ? null : (
        <>
          <span class="add">{formatAdded(added, language)}</span>
          <span class="del">{formatRemoved(removed, language)}</span>
        </>
      )}
    </span>
  );
}

/** Votes of a finished poll; while it is open nothing is counted beside a name. */
function Votes({
  state,
  label,
}: {
  readonly state: RunState;
  readonly label: string;
}): JSX.Element | null {
  const { language } = usePanel();
  const row = selectTally(state).rows.find((one) => one.label === label);
  if (state.selection === null || row === undefined || state.selection.agreement.ballots === 0) {
    return null;
  }
  return (
    <span class="small candidate-votes">
      {`${formatCount(row.votes, language)} ${plural(row.votes, 'vote', 'votes')}`}
    </span>
  );
}
