// What another rule would have decided from the same votes. Computed here, at no cost, and nothing of it is kept.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CoordinationSettings, TieBreakElement } from '../../src/run/coordination-settings';
import { ruleName } from '../../src/run/selectors/names';
import { rulesOf, selectWhatIf } from '../../src/run/selectors/what-if';
import type { WhatIfResult, WhatIfRules } from '../../src/run/selectors/what-if';
import type { RunState } from '../../src/run/state';
import { usePanel } from '../panel-context';
import { Icon } from '../parts/icon';
import { Section } from '../parts/section';
import { Sentence } from '../parts/text';

export function WhatIf({ state }: { readonly state: RunState }): JSX.Element {
  const { revealed } = usePanel();
  const place = useRef<HTMLDivElement>(null);
  const [calls, setCalls] = useState(0);
  const wanted = revealed.value?.part === 'what-if';
  useEffect(() => {
    if (wanted) {
      revealed.value = null;
      setCalls((count) => count + 1);
    }
  }, [wanted, revealed]);
  useEffect(() => {
    if (calls > 0) {
      place.current?.querySelector<HTMLElement>('.section-toggle')?.focus({ preventScroll: true });
      scrollBelowHead(place.current);
    }
  }, [calls]);
  return (
    <div ref={place}>
      <Section
        // A command opens it; after that the reader opens and closes it.
        key={calls}
        id="what-if"
        title="What if…"
        note="another rule had decided"
        isClosedAtFirst
        isOpenedNow={calls > 0}
      >
        <Trial state={state} />
      </Section>
    </div>
  );
}

/** `scrollIntoView` would also move the frames around the page, which then stay moved. */
function scrollBelowHead(element: HTMLElement | null): void {
  const head = document.querySelector('.run-head')?.getBoundingClientRect().height ?? 0;
  if (element !== null) {
    window.scrollBy(0, element.getBoundingClientRect().top - head);
  }
}

function Trial({ state }: { readonly state: RunState }): JSX.Element {
  const own = useMemo(() => rulesOf(state), [state.settings]);
  const [rules, setRules] = useState(own);
  const result = useMemo(
    () => selectWhatIf(state, rules),
    [state.agents, state.selection, state.settings, rules],
  );
  const isOwn = JSON.stringify(rules) === JSON.stringify(own);
  return (
    <div class="what-if">
      <Fields rules={rules} onChange={(change) => setRules({ ...rules, ...change })} />
      <Answer result={result} isOwn={isOwn} />
      {isOwn ? null : (
        <button type="button" class="link" onClick={() => setRules(own)}>
          Back to the rules of this run
        </button>
      )}
    </div>
  );
}

interface AnswerProps {
  readonly result: WhatIfResult;
  readonly isOwn: boolean;
}

/** Told politely to a screen reader each time another rule is tried. */
function Answer({ result, isOwn }: AnswerProps): JSX.Element {
  const { text, isSame, changes, unknown } = result;
  return (
    <div class="what-if-answer" role="status" data-same={isOwn || isSame}>
      <p class="icon-line">
        <Icon name="law" />
        <span>
          <b>{isOwn ? 'As it was decided: ' : isSame ? 'The same answer: ' : 'Another result: '}</b>
          <Sentence text={text} />
        </span>
      </p>
      {isOwn ? null : (
        <>
          <Sentences name="What changes" sentences={changes} />
          <Sentences name="What cannot be known without new votes" sentences={unknown} />
        </>
      )}
    </div>
  );
}

interface SentencesProps {
  readonly name: string;
  readonly sentences: readonly string[];
}

function Sentences({ name, sentences }: SentencesProps): JSX.Element | null {
  return sentences.length === 0 ? null : (
    <>
      <h3 class="small">{name}</h3>
      <ul class="steps">
        {sentences.map((sentence) => (
          <li class="measure">
            <Sentence text={sentence} />
          </li>
        ))}
      </ul>
    </>
  );
}

const rules: readonly CoordinationSettings['rule'][] = [
  'plurality',
  'majority',
  'supermajority',
  'unanimity',
  'min_agreement',
  'weighted',
];

const selfVotes: readonly (readonly [CoordinationSettings['selfVote'], string])[] = [
  ['allow', 'Count'],
  ['ignore', 'Do not count'],
  ['forbid', 'Not allowed'],
  ['by_panel_size', 'By the number of voters'],
];

const chains: readonly (readonly [name: string, chain: readonly TieBreakElement[]])[] = [
  [
    'Checks, approvals, votes from others',
    ['evidence', 'approvals', 'votes_from_others', 'smaller_change', 'seeded_hash'],
  ],
  ['Votes from others first', ['votes_from_others', 'approvals', 'smaller_change', 'seeded_hash']],
  ['Smaller change first', ['smaller_change', 'approvals', 'votes_from_others', 'seeded_hash']],
  ['Latest answer first', ['latest', 'seeded_hash']],
  ['Earliest answer first', ['earliest', 'seeded_hash']],
  ['By lot alone', ['seeded_hash']],
  ['Place in the team file', ['config_order']],
];

interface FieldsProps {
  readonly rules: WhatIfRules;
  readonly onChange: (change: Partial<WhatIfRules>) => void;
}

function Fields(props: FieldsProps): JSX.Element {
  return (
    <div class="what-if-fields">
      <RuleFields {...props} />
      <BallotFields {...props} />
    </div>
  );
}

/** How many votes it takes. */
function RuleFields({ rules: chosen, onChange }: FieldsProps): JSX.Element {
  return (
    <>
      <Choice
        name="Rule"
        value={chosen.rule}
        options={rules.map((rule) => [rule, ruleName(rule)])}
        onChoose={(rule) => onChange({ rule, threshold: null })}
      />
      {chosen.rule === 'supermajority' || chosen.rule === 'weighted' ? (
        <Percent
          name="Share needed"
          value={chosen.threshold ?? 2 / 3}
          onChange={(threshold) => onChange({ threshold })}
        />
      ) : null}
      {chosen.rule === 'min_agreement' ? (
        <Number
          name="Votes needed"
          value={chosen.minAgreement}
          min={1}
          onChange={(minAgreement) => onChange({ minAgreement })}
        />
      ) : null}
      <Percent name="Quorum" value={chosen.quorum} onChange={(quorum) => onChange({ quorum })} />
      <Number
        name="Lead needed"
        value={chosen.margin}
        min={0}
        onChange={(margin) => onChange({ margin })}
      />
    </>
  );
}

/** Which votes count, how much, and what decides when they are even. */
function BallotFields({ rules: chosen, onChange }: FieldsProps): JSX.Element {
  const chain = chosen.tieBreak.join();
  const isListed = chains.some(([, each]) => each.join() === chain);
  return (
    <>
      <Choice
        name="Self-votes"
        value={chosen.selfVote}
        options={selfVotes}
        onChoose={(selfVote) => onChange({ selfVote })}
      />
      <Choice
        name="Weights"
        value={chosen.families}
        options={[
          ['label', 'As set in the team'],
          ['weight', 'One vote for each family'],
        ]}
        onChoose={(families) => onChange({ families })}
      />
      <Choice
        name="Ties"
        isWide
        value={chain}
        options={[
          ...(isListed ? [] : [[chain, 'As in this run'] as const]),
          ...chains.map(([name, each]) => [each.join(), name] as const),
        ]}
        onChoose={(name) => {
          const found = chains.find(([, each]) => each.join() === name);
          if (found !== undefined) onChange({ tieBreak: found[1] });
        }}
      />
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly isWide?: boolean;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChoose: (value: Value) => void;
}

function Choice<Value extends string>({
  name,
  isWide = false,
  value,
  options,
  onChoose,
}: ChoiceProps<Value>): JSX.Element {
  return (
    <Field name={name} isWide={isWide}>
      <select
        class="chip"
        value={value}
        onChange={(event) => {
          const found = options.find(([each]) => each === event.currentTarget.value);
          if (found !== undefined) onChoose(found[0]);
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface NumberProps {
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly onChange: (value: number) => void;
}

function Number({ name, value, min, onChange }: NumberProps): JSX.Element {
  return (
    <Field name={name}>
      <input
        class="chip number"
        type="number"
        min={min}
        max={100}
        step={1}
        value={value}
        onInput={(event) => {
          const { valueAsNumber } = event.currentTarget;
          if (valueAsNumber >= min) onChange(valueAsNumber);
        }}
      />
    </Field>
  );
}

/** A share of the votes, shown and set in percent. */
function Percent({ name, value, onChange }: Omit<NumberProps, 'min'>): JSX.Element {
  return (
    <Field name={name} unit="%">
      <input
        class="chip number"
        type="number"
        min={1}
        max={100}
        step={1}
        value={Math.round(value * 100)}
        onInput={(event) => {
          const { valueAsNumber } = event.currentTarget;
          if (valueAsNumber >= 1 && valueAsNumber <= 100) onChange(valueAsNumber / 100);
        }}
      />
    </Field>
  );
}

interface FieldProps {
  readonly name: string;
  /** Its words are long: it has a row of its own. */
  readonly isWide?: boolean;
  readonly unit?: string;
  readonly children: ComponentChildren;
}

function Field({ name, isWide, unit, children }: FieldProps): JSX.Element {
  return (
    <label class={isWide === true ? 'field field-wide' : 'field'}>
      <span class="small">{name}</span>
      <span class="field-value">
        {children}
        {unit === undefined ? null : <span class="small">{unit}</span>}
      </span>
    </label>
  );
}
