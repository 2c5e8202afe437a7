// What the panel, the terminal and the text view say about whole runs.
import { describe, expect, test } from 'vitest';
import { selectAnnouncements } from '../../../../src/run/selectors/announcements';
import { selectCandidates } from '../../../../src/run/selectors/candidates';
import { selectCards } from '../../../../src/run/selectors/cards';
import { selectChangedFiles } from '../../../../src/run/selectors/changed-files';
import { selectCosts } from '../../../../src/run/selectors/costs';
import { selectDissent } from '../../../../src/run/selectors/dissent';
import { splitLabels } from '../../../../src/run/selectors/names';
import { selectPhases } from '../../../../src/run/selectors/phases';
import { toPlainText } from '../../../../src/run/selectors/plain-text';
import { selectProblems } from '../../../../src/run/selectors/problems';
import { selectRuleLine } from '../../../../src/run/selectors/rule';
import { selectSums } from '../../../../src/run/selectors/sums';
import { selectTally } from '../../../../src/run/selectors/tally';
import { selectTimeline } from '../../../../src/run/selectors/timeline';
import { selectVerdict } from '../../../../src/run/selectors/verdict';
import {
  answer,
  modelCall,
  selected,
  started,
  tool,
  turn,
  turnEnd,
  vote,
} from '../../../webview/fixtures/events';
import type { Decision } from '../../../webview/fixtures/events';
import { createLog, startedAt } from '../../../webview/fixtures/log';
import * as runs from '../../../webview/fixtures/runs';
import * as tools from '../../../webview/fixtures/tool-runs';

const en = 'en-US';
const after = (seconds: number): number => startedAt + seconds * 1000;

describe('phases', () => {
  const texts = (log: { state(): Parameters<typeof selectPhases>[0] }): readonly string[] =>
    selectPhases(log.state()).map(({ text, status }) => `${text}: ${status}`);

  test('count drafts, then votes, and then nothing', () => {
    expect(texts(runs.drafting())).toEqual(['Drafts 0/3: now', 'Votes: ahead', 'Result: ahead']);
    expect(texts(runs.running())).toEqual(['Drafts 1/3: now', 'Votes: ahead', 'Result: ahead']);
    expect(texts(runs.voting())).toEqual(['Drafts: done', 'Votes 2/3: now', 'Result: ahead']);
    expect(texts(runs.presenting())).toEqual(['Drafts: done', 'Votes: done', 'Result: now']);
    expect(texts(runs.decided())).toEqual(['Drafts: done', 'Votes: done', 'Result: done']);
  });

  test('an agent that failed is not waited for', () => {
    expect(texts(runs.agentFailed())[0]).toBe('Drafts 1/2: now');
  });

  test('one agent has no vote', () => {
    const alone = createLog().at(0, started({ size: 1 }), turn(1));
    expect(texts(alone)).toEqual(['Drafts 0/1: now', 'Result: ahead']);
    expect(selectRuleLine(alone.state(), en)).toBe('One agent works; no vote is needed.');
  });
});

describe('the rule', () => {
  test('is one sentence with its numbers in every phase', () => {
    expect(selectRuleLine(runs.running().state(), en)).toBe(
      'Drafts are written alone. 1 of 3 is in; 2 agents still work.',
    );
    expect(selectRuleLine(runs.voting().state(), en)).toBe(
      '1 vote each for agent2.2 and agent3.1. 2 of 3 votes needed; Agent 2 still votes.',
    );
    expect(selectRuleLine(runs.presenting().state(), en)).toBe(
      'agent2.2 was chosen; Agent 2 writes the final answer.',
    );
    expect(selectRuleLine(runs.decided().state(), en)).toBe('');
  });

  test('many open votes are counted instead of named', () => {
    expect(selectRuleLine(runs.sevenAgents().state(), en)).toBe(
      '4 of 7 votes needed; 7 agents still vote.',
    );
  });
});

describe('sums', () => {
  test('stand against their caps while the run goes on', () => {
    expect(selectSums(runs.running().state(), after(48), en)).toEqual([
      '0:48 of 30:00',
      '3 of 60 calls',
      '38.4k tokens',
      '$0.06 of $2.00',
    ]);
  });

  test('say when it was once it is over, and reviewing later changes nothing', () => {
    const [elapsed, calls, tokens, cost, when] = selectSums(runs.decided().state(), after(900), en);
    expect([elapsed, calls, tokens, cost]).toEqual(['2:31', '8 calls', '143k tokens', '$0.18']);
    expect(when).toMatch(/^today \d\d:02$/);
  });

  test('a price or tokens that are not known are question marks', () => {
    const [, , tokens, cost] = selectSums(runs.sevenAgents().state(), after(60), en);
    expect([tokens, cost]).toEqual(['23.8k tokens', '? of $2.00']);
    const unmetered = createLog().at(0, started(), turn(1)).at(1, {
      type: 'model-call-ended',
      slot: 1,
      turnNo: 1,
      call: 1,
      text: '',
      toolCalls: [],
      usage: {},
      costUsd: null,
    });
    expect(selectSums(unmetered.state(), after(2), en)[2]).toBe('? tokens');
  });

  test('a script costs nothing, whatever its calls report', () => {
    const scripted = createLog()
      .at(0, started({ isScripted: true }), turn(1))
      .at(1, ...modelCall(1, 1, 'x', { fresh: 1, output: 1, costUsd: null }));
    expect(selectSums(scripted.state(), after(2), en)[3]).toBe('$0.00');
    expect(selectCosts(scripted.state(), en).team.cost).toBe('$0.00');
  });
});

describe('cards', () => {
  const cards = (log: { state(): Parameters<typeof selectCards>[0] }, seconds: number) =>
    selectCards(log.state(), after(seconds), en);

  test('tell thinking from writing', () => {
    const where = { slot: 1, turnNo: 1, call: 1 };
    const thinking = createLog()
      .at(0, started({}), turn(1))
      .at(1, { type: 'model-call-started', ...where })
      .at(2, { type: 'text-delta', ...where, text: 'Hm.', isThinking: true });
    expect(cards(thinking, 3)[0]).toMatchObject({ status: 'Thinking', text: '' });
    const writing = thinking.at(4, { type: 'text-delta', ...where, text: 'I see.' });
    expect(cards(writing, 5)[0]).toMatchObject({ status: 'Writing', text: 'I see.' });
  });

  test('say in words what each agent does', () => {
    const shown = cards(runs.running(), 48).map(({ status, now, elapsed }) => ({
      status,
      now,
      elapsed,
    }));
    expect(shown).toEqual([
      {
        status: 'Answered',
        now: {
          icon: 'answer',
          code: 'agent1.1',
          text: 'waits for 2 drafts',
          since: '',
          opens: 'agent1.1',
        },
        elapsed: '0:41',
      },
      {
        status: 'Needs you',
        now: {
          icon: 'terminal',
          code: 'run_command npm test -- --run src/duration.test.ts',
          text: '',
          since: '0:12',
          opens: null,
        },
        elapsed: '0:48',
      },
      {
        status: 'Editing',
        now: {
          icon: 'edit',
          code: 'edit_file src/duration.ts',
          text: '',
          since: '0:03',
          opens: null,
        },
        elapsed: '0:48',
      },
    ]);
  });

  test.each([
    ['read_file', 'Reading'],
    ['search_text', 'Reading'],
    ['write_file', 'Editing'],
    ['delete_file', 'Editing'],
    ['run_command', 'Running a command'],
    ['vote', 'Voting'],
  ])('an agent that calls %s is %s', (name, status) => {
    expect(cards(runs.drafting().at(40, tool(1, 1, name, 'x')), 41)[0]?.status).toBe(status);
  });

  test('a rate limit is a wait and not a failure', () => {
    const log = runs.drafting().at(40, {
      type: 'agent-waiting',
      slot: 1,
      turnNo: 1,
      reason: 'rate-limit',
      until: after(53),
    });
    const [card] = cards(log, 41);
    expect([card?.status, card?.now.text]).toEqual(['Waiting 12 s', 'The service limits calls.']);
  });

  test('a model that says nothing for half a minute is told, until it speaks again', () => {
    const log = runs.drafting().at(40, { type: 'model-call-started', slot: 1, turnNo: 1, call: 9 });
    const said = (seconds: number, shown = log) => {
      const [card] = cards(shown, seconds);
      return [card?.now.icon, card?.now.text, card?.now.since];
    };
    expect(said(69)).toEqual(['none', '', '']);
    expect(said(71)).toEqual(['wait', 'no word from the model for', '0:31']);
    const next = log.at(72, { type: 'text-delta', slot: 1, turnNo: 1, call: 9, text: 'So' });
    expect(said(73, next)).toEqual(['none', '', '']);
  });

  test('what became of an agent stays readable after the end', () => {
    expect(cards(runs.decided(), 999).map((card) => card.status)).toEqual([
      'Voted',
      'Voted',
      'Voted',
    ]);
    expect(cards(runs.stopped(), 999).map((card) => card.status)).toEqual([
      'Answered',
      'Stopped',
      'Stopped',
    ]);
    expect(cards(runs.agentFailed(), 50)[2]?.status).toBe('Failed');
  });

  test('an error is said once: in the place of the text, or below it', () => {
    const state = runs.agentFailed().state();
    const saying = (liveText: string) => {
      const agents = state.agents.map((agent) => ({ ...agent, liveText }));
      const card = selectCards({ ...state, agents }, after(50), en)[2];
      return [card?.text, card?.now.text];
    };
    const error = 'The service answered 401: “API key not valid.”';
    expect(saying('')).toEqual([error, '']);
    expect(saying('I begin.\n')).toEqual(['I begin.', error]);
  });
});

describe('candidates and tally', () => {
  test('candidates stay in the order of the team, replaced answers are counted', () => {
    const { candidates, text } = selectCandidates(runs.voting().state());
    expect(candidates.map((candidate) => candidate.label)).toEqual([
      'agent1.1',
      'agent2.2',
      'agent3.1',
    ]);
    expect(text).toBe('3 current, 1 replaced');
    expect(candidates[1]).toMatchObject({ files: 3, added: 32, removed: 6 });
  });

  test('the tally puts the winner first and tells votes for oneself apart', () => {
    const { rows, eligible, hasSelfVotes } = selectTally(runs.decided().state());
    expect(
      rows.map(({ label, votes, votesFromOthers }) => [label, votes, votesFromOthers]),
    ).toEqual([
      ['agent2.2', 2, 1],
      ['agent3.1', 1, 0],
      ['agent1.1', 0, 0],
    ]);
    expect([rows[0]?.shareFromOthers, rows[0]?.shareSelf]).toEqual([1 / 3, 1 / 3]);
    expect([eligible, hasSelfVotes]).toEqual([3, true]);
  });

  test('a vote that was voided counts for nobody', () => {
    const { rows } = selectTally(runs.voting().state());
    expect(rows.map(({ label, votes }) => [label, votes])).toEqual([
      ['agent2.2', 1],
      ['agent3.1', 1],
      ['agent1.1', 0],
    ]);
  });
});

describe('the verdict', () => {
  const verdict = (decision: Decision) =>
    selectVerdict(
      createLog([...runs.voting().events])
        .at(140, vote(2, 3, 'agent2.2', ''), selected(decision))
        .state(),
      en,
    );
  const won: Decision = {
    votes: { 'agent1.1': 0, 'agent2.2': 2, 'agent3.1': 1 },
    votesFromOthers: { 'agent1.1': 0, 'agent2.2': 1, 'agent3.1': 0 },
    winner: 'agent2.2',
    decidedBy: 'rule',
  };

  test('names votes, rule and need, and how it would be without votes for oneself', () => {
    expect(selectVerdict(runs.decided().state(), en)).toEqual({
      slot: 2,
      label: 'agent2.2',
      headline: 'agent2.2 won with 2 of 3 votes.',
      paragraph:
        'Majority rule, 2 needed. Without self-votes it also leads, 1 to 0. No checks were run.',
      familyWarning: null,
    });
  });

  test.each([
    [{ 'agent2.2': 1, 'agent3.1': 1 }, 'Without self-votes it would be a tie, 1 to 1.'],
    [{ 'agent2.2': 1, 'agent1.1': 2 }, 'Without self-votes agent1.1 would lead, 2 to 1.'],
  ] as const)('%j', (votesFromOthers, sentence) => {
    expect(verdict({ ...won, votesFromOthers })?.paragraph).toContain(sentence);
  });

  test.each([
    ['tie_break', 'smaller_change', 'agent2.2 won a tie of 2 votes each by its smaller change.'],
    ['tie_break', 'seeded_hash', 'agent2.2 won a tie of 2 votes each by lot.'],
    ['runoff', null, 'agent2.2 won the runoff with 2 of 3 votes.'],
    ['fallback_plurality', null, 'agent2.2 has the most, 2 of 3 votes; the rule was not met.'],
    ['timeout', null, 'agent2.2 was chosen when the time was up, with 2 of 3 votes.'],
    ['budget', null, 'agent2.2 was chosen at the cap, with 2 of 3 votes.'],
    ['no_vote', null, 'agent2.2 was chosen without a vote.'],
    ['single', null, 'One answer; no vote was needed.'],
  ] as const)('decided by %s (%s) reads "%s"', (decidedBy, tieBreakUsed, headline) => {
    expect(verdict({ ...won, decidedBy, changes: { tieBreakUsed } })?.headline).toBe(headline);
  });

  test('at a cap without any vote it does not speak of votes', () => {
    expect(selectVerdict(runs.capped().state(), en)?.headline).toBe(
      'agent2.1 was chosen at the cap, without a vote.',
    );
  });

  test('a tie says who had how many and what decided', () => {
    const changes = {
      isTie: true,
      tied: ['agent2.2', 'agent3.1'],
      tieBreakUsed: 'seeded_hash',
    } as const;
    expect(verdict({ ...won, decidedBy: 'tie_break', changes })?.paragraph).toContain(
      'agent2.2 and agent3.1 had 2 votes each; the tie was decided by lot, reproducible from the seed of the run.',
    );
  });

  test('warns of votes from one family of models, not of those of a script', () => {
    const state = runs.decided().state();
    const agents = state.agents.map((agent) => ({
      ...agent,
      info: { ...agent.info, family: 'gpt' },
    }));
    const warningOf = (isScripted: boolean) =>
      selectVerdict({ ...state, agents, isScripted }, en)?.familyWarning;
    expect(warningOf(false)).toBe('These votes come from one family.');
    expect(warningOf(true)).toBeNull();
  });

  test('is not there when nothing was chosen', () => {
    expect(selectVerdict(runs.noConsensus().state(), en)).toBeUndefined();
    expect(selectDissent(runs.noConsensus().state())).toEqual([]);
  });

  test('dissent is every vote for another answer, with its reason', () => {
    expect(selectDissent(runs.decided().state())).toEqual([
      {
        slot: 3,
        target: 'agent3.1',
        text: 'Agent 3 voted agent3.1, its own',
        reason: 'agent2.2 changes the error text for a bad unit. Callers may match on it.',
      },
    ]);
  });
});

describe('changed files', () => {
  test('count what Accept All would take, and leave out what needs its own decision', () => {
    const changed = selectChangedFiles(runs.reviewed().state(), en);
    expect(changed).toMatchObject({ count: '5 files', added: '+33', removed: '\u2212217' });
    expect(changed).toMatchObject({ pending: 2, pendingForAll: 1, accepted: 1 });
    expect(changed.files.map((file) => file.accessibleName)).toEqual([
      'duration.ts, 18 added, 6 removed, conflict, duration.ts changed since the run began: 1 of 2 hunks still fits, lines 12–24 overlap yours.',
      'duration.test.ts, 11 added, 0 removed, accepted',
      'CHANGELOG.md, new, 3 added, 0 removed, rejected',
      'conversion-table-of-durations.generated.ts, deleted, 0 added, 210 removed, not decided',
      '.env.local, needs its own accept, 1 added, 1 removed, not decided',
    ]);
  });

  test('come with those last that Accept All leaves, marked until they are decided', () => {
    const state = runs.reviewed().state();
    const { review } = state;
    const waiting = (files: NonNullable<typeof review>['files']) =>
      selectChangedFiles(
        { ...state, review: review === null ? null : { ...review, files } },
        en,
      ).files.map(({ name, waitsApart }) => (waitsApart ? `${name} waits` : name));
    const files = (review?.files ?? []).toReversed().slice(0, 2);
    expect(waiting(files)).toEqual([
      'conversion-table-of-durations.generated.ts',
      '.env.local waits',
    ]);
    const accepted = files.map((file) => ({ ...file, decision: 'accepted' as const }));
    expect(waiting(accepted).at(-1)).toBe('.env.local');
  });
});

test('a binary file has no lines to count', () => {
  const state = runs.reviewed().state();
  const [file] = state.review?.files ?? [];
  const files = file === undefined ? [] : [{ ...file, isBinary: true, added: 0, removed: 0 }];
  const review = state.review === null ? null : { ...state.review, files };
  const [changed] = selectChangedFiles({ ...state, review }, en).files;
  expect([changed?.added, changed?.removed, changed?.tags]).toEqual(['', '', ['binary']]);
});

describe('problems', () => {
  const first = (log: { state(): Parameters<typeof selectProblems>[0] }) => {
    const [problem] = selectProblems(log.state(), en);
    return [problem?.heading, problem?.text, problem?.actions.map((action) => action.text)];
  };

  test('a run that was cut off is not to be resumed once the user took one of its answers', () => {
    const taken = runs
      .interrupted()
      .at(70, { type: 'user-override', label: 'agent3.1', when: 'after', previous: null });
    expect(first(taken)[2]).toEqual(['Open agent1.1', 'Open agent3.1', 'New Run']);
    const before = runs
      .running()
      .at(50, { type: 'user-override', label: 'agent1.1', when: 'after', previous: null })
      .at(60, { type: 'run-ended', outcome: 'interrupted' });
    expect(first(before)[2]).toContain('Resume Run');
  });

  test('a run without consensus has none any more once the user took one of its answers', () => {
    const taken = runs
      .noConsensus()
      .at(700, { type: 'user-override', label: 'agent2.1', when: 'after', previous: null });
    expect(selectProblems(runs.noConsensus().state(), en)).toHaveLength(1);
    expect(selectProblems(taken.state(), en)).toEqual([]);
  });

  test('a plain run has none', () => {
    expect(selectProblems(runs.decided().state(), en)).toEqual([]);
  });

  test('say what happened, what holds now, and what can be done', () => {
    expect(first(runs.stopped())).toEqual([
      'Stopped by you at 0:52',
      '1 of 3 drafts was finished and is kept. No command is still running. Your files are unchanged.',
      ['Open agent1.1', 'New Run'],
    ]);
    expect(first(runs.interrupted())).toEqual([
      'Interrupted when the window closed',
      '2 finished answers are kept. No process is left. Your files are unchanged.',
      ['Resume Run', 'Open agent1.1', 'Open agent3.1', 'New Run'],
    ]);
    expect(first(runs.capped())).toEqual([
      'Cap reached: $2.00',
      'No new calls were made. Nobody could vote; the order for ties chose from the 2 drafts that exist. Your files are unchanged.',
      ['Change Caps…', 'New Run'],
    ]);
    expect(first(runs.agentFailed())).toEqual([
      'Agent 3 failed; the run goes on with 2',
      'The service answered 401: “API key not valid.” Check the key of this service. With 2 voters a majority now needs both.',
      ['Check Key…', 'Retry Agent 3', 'Show Logs'],
    ]);
    expect(first(runs.allFailed())).toEqual([
      'No agent could answer',
      'Your files are unchanged.',
      ['Check Key…', 'Show Logs', 'Edit Team'],
    ]);
    expect(first(runs.noConsensus())).toEqual([
      'No consensus: 1 vote each',
      'Nothing was chosen: agent1.1, agent2.1 and agent3.1 have 1 of 3 votes each; the rule asks for 2.',
      ['New Run'],
    ]);
  });

  test('what the engine told a model is not passed off as told to the user', () => {
    const error = {
      code: 'protocol/attempts-exhausted',
      message: 'Hand in one.',
      retryable: false,
    };
    const log = runs.running().at(44, { type: 'agent-failed', slot: 3, error });
    expect(selectProblems(log.state(), en)[0]?.text).toContain(
      'Its responses could not be used. It was told last: “Hand in one.”',
    );
  });

  test('what an agent failed at is told in the past once the run is over', () => {
    const state = { ...runs.agentFailed().state(), outcome: 'completed' } as const;
    const [problem] = selectProblems(state, en);
    expect(problem?.heading).toBe('Agent 3 failed; the run went on with 2');
    expect(problem?.text).toContain('With 2 voters a majority needed both.');
  });

  test('a cap that left time for votes says that there was one', () => {
    const voted = { ...runs.capped().state(), agents: runs.voting().state().agents };
    expect(selectProblems(voted, en)[0]?.text).toContain('drafts that exist went to a vote.');
  });

  test('a cap shows how much of it was used', () => {
    expect(selectProblems(runs.capped().state(), en)[0]?.meter).toEqual({
      share: 0.99,
      text: '$1.98 of $2.00, 2 of 60 calls, 12:40 of 30:00',
    });
  });
});

describe('the timeline', () => {
  test('joins an update that went to several agents, and strikes what no longer counts', () => {
    const rows = selectTimeline(runs.voting().state(), en);
    expect(rows.filter((row) => row.icon === 'update')).toHaveLength(2);
    expect(rows.filter((row) => row.isStruck).map((row) => [row.label, row.note])).toEqual([
      ['agent2.1', 'replaced by agent2.2'],
      ['agent1.1', 'self-vote, voided at 1:44'],
    ]);
  });

  test('updates that are further apart stay apart', () => {
    const update = (slot: number) =>
      ({
        type: 'update-delivered',
        slot,
        turnNo: 1,
        labels: ['agent1.1'],
        at: 'tool-result',
      }) as const;
    const log = runs.running().at(50, update(2)).at(55, update(3));
    expect(
      selectTimeline(log.state(), en)
        .map((row) => row.sentence)
        .slice(-2),
    ).toEqual([
      '0:50, Agent 2: Update delivered, now sees agent1.1',
      '0:55, Agent 3: Update delivered, now sees agent1.1',
    ]);
  });

  test('puts a fact about one agent into its lane and one about all across', () => {
    const lanes = selectTimeline(runs.decided().state(), en).map((row) => row.slot);
    expect(lanes).toEqual([null, 1, 2, 3, null, 1, 2, 1, null, 1, 3, 2, null, 2, null]);
  });

  test('tells failures in the words of the service', () => {
    const log = runs.agentFailed().at(60, { type: 'cap-reached', cap: 'duration' });
    expect(
      selectTimeline(log.state(), en)
        .map((row) => row.sentence)
        .slice(-2),
    ).toEqual([
      '0:44, Agent 3: Failed: The service answered 401: “API key not valid.”',
      '1:00, Cap reached, time; no new calls are made',
    ]);
  });
});

describe('announcements', () => {
  const between = (
    before: { state(): Parameters<typeof selectAnnouncements>[0] },
    next: typeof before,
  ) => selectAnnouncements(before.state(), next.state(), en);

  test('are phases and results', () => {
    const log = createLog().at(0, started());
    expect(selectAnnouncements({ ...log.state(), timeline: [] }, log.state(), en)).toEqual([
      'Run started, 3 agents.',
    ]);
    expect(between(runs.voting(), runs.won())).toEqual([
      'agent2.2 won with 2 of 3 votes. 3 changed files to review.',
    ]);
    expect(between(runs.running(), runs.stopped())).toEqual(['Stopped. Your files are unchanged.']);
  });

  test('say that voting began, and that a vote has to be cast again', () => {
    const drafts = runs.drafting().at(40, answer('agent1.1', 'x'), answer('agent2.1', 'x'));
    expect(between(drafts, drafts.at(41, answer('agent3.1', 'x')))).toEqual([
      'All drafts are in, 3 agents. Voting.',
    ]);
    const voided = runs
      .voting()
      .at(130, { type: 'votes-voided', cause: 'agent2.2', voters: [1, 3] });
    expect(between(runs.voting(), voided)).toEqual([
      'Agent 1 and Agent 3 vote again; agent2.2 arrived.',
    ]);
  });

  test('say what an agent has to do without, and never in the words of a server', () => {
    const server = { type: 'tool-server-changed', slot: 2, server: 'weather' } as const;
    const log = runs.drafting();
    const failed = log.at(40, { ...server, status: 'failed', message: 'SECRET' });
    expect(between(log, failed)).toEqual(['Agent 2 goes on without the tools of a server.']);
    expect(between(tools.toolsAtWork(), tools.cutOff())).toEqual([
      'The response of Agent 3 was cut off.',
    ]);
  });

  test('never hold the text of a model', () => {
    const log = runs.drafting();
    const spoken = log.at(50, { type: 'text-delta', slot: 1, turnNo: 1, call: 2, text: 'SECRET' });
    expect(between(log, spoken)).toEqual([]);
  });
});

test('costs add up to the team, with the share of the winner', () => {
  const { rows, team, summary } = selectCosts(runs.decided().state(), en);
  expect(rows[1]).toEqual({
    slot: 2,
    name: 'Agent 2',
    isWinner: true,
    calls: '3',
    fresh: '51.0k',
    cached: '12.0k',
    output: '6.3k',
    cost: '$0.11',
  });
  expect([team.calls, team.cost, summary]).toEqual(['8', '$0.18', '$0.18, of which Agent 2 $0.11']);
});

test('without any known price the costs say so in words', () => {
  const state = runs.decided().state();
  const agents = state.agents.map((agent) => {
    const { calls } = agent.usage;
    return { ...agent, usage: { ...agent.usage, costUsd: 0, unpricedCalls: calls } };
  });
  expect(selectCosts({ ...state, agents }, en).summary).toBe('price unknown');
});

test('a cost that is known in part says what it lacks', () => {
  const whole = runs.decided().state();
  const agents = whole.agents.map((agent, i) =>
    i === 0 ? { ...agent, usage: { ...agent.usage, unpricedCalls: 1 } } : agent,
  );
  const state = { ...whole, agents };
  expect(selectCosts(whole, en).note).toBe('');
  const { team, note } = selectCosts(state, en);
  expect(team.cost).toBe('at least $0.18');
  expect(note).toMatch(/^At least: the price of some calls is not known, or .* web searches\.$/);
  expect(toPlainText(state, after(300), en)).toContain(note);
});

test('labels are told apart from the words around them', () => {
  expect(
    splitLabels('agent2.2 won; agent2 and reagent1.1 did not.').filter((piece) => piece.isLabel),
  ).toEqual([{ text: 'agent2.2', isLabel: true }]);
});

test('the whole run as text holds verdict, votes, files, answer, cost and timeline, and no hidden character', () => {
  const log = createLog(runs.decided().events).at(180, turnEnd(1, 9, 'vote'), {
    type: 'warning-raised',
    code: 'x',
    message: 'odd \u202e name',
  });
  const text = toPlainText(log.state(), after(300), en);
  for (const part of [
    'parseDuration("1h 30m") returns 60',
    'Drafts · Votes · Result',
    'agent2.2 won with 2 of 3 votes.',
    'agent3.1: 1, without self-votes 0',
    '  Agent 3, agent3.1, its own: agent2.2 changes the error text',
    'Changed files: 3 files +32 \u22126',
    '  duration.test.ts, 11 added, 0 removed, accepted (src)',
    '`parseDuration` returned after',
    '  Team: 8 calls, 118k fresh',
    '2:31, Run finished',
    '3:00, Warning: odd ⟨U+202E⟩ name',
  ]) {
    expect(text).toContain(part);
  }
  expect(text.endsWith('\n')).toBe(true);
});

describe('files that were taken while a command still ran', () => {
  const note = /Its files were taken while a command of it still ran/;
  const unsettled = (label: string): Parameters<typeof selectVerdict>[0] => {
    const state = runs.decided().state();
    const agents = state.agents.map((agent) => ({
      ...agent,
      revisions: agent.revisions.map((revision) =>
        revision.label === label ? { ...revision, isUnsettled: true } : revision,
      ),
    }));
    return { ...state, agents };
  };

  test('are told beside their answer alone, and in the verdict about it', () => {
    const winner = runs.decided().state().selection?.winner?.label ?? '';
    const noted = selectCandidates(unsettled(winner)).candidates.filter(
      ({ filesNote }) => filesNote !== '',
    );
    expect(noted.map(({ label }) => label)).toEqual([winner]);
    expect(noted[0]?.filesNote).toMatch(note);
    expect(selectVerdict(unsettled(winner), en)?.paragraph).toMatch(note);
    expect(selectVerdict(unsettled('another'), en)?.paragraph).not.toMatch(note);
  });
});
