import { describe, expect, it } from 'vitest';
import { describeEgress } from '../../../src/config/egress';
import { loadConfig } from '../../../src/config/load-config';
import type { ConfigProblem, RunConfig } from '../../../src/config/run-config';
import { kinds } from './backend-kinds';

const agent = (id: string, more = ''): string =>
  `  - id: ${id}\n    backend: {type: scripted, model: m}\n${more}`;
const team = `agents:\n${agent('ann')}${agent('bob')}${agent('cy')}`;

function problemsOf(text: string): readonly ConfigProblem[] {
  const result = loadConfig(text, '(built-in)', kinds);
  return result.kind === 'ok' ? result.warnings : result.problems;
}

function configOf(text: string): RunConfig {
  const result = loadConfig(text, '(built-in)', kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return result.config;
}

describe('two keys that contradict one another', () => {
  it.each([
    [
      'skip_final_presentation: true, final_answer_strategy: synthesize',
      'skip_final_presentation',
      'final_answer_strategy is synthesize, and that holds.',
    ],
    [
      'disable_injection: true, update_delivery: restart',
      'disable_injection',
      'update_delivery is restart, and that holds.',
    ],
    [
      'defer_peer_updates_until_restart: true, update_delivery: inject',
      'defer_peer_updates_until_restart',
      'update_delivery is inject, and that holds.',
    ],
    [
      'defer_peer_updates_until_restart: true, disable_injection: true',
      'defer_peer_updates_until_restart',
      'disable_injection switches updates off, and that holds.',
    ],
    [
      'fairness_enabled: false, fairness_lead_cap_answers: 3',
      'fairness_lead_cap_answers',
      'fairness_enabled is false, so nobody waits for slower agents.',
    ],
    [
      'consensus: {early_stop: true, stop: full}',
      'consensus.early_stop',
      'stop is full, and that holds.',
    ],
  ])('get one message: %s', (keys, path, message) => {
    const found = problemsOf(`${team}orchestrator: {${keys}}\n`);
    expect(found.map((one) => [one.severity, one.code, one.keyPath, one.message])).toEqual([
      ['warning', 'duplicate', `orchestrator.${path}`, message],
    ]);
  });

  it.each([
    ['skip_final_presentation: true, final_answer_strategy: winner_reuse'],
    ['disable_injection: true, update_delivery: off'],
    ['consensus: {early_stop: true, stop: posterior}'],
    ['consensus: {early_stop: false, stop: full}'],
    ['max_model_calls_per_run: 5'],
  ])('are none when they say the same: %s', (keys) => {
    expect(problemsOf(`${team}orchestrator: {${keys}}\n`)).toEqual([]);
  });

  it('of the limits, that of `limits` holds', () => {
    const text = `${team}limits: {model_calls: 5, cost_usd: 1, duration_minutes: 1}
orchestrator: {max_model_calls_per_run: 6, max_cost_per_run: 2}
timeout_settings: {orchestrator_timeout_seconds: 61}
`;
    expect(problemsOf(text).map(({ keyPath }) => keyPath)).toEqual([
      'orchestrator.max_model_calls_per_run',
      'orchestrator.max_cost_per_run',
      'timeout_settings.orchestrator_timeout_seconds',
    ]);
    expect(configOf(text).caps).toEqual({ durationMs: 60_000, modelCalls: 5, costUsd: 1 });
  });

  it('of the two blocks of time limits, timeout_settings wins key by key', () => {
    const text = `${team}orchestrator:
  timeout: {orchestrator_timeout_seconds: 9, presentation_timeout_seconds: 8}
timeout_settings: {orchestrator_timeout_seconds: 10}
`;
    expect(problemsOf(text).map(({ keyPath, severity }) => [keyPath, severity])).toEqual([
      ['orchestrator.timeout.orchestrator_timeout_seconds', 'warning'],
    ]);
    const { caps, settings } = configOf(text);
    expect([caps.durationMs, settings.presentationTimeoutMs]).toEqual([10_000, 8_000]);
  });

  it('of the weights, that of the consensus block holds', () => {
    const text = `agents:\n${agent('ann', '    weight: 2\n')}${agent('bob')}orchestrator: {consensus: {weights: {ann: 3}}}\n`;
    expect(problemsOf(text).map(({ keyPath }) => keyPath)).toEqual(['agents[0].weight']);
    expect(configOf(text).agents[0]?.weight).toBe(3);
  });
});

describe('a key that says nothing beside the others', () => {
  it.each([
    ['consensus: {rule: majority, threshold: 0.6}', 'consensus.threshold'],
    ['consensus: {min_agreement: 2}', 'consensus.min_agreement'],
    ['consensus: {posterior: 0.9}', 'consensus.posterior'],
    ['consensus: {human_timeout: 5}', 'consensus.human_timeout'],
    ['consensus: {on_split: judge}', 'consensus.on_split'],
    ['evaluator: judge', 'evaluator'],
    ['consensus: {judge: cy}', 'consensus.judge'],
    ['presenter_agent: bob', 'presenter_agent'],
    ['reopen_on_update: true', 'reopen_on_update'],
  ])('is named in a warning: %s', (keys, path) => {
    const found = problemsOf(`${team}orchestrator: {${keys}}\n`);
    expect(found.map(({ severity, code, keyPath }) => [severity, code, keyPath])).toEqual([
      ['warning', 'no-effect', `orchestrator.${path}`],
    ]);
  });

  it('is a part of the task where the team votes', () => {
    const text = `agents:\n${agent('ann', '    subtask: The parser.\n')}${agent('bob')}`;
    expect(problemsOf(text).map(({ keyPath }) => keyPath)).toEqual(['agents[0].subtask']);
    expect(configOf(text).agents[0]?.systemMessage).toBeUndefined();
    const divided = configOf(`${text}orchestrator: {coordination_mode: decomposition}\n`);
    expect(divided.agents[0]?.systemMessage).toBe('Your part of the task: The parser.');
  });

  it('is an unknown time limit, with the likely name', () => {
    const text = `${team}timeout_settings: {presentation_timeout_second: 5}\n`;
    expect(problemsOf(text)).toMatchObject([
      { severity: 'warning', code: 'unknown-key', suggestion: 'presentation_timeout_seconds' },
    ]);
    expect(configOf(text).settings.presentationTimeoutMs).toBe(600_000);
  });

  it('is a permission that is none: the folder can only be read', () => {
    const text = `${team}orchestrator: {context_paths: [{path: src, permission: wirte}]}\n`;
    expect(problemsOf(text)).toMatchObject([{ severity: 'warning', suggestion: 'write' }]);
    expect(configOf(text).contextPaths[0]?.permission).toBe('read');
  });
});

describe('a folder that is listed twice', () => {
  it.each(['src', './src', 'src/', './/src/.'])('%s keeps the weaker permission', (path) => {
    const paths = `{path: ${path}, permission: read}, {path: src, permission: write}`;
    const text = `${team}orchestrator: {context_paths: [${paths}]}\n`;
    expect(problemsOf(text)).toMatchObject([{ severity: 'warning', code: 'duplicate' }]);
    expect(configOf(text).contextPaths).toMatchObject([{ permission: 'read' }]);
  });
});

describe('a run that need not end', () => {
  it('is warned of', () => {
    const open = `${team}limits: {duration_minutes: null}\n`;
    expect(problemsOf(open).map(({ message }) => message)).toEqual([
      'Neither the answers nor the time of a run are limited; set max_new_answers_per_agent or a deadline.',
    ]);
    expect(problemsOf(`${open}orchestrator: {max_new_answers_global: 9}\n`)).toEqual([]);
    expect(problemsOf(`${open}orchestrator: {profile: recommended}\n`)).toEqual([]);
  });
});

describe('a judge', () => {
  it('may be a model of its own, with its key and host named before anything is sent', () => {
    const config = configOf(`${team}orchestrator:
  consensus:
    on_split: judge
    judge: {type: chatcompletion, model: big, base_url: https://api.openai.com/v1, api_key: "\${OPENAI_API_KEY}"}
`);
    expect(config.judge).toMatchObject({ model: 'big', apiKeyName: 'OPENAI_API_KEY' });
    expect(config.settings).toMatchObject({ hasJudge: true, onSplit: 'judge' });
    expect(config.agents).toHaveLength(3);
    expect(describeEgress(config, kinds)).toMatchObject({
      hosts: [{ host: 'api.openai.com', agentIds: ['the judge'], keys: [{ isUsual: true }] }],
      variables: ['OPENAI_API_KEY'],
    });
  });

  it('may be one of the agents, which then neither answers nor votes', () => {
    const config = configOf(`agents:\n${agent('ann')}${agent('bob')}${agent('cy')}orchestrator:
  final_answer_strategy: synthesize
  presenter_agent: cy
  consensus: {on_split: judge, judge: ann}
`);
    expect(config.agents.map(({ id }) => id)).toEqual(['bob', 'cy']);
    expect(config.settings.presenterSlot).toBe(2);
    expect(config.judge?.type).toBe('scripted');
    expect(config.notices).toEqual(['ann only judges: it neither answers nor votes.']);
  });

  it.each([
    ['an agent that there is not', 'consensus: {on_split: judge, judge: ane}', 'ann'],
    ['the judge with a weight', 'consensus: {on_split: judge, judge: ann, weights: {ann: 2}}', ''],
    [
      'more agreement than voters',
      'consensus: {judge: ann, on_split: judge, rule: min_agreement, min_agreement: 3}',
      '',
    ],
    [
      'a presenter that there is not',
      'final_answer_strategy: synthesize, presenter_agent: bobb',
      'bob',
    ],
    [
      'a presenter that judges',
      'final_answer_strategy: synthesize, presenter_agent: ann, consensus: {judge: ann, on_split: judge}',
      '',
    ],
  ])('and others are refused: %s', (_what, keys, suggestion) => {
    const errors = problemsOf(`${team}orchestrator: {${keys}}\n`).filter(
      ({ severity }) => severity === 'error',
    );
    expect(errors.map(({ code }) => code)).toEqual(['wrong-value']);
    expect(suggestion === '' || errors[0]?.suggestion === suggestion).toBe(true);
  });

  it('is refused when nobody is left to answer', () => {
    const text = `agents:\n${agent('ann')}orchestrator: {consensus: {on_split: judge, judge: ann}}\n`;
    expect(problemsOf(text).map(({ message }) => message)).toContain(
      'The judge is the only agent, and nobody is left to answer.',
    );
  });
});

describe('agents', () => {
  it('may not share a folder', () => {
    const text = `agents:
  - {id: ann, backend: {type: scripted, model: m, cwd: work}}
  - {id: bob, backend: {type: scripted, model: m, cwd: work/}}
`;
    expect(problemsOf(text)).toMatchObject([
      { severity: 'error', code: 'duplicate', keyPath: 'agents[1].backend.cwd' },
    ]);
  });
});

describe('turns of one model', () => {
  it('are kept apart only when the file says so', () => {
    expect(configOf(team).paceMs).toBeUndefined();
    expect(configOf(`${team}orchestrator: {pace_ms: 500}\n`).paceMs).toBe(500);
  });
});

describe('the deadline on the command line', () => {
  it('counts as success only when the file says so', () => {
    expect(configOf(team).isTimeoutWithAnswerOk).toBeUndefined();
    expect(
      configOf(`${team}orchestrator: {timeout_with_answer_ok: true}\n`).isTimeoutWithAnswerOk,
    ).toBe(true);
  });
});
