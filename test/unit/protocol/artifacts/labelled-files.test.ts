import { describe, expect, it } from 'vitest';
import { agentFolders, stamp, turnFolder } from '../../../../src/protocol/artifacts/places';
import { withoutSecrets } from '../../../../src/protocol/artifacts/execution-metadata';
import type { AgentInfo, PayloadRef } from '../../../../src/run/facts';
import type { RunEvent } from '../../../../src/run/events';
import { scenarioLog } from '../../../support/known-logs';
import { filesOf, type Files, jsonOf, named, textOf } from '../../../support/project';
import { restartedRunEvents } from '../../../support/restarted-run';
import { record, sampleRunEvents } from '../../../support/sample-run';

const sample = filesOf(record(sampleRunEvents));

describe('places', () => {
  const session = { history: [], turn: 3, sessionId: '20260314-150926-535-8f3a2c' };

  it('are named by the beginning of the session, in universal time', () => {
    const run = { runId: '20270101-000000-000-000000', startedAt: 0, session };
    expect(turnFolder(run)).toBe('massgen_logs/log_20260314_150926_535540/turn_3');
    expect(turnFolder({ ...run, session: null })).toBe(
      'massgen_logs/log_20270101_000000_000000/turn_1',
    );
  });

  it('differ for two happenings within one millisecond', () => {
    expect(stamp(0, 17)).toBe('19700101_000000_000017');
    expect(stamp(0, 18)).not.toBe(stamp(0, 17));
  });

  it('of agents are their ids where these can be names of folders, and never meet', () => {
    const agents = ['gpt', 'GPT', '../x', 'a/b', '', 'final', 'attempt_2', '..'].map(
      (id, i): AgentInfo => ({
        ...{ slot: i + 1, id, backend: '', model: '', family: '', weight: 1 },
      }),
    );
    const names = [...agentFolders(agents).values()];
    expect(names).toEqual([
      ...['gpt', 'GPT_2', '__x', 'a_b', 'agent_5', 'final_6', 'attempt_2_7', '_'],
    ]);
  });
});

describe('the folder of an answer', () => {
  it('holds the text, and what the agent had been told', () => {
    const [folder = ''] = named(sample, 'answer.txt').filter((path) => path.startsWith('gpt/'));
    expect(folder).toBe('gpt/19700101_001645_000005/answer.txt');
    expect(textOf(sample, folder)).toBe('First.');
    expect(textOf(sample, 'gpt/19700101_001645_000005/context.txt')).toContain(
      'Make parseDuration read all units.',
    );
  });

  it('holds the real prompt where the log keeps it', () => {
    const prompt: PayloadRef = { sha256: 'a'.repeat(64), bytes: 10 };
    const [started, ...rest] = sampleRunEvents;
    const opened: RunEvent = { type: 'turn-opened', slot: 1, turnNo: 1, prompt };
    const text = JSON.stringify({ system: 'You are agent1.', message: 'TASK: durations' });
    const events = record([...(started === undefined ? [] : [started]), opened, ...rest.slice(2)]);
    const files = filesOf(events, { get: ({ sha256 }) => (sha256 === prompt.sha256 ? text : '') });
    const path = named(files, 'context.txt').find((each) => each.startsWith('gpt/')) ?? '';
    expect(textOf(files, path)).toContain('## System\n\nYou are agent1.\n');
    expect(textOf(files, path)).toContain('## Message\n\nTASK: durations\n');
  });

  it('is where snapshot_mappings.json says', () => {
    const mappings = jsonOf(sample, 'snapshot_mappings.json') as Record<string, { path: string }>;
    expect(Object.keys(mappings)).toEqual([
      ...['agent1.1', 'agent1.vote1', 'agent2.1', 'agent1.vote2', 'agent2.vote1', 'agent2.final'],
    ]);
    expect(mappings['agent1.vote1']).toEqual({
      type: 'vote',
      label: 'agent1.vote1',
      agent_id: 'gpt',
      timestamp: '19700101_001648_000008',
      iteration: 2,
      round: 1,
      path: 'gpt/19700101_001648_000008/vote.json',
      voted_for: 'gpt',
      voted_for_label: 'agent1.1',
    });
    for (const { path } of Object.values(mappings)) {
      expect(sample.has(path)).toBe(true);
    }
  });

  it('is found by the paths of each attempt', () => {
    const files = filesOf(record(restartedRunEvents));
    for (const dir of ['attempt_1/', 'attempt_2/']) {
      const mappings = jsonOf(files, `${dir}snapshot_mappings.json`) as Record<
        string,
        { path: string }
      >;
      expect(Object.values(mappings).every(({ path }) => files.has(`${dir}${path}`))).toBe(true);
    }
  });
});

describe('vote.json', () => {
  const voteOf = (files: Files, label: string): unknown =>
    named(files, 'vote.json')
      .map((path) => jsonOf(files, path))
      .find((vote) => (vote as { ballot_label?: string }).ballot_label === label);

  it('says who voted for what, what could be chosen, and by what it became void', () => {
    expect(voteOf(filesOf(scenarioLog('C02')), 'agent1.vote1')).toMatchObject({
      voter_id: 'A',
      voter_anon_id: 'agent1',
      voted_for: 'A',
      voted_for_anon: 'agent1',
      voted_for_label: 'agent1.1',
      available_options: ['A'],
      available_options_labels: ['agent1.1'],
      agent_mapping: { agent1: 'A', agent2: 'B' },
      seen: ['agent1.1'],
      void: true,
      voided_by: 'agent2.1',
      vote_context: { total_agents: 2, agents_with_answers: 1 },
    });
    expect(voteOf(filesOf(scenarioLog('C02')), 'agent1.vote2')).toMatchObject({
      available_options: ['A', 'B'],
      void: false,
      voided_by: null,
    });
  });

  it('of an attempt gives each valid vote, the winner and the reason', () => {
    expect(jsonOf(sample, 'vote.json')).toMatchObject({
      votes: {
        gpt: { voted_for: 'claude', voted_for_label: 'agent2.1', valid: true },
        claude: { voted_for: 'claude', valid: true },
      },
      winner: 'claude',
      winner_label: 'agent2.1',
      consensus_reached: true,
      reason: expect.stringContaining('agent2.1') as unknown,
    });
  });
});

describe('agent_outputs', () => {
  it('hold what an agent said and did, and the final text', () => {
    const text = textOf(sample, 'agent_outputs/gpt.txt');
    expect(text).toContain('--- turn 1 ---\n[new_answer] agent1.1\nFirst.\n--- turn 2 ---\n');
    expect(text).toContain('[vote] agent1.1 Mine works.');
    expect(textOf(sample, 'agent_outputs/final_presentation_claude.txt')).toBe(
      '# Done\n\nAll units.\n',
    );
    expect(textOf(sample, 'agent_outputs/final_presentation_claude_latest.txt')).toBe(
      '# Done\n\nAll units.\n',
    );
  });

  it('hold the course of the run, each row once', () => {
    const rows = textOf(sample, 'agent_outputs/system_status.txt').trimEnd().split('\n');
    expect(rows[0]).toContain('Run started');
    expect(rows.filter((row) => row.includes('answered agent1.1'))).toHaveLength(1);
  });
});

describe('update_message.txt', () => {
  it('holds the news as they were put into a turn', () => {
    const files = filesOf(scenarioLog('C04'));
    const [path = ''] = named(files, 'update_message.txt');
    expect(path.startsWith('B/')).toBe(true);
    expect(textOf(files, path)).toBe(
      'New answers: agent1.1 (with the stale vote)\n\n<agent1.1>\nA1\n</agent1.1>\n',
    );
  });
});

describe('execution_metadata.yaml', () => {
  it('names the run, its agents, its seed and every setting', () => {
    expect(jsonOf(sample, 'execution_metadata.yaml')).toMatchObject({
      schema_version: 1,
      query: 'Make parseDuration read all units.',
      timestamp: '1970-01-01T00:16:40.000Z',
      agent_mapping: { agent1: 'gpt', agent2: 'claude' },
      profile: 'compat',
      run_seed: '00',
      settings: { rule: 'majority', max_restarts: 0 },
    });
  });

  it('takes values out that stand under a name for secrets', () => {
    expect(
      withoutSecrets({
        api_key: 'x',
        list: [{ Authorization: 'Bearer x', password: null, url: 'u' }],
        apiKeyName: 'MY_KEY',
        max_tokens: 10,
        nested: { access_token: { deep: 'x' } },
      }),
    ).toEqual({
      api_key: '[removed]',
      list: [{ Authorization: '[removed]', password: null, url: 'u' }],
      apiKeyName: 'MY_KEY',
      max_tokens: 10,
      nested: { access_token: '[removed]' },
    });
  });
});
