import { reachOf, wishOf } from './approval-words';
import type { CheckSubject } from '../check-facts';
import type { RunState } from '../state';
import { selectCandidates } from './candidates';
import { selectChangedFiles } from './changed-files';
import { hasChecks } from '../checks';
import { exclusionNote, selectCheckMarks } from './check-marks';
import { changedTestLines, changedTestsSentence } from './check-words';
import { selectChoice } from './choice';
import { selectCosts } from './costs';
import { selectDecisionSteps } from './decision-steps';
import type { CostRow } from './costs';
import { formatCount } from './formats';
import { agentName } from './names';
import { selectIndependence, selectSameModels } from './independence';
import { selectMix } from './mix';
import { selectOutcome } from './outcome';
import { selectPhases } from './phases';
import { selectProblems } from './problems';
import { selectRuleLine } from './rule';
import { answerNotes } from './sources';
import { selectSums } from './sums';
import { selectTally } from './tally';
import { selectTimeline } from './timeline';
import { selectVerdict } from './verdict';
import { selectVoteList } from './vote-list';
import { revealHidden, revealOnOneLine } from './visible-text';

/** The whole run as plain text, everything that the panel shows; ends with a line feed. `now` is Unix ms. */
export function toPlainText(state: RunState, now: number, language: string): string {
  const sections: readonly (readonly string[])[] = [
    head(state, now, language),
    ...selectProblems(state, language).map((problem) => [
      problem.heading,
      problem.text,
      ...problem.detail,
    ]),
    approvals(state),
    verdict(state, language),
    checks(state, language),
    votes(state, language),
    files(state, language),
    answer(state),
    costs(state, language),
    ['Timeline', ...selectTimeline(state, language).map((row) => revealOnOneLine(row.sentence))],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.filter((line) => line !== '').join('\n'))
    .join('\n\n')}\n`;
}

function head(state: RunState, now: number, language: string): readonly string[] {
  return [
    revealHidden(state.task),
    state.isScripted ? 'A script, made by hand. No model runs.' : '',
    selectPhases(state)
      .map((step) => (step.status === 'now' ? `[${step.text}]` : step.text))
      .join(' · '),
    selectRuleLine(state, language),
    selectSums(state, now, language).join(' · '),
  ];
}

function approvals(state: RunState): readonly string[] {
  return state.approvals.flatMap((approval) => {
    const { slot, command, cwd, isConfined, isRequest, isChanged } = approval;
    const place = isRequest === true ? '' : ` in ${revealHidden(cwd)}`;
    return [
      `${agentName(slot)} ${wishOf(approval)}${place}`,
      `  ${revealHidden(command)}`,
      isChanged !== true && (isConfined || isRequest === true) ? '' : reachOf(approval),
    ];
  });
}

function verdict(state: RunState, language: string): readonly string[] {
  const found = selectVerdict(state, language);
  const outcome = selectOutcome(state, language);
  const { isByUser, ofTeam } = selectChoice(state);
  return found === undefined
    ? []
    : [
        ...(outcome === undefined ? [] : [outcome.word]),
        found.headline,
        found.paragraph,
        ...selectDecisionSteps(state, language),
        isByUser && ofTeam !== null ? `The team’s choice was ${ofTeam}.` : '',
        selectIndependence(state, language)?.text ?? '',
        ...selectSameModels(state, language),
      ];
}

function votes(state: RunState, language: string): readonly string[] {
  const { rows } = selectTally(state);
  if (rows.length === 0) {
    return [];
  }
  const lines = rows.map(
    (row) =>
      `${row.label}: ${formatCount(row.votes, language)}, without self-votes ${formatCount(row.votesFromOthers, language)}`,
  );
  const reasons = selectVoteList(state).map(
    ({ slot, label, isValid, notes, reason }) =>
      `  ${agentName(slot)}, ${label}${notes.map((note) => `, ${note}`).join('')}${isValid ? '' : ' (not counted)'}: ${revealOnOneLine(reason)}`,
  );
  return ['Votes', `Candidates: ${selectCandidates(state).text}`, ...lines, ...reasons];
}

function checks(state: RunState, language: string): readonly string[] {
  if (!hasChecks(state)) {
    return [];
  }
  const line = (name: string, subject: CheckSubject): string =>
    `  ${name}: ${selectCheckMarks(state, subject, language)
      .map(({ sentence }) => sentence)
      .join('; ')}`;
  const answers = state.agents.flatMap(({ revisions }) => {
    const label = revisions.at(-1)?.label;
    return label === undefined
      ? []
      : [
          line(label, { kind: 'answer', label }),
          indented(exclusionNote(state, label, language)),
          indented(changedTestsSentence(state, label)),
          ...changedTestLines(state.checks?.answers[label]?.report).map(indented),
        ];
  });
  return ['Checks', ...answers, line('Untouched folder', { kind: 'baseline' })];
}

function indented(text: string): string {
  return text === '' ? '' : `    ${revealOnOneLine(text)}`;
}

function files(state: RunState, language: string): readonly string[] {
  if (state.review === null) {
    return [];
  }
  const changed = selectChangedFiles(state, language);
  if (changed.files.length === 0) {
    return ['Changed files', 'No file was changed.'];
  }
  const mix = selectMix(state, language);
  const head = `Changed files: ${changed.count} ${changed.added} ${changed.removed}`;
  return [
    changed.partsText === '' ? head : `${head}, ${changed.partsText}`,
    ...(mix === undefined ? [] : [mix.text, mix.sentence, mix.tests]),
    ...changed.files.flatMap((file) => {
      const place = file.folder === '' ? '' : ` (${revealOnOneLine(file.folder)})`;
      const note = file.note === '' ? '' : `, ${file.note}`;
      return [
        `  ${revealOnOneLine(file.accessibleName)}${note}${place}`,
        ...file.parts.map((part) => indented(part.accessibleName)),
      ];
    }),
  ];
}

function answer(state: RunState): readonly string[] {
  const { finalAnswer } = state;
  return finalAnswer === null
    ? []
    : ['Answer', revealHidden(finalAnswer.text), ...answerNotes(finalAnswer)];
}

function costs(state: RunState, language: string): readonly string[] {
  const { rows, team, note } = selectCosts(state, language);
  const line = (row: CostRow): string =>
    `  ${row.name}: ${row.calls} calls, ${row.fresh} fresh, ${row.cached} cached, ${row.output} output tokens, ${row.cost}`;
  return ['Cost', ...rows.map(line), line(team), ...(note === '' ? [] : [`  ${note}`])];
}
