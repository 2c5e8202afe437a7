import { describe, expect, it } from 'vitest';
import type {
  CoordinationEvent,
  CoordinationEventsFile,
} from '../../../../src/protocol/artifacts/coordination-events';
import { eventNames, eventTypeOf } from '../../../../src/protocol/artifacts/event-names';
import type { EventLine } from '../../../../src/protocol/artifacts/event-line';
import { eventSince, type RecordedEvent } from '../../../../src/run/events';
import { scenarioLog, scenarios } from '../../../support/known-logs';
import { filesOf, jsonOf, textOf } from '../../../support/project';
import { restartedRunEvents } from '../../../support/restarted-run';
import { record, sampleRunEvents } from '../../../support/sample-run';

const fileOf = (events: readonly RecordedEvent[], dir = ''): CoordinationEventsFile =>
  jsonOf(filesOf(events), `${dir}coordination_events.json`) as CoordinationEventsFile;

function contexts(
  file: CoordinationEventsFile,
  type: string,
): readonly CoordinationEvent['context'][] {
  return file.events.filter(({ event_type }) => event_type === type).map(({ context }) => context);
}

describe('names of events in files', () => {
  it('lead back to every type of the log', () => {
    expect(new Set(eventNames.map(eventTypeOf))).toEqual(new Set(Object.keys(eventSince)));
    expect(new Set(eventNames).size).toBe(eventNames.length);
  });
});

describe('a line of events.jsonl', () => {
  const lines = textOf(filesOf(record(sampleRunEvents)), 'events.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EventLine);

  it('names the agent by slot and id, and its members by the names of MassGen', () => {
    expect(lines.find(({ type }) => type === 'vote_cast')).toEqual({
      seq: 8,
      ts: 1_008_000,
      type: 'vote_cast',
      attempt: 1,
      slot: 1,
      agent_id: 'gpt',
      turn_no: 2,
      data: {
        ballot_label: 'agent1.vote1',
        voted_for_label: 'agent1.1',
        reason: 'Mine works.',
        seen: [],
        informed: true,
        weight: 1,
        phase: 'vote',
      },
    });
  });

  it('is numbered without gaps, and about the author where votes become void', () => {
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_line, i) => i));
    expect(lines.find(({ type }) => type === 'votes_voided')).toMatchObject({
      agent_id: 'claude',
      data: { cause: 'agent2.1', voters: [1] },
    });
  });
});

describe('coordination_events.json', () => {
  const file = fileOf(record(sampleRunEvents));

  it('begins with the session and its winner', () => {
    expect(file.session_metadata).toEqual({
      user_prompt: 'Make parseDuration read all units.',
      agent_ids: ['gpt', 'claude'],
      start_time: 1000,
      end_time: 1000 + sampleRunEvents.length - 1,
      final_winner: 'claude',
    });
    expect(file.events[0]).toMatchObject({
      event_type: 'session_start',
      agent_id: null,
      context: { agent_ids: ['gpt', 'claude'], iteration: 1, round: 0 },
    });
    expect(file.events.at(-1)).toMatchObject({
      event_type: 'session_end',
      context: { finish_reason: 'completed' },
    });
  });

  it('has an iteration for each epoch, not for each pass of a loop', () => {
    const starts = contexts(file, 'iteration_start');
    expect(starts.map((context) => context['iteration'])).toEqual([1, 2, 3]);
    expect(starts.map((context) => context['available_answers'])).toEqual([
      [],
      ['agent1.1'],
      ['agent1.1', 'agent2.1'],
    ]);
    expect(contexts(file, 'iteration_end').map((context) => context['reason'])).toEqual([
      ...['new_answer', 'new_answer', 'quorum'],
    ]);
  });

  it('names only agents whose vote or turn is really affected by a new answer', () => {
    expect(contexts(file, 'restart_triggered')).toMatchObject([
      { affected_agents: ['gpt'], triggering_agent: 'claude' },
    ]);
    const log = scenarioLog('C13');
    expect(contexts(fileOf(log), 'restart_triggered')).toMatchObject([
      { affected_agents: ['A', 'B', 'C', 'D'], triggering_agent: null },
    ]);
  });

  it('says for each agent when it begins again', () => {
    const restarted = file.events.filter(({ event_type }) => event_type === 'restart_completed');
    expect(restarted.map(({ agent_id, context }) => [agent_id, context['agent_round']])).toEqual([
      ['gpt', 1],
      ['gpt', 2],
      ['claude', 1],
    ]);
  });

  it('gives real ids beside labels, and the whole record of the decision', () => {
    expect(contexts(file, 'vote_cast')[1]).toMatchObject({
      voted_for: 'claude',
      voted_for_label: 'agent2.1',
      ballot_label: 'agent1.vote2',
      round: 2,
    });
    expect(contexts(file, 'final_agent_selected')[0]).toMatchObject({
      vote_summary: { claude: 2 },
      all_answers: ['agent1.1', 'agent2.1'],
      agreement: { decided_by: 'rule', satisfied: true },
    });
    expect(contexts(file, 'final_answer')[0]).toMatchObject({ label: 'agent2.final' });
  });

  it.each(['constructor', '__proto__', 'toString'])('counts votes for an agent named %s', (id) => {
    const renamed = JSON.stringify(record(sampleRunEvents)).replaceAll('"claude"', `"${id}"`);
    const odd = fileOf(JSON.parse(renamed) as readonly RecordedEvent[]);
    const summary = contexts(odd, 'final_agent_selected')[0]?.['vote_summary'];
    expect(Object.entries(summary ?? {})).toEqual([[id, 2]]);
  });

  it('leaves out what streams', () => {
    const types = new Set(file.events.map(({ event_type }) => event_type));
    expect([...types].filter((type) => /model_call|tool_|^text$/.test(type))).toEqual([]);
  });

  it('names refused answers and votes, time-outs of agents and of the team', () => {
    const typesOf = (id: string): readonly string[] =>
      fileOf(scenarioLog(id)).events.map(({ event_type }) => event_type);
    expect(typesOf('C13')).toEqual(expect.arrayContaining(['answer_rejected', 'vote_rejected']));
    expect(typesOf('C52')).toContain('agent_timeout');
    expect(typesOf('C50')).toContain('agent_error');
    expect(typesOf('C53')).toContain('orchestrator_timeout');
    expect(typesOf('C61')).toEqual(expect.arrayContaining(['answer_held', 'hold_released']));
  });

  it('tells every new status of an agent once', () => {
    const changes = file.events
      .filter(({ event_type }) => event_type === 'status_change')
      .map(({ agent_id, details }) => `${agent_id ?? ''} ${details.split(': ')[1] ?? ''}`);
    expect(changes.slice(0, 4)).toEqual([
      ...['gpt streaming', 'claude streaming', 'gpt answered', 'gpt streaming'],
    ]);
    for (const id of scenarios.keys()) {
      const last = new Map<string, string>();
      for (const { event_type, agent_id, details } of fileOf(scenarioLog(id)).events) {
        if (event_type === 'status_change') {
          expect(last.get(agent_id ?? '')).not.toBe(details);
          last.set(agent_id ?? '', details);
        }
      }
    }
  });

  it('is kept apart for each attempt, with counts that begin anew', () => {
    const events = record(restartedRunEvents);
    const [first, second] = [fileOf(events, 'attempt_1/'), fileOf(events, 'attempt_2/')];
    expect(contexts(first, 'orchestration_restart')).toEqual([]);
    expect(contexts(first, 'post_evaluation_result')).toMatchObject([{ decision: 'restart' }]);
    expect(second.events[0]).toMatchObject({
      event_type: 'orchestration_restart',
      context: { attempt: 2, reason: 'Days are missing.', iteration: 1 },
    });
    expect(contexts(second, 'iteration_start')[1]).toMatchObject({ iteration: 2 });
    expect(second.session_metadata.final_winner).toBe('claude');
  });
});
