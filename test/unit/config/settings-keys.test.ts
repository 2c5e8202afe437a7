import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load-config';
import type { RunConfig } from '../../../src/config/run-config';
import type { KeyInfo, Shape } from '../../../src/config/schema/shape';
import { teamFile } from '../../../src/config/schema/team-file';
import { compatProfile, type ProfileSettings, recommendedProfile } from '../../../src/run/profiles';
import { kinds } from './backend-kinds';

const backend = { type: 'scripted', model: 'm' };
const team = ['ann', 'bob', 'cy'].map((id) => ({ id, backend }));

interface Case {
  readonly value: unknown;
  readonly sets: Partial<ProfileSettings>;
  /** Further keys without which the key has no effect or no meaning. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** Every key of the rules with a value that is not the default, and exactly what it changes. */
const cases: Readonly<Record<string, Case>> = {
  'orchestrator.voting_sensitivity': { value: 'strict', sets: { votingSensitivity: 'strict' } },
  'orchestrator.answer_novelty_requirement': { value: 'balanced', sets: { novelty: 'balanced' } },
  'orchestrator.novelty_measure': { value: 'phrases', sets: { noveltyMeasure: 'phrases' } },
  'orchestrator.duplicate_considers_files': {
    value: false,
    sets: { duplicateConsidersFiles: false },
  },
  'orchestrator.reopen_on_update': { value: true, sets: { reopenOnUpdate: true } },
  'orchestrator.debug_final_answer': { value: 'Wrong.', sets: { debugFinalAnswer: 'Wrong.' } },
  'orchestrator.max_new_answers_per_agent': { value: 4, sets: { maxNewAnswersPerAgent: 4 } },
  'orchestrator.max_new_answers_global': { value: 9, sets: { maxNewAnswersGlobal: 9 } },
  'orchestrator.max_answer_chars': { value: 5000, sets: { maxAnswerChars: 5000 } },
  'orchestrator.vote_invalidation': {
    value: 'superseded_only',
    sets: { voteInvalidation: 'superseded_only' },
  },
  'orchestrator.defer_voting_until_all_answered': {
    value: true,
    sets: { deferVotingUntilAllAnswered: true },
  },
  'orchestrator.skip_voting': { value: true, sets: { skipVoting: true } },
  'orchestrator.skip_coordination_rounds': { value: true, sets: { skipCoordination: true } },
  'orchestrator.single_agent_vote': { value: false, sets: { singleAgentVote: false } },
  'orchestrator.display_order': { value: 'shuffle', sets: { displayOrder: 'shuffle' } },
  'orchestrator.update_delivery': { value: 'restart', sets: { updateDelivery: 'restart' } },
  'orchestrator.defer_peer_updates_until_restart': {
    value: true,
    sets: { updateDelivery: 'defer' },
  },
  'orchestrator.disable_injection': { value: true, sets: { updateDelivery: 'off' } },
  'orchestrator.max_midstream_injections_per_round': {
    value: 0,
    sets: { maxMidstreamInjections: 0 },
  },
  'orchestrator.first_answer_protection': { value: false, sets: { firstAnswerProtection: false } },
  'orchestrator.wait_for_first_rival': { value: true, sets: { waitForFirstRival: true } },
  'orchestrator.max_stale_redeliveries': { value: 1, sets: { maxStaleRedeliveries: 1 } },
  'orchestrator.settle_ms': { value: 250, sets: { settleMs: 250 } },
  'orchestrator.fairness_enabled': { value: true, sets: { fairnessLeadCap: 2 } },
  'orchestrator.fairness_lead_cap_answers': { value: 3, sets: { fairnessLeadCap: 3 } },
  'orchestrator.fairness_max_wait_seconds': { value: 1.5, sets: { fairnessMaxWaitMs: 1500 } },
  'orchestrator.coordination_mode': { value: 'decomposition', sets: { mode: 'decomposition' } },
  'orchestrator.presenter_agent': {
    value: 'cy',
    sets: { presenterSlot: 3 },
    beside: { final_answer_strategy: 'synthesize' },
  },
  'orchestrator.final_answer_strategy': {
    value: 'synthesize',
    sets: { finalAnswerStrategy: 'synthesize' },
  },
  'orchestrator.skip_final_presentation': {
    value: true,
    sets: { finalAnswerStrategy: 'winner_reuse' },
  },
  'orchestrator.max_failed_turns_per_agent': { value: 5, sets: { maxFailedTurns: 5 } },
  'orchestrator.backend_retries': { value: 0, sets: { backendRetries: 0 } },
  'orchestrator.rate_limit_max_wait': { value: 30, sets: { rateLimitMaxWaitMs: 30_000 } },
  'orchestrator.timeout_presentation': { value: 'reuse', sets: { timeoutPresentation: 'reuse' } },
  'orchestrator.evaluator': { value: 'other', sets: { evaluator: 'other' } },
  'orchestrator.workspace_after_answer': {
    value: 'clear',
    sets: { workspaceAfterAnswer: 'clear' },
  },
  'orchestrator.restart_workspace': { value: 'clear', sets: { restartWorkspace: 'clear' } },
  'orchestrator.repeated_effects': { value: 'deny', sets: { repeatedEffects: 'deny' } },
  'orchestrator.project_instructions': { value: false, sets: { projectInstructions: false } },
  'orchestrator.answers_budget_tokens': { value: 100, sets: { answersBudgetTokens: 100 } },
  'orchestrator.history_budget_tokens': { value: 200, sets: { historyBudgetTokens: 200 } },
  'orchestrator.memory_budget_tokens': { value: 300, sets: { memoryBudgetTokens: 300 } },
  'orchestrator.consensus.rule': { value: 'unanimity', sets: { rule: 'unanimity' } },
  'orchestrator.consensus.threshold': {
    value: 0.75,
    sets: { threshold: 0.75 },
    beside: { consensus: { rule: 'weighted' } },
  },
  'orchestrator.consensus.min_agreement': {
    value: 3,
    sets: { minAgreement: 3 },
    beside: { consensus: { rule: 'min_agreement' } },
  },
  'orchestrator.consensus.quorum': { value: 0.5, sets: { quorum: 0.5 } },
  'orchestrator.consensus.electorate': { value: 'answered', sets: { electorate: 'answered' } },
  'orchestrator.consensus.self_vote': {
    value: 'by_panel_size',
    sets: { selfVote: 'by_panel_size' },
  },
  'orchestrator.consensus.margin': { value: 1, sets: { margin: 1 } },
  'orchestrator.consensus.families': { value: 'weight', sets: { families: 'weight' } },
  'orchestrator.consensus.stop': { value: 'posterior', sets: { stop: 'posterior' } },
  'orchestrator.consensus.early_stop': { value: true, sets: { stop: 'exact' } },
  'orchestrator.consensus.posterior': {
    value: 0.9,
    sets: { posteriorAt: 0.9 },
    beside: { consensus: { stop: 'posterior' } },
  },
  'orchestrator.consensus.ballot.dual_pass': { value: 'close', sets: { dualPass: 'close' } },
  'orchestrator.consensus.on_split': { value: 'human', sets: { onSplit: 'human' } },
  'orchestrator.consensus.human_timeout': {
    value: 60,
    sets: { humanTimeoutMs: 60_000 },
    beside: { consensus: { on_split: 'human' } },
  },
  'orchestrator.consensus.max_runoffs': { value: 2, sets: { maxRunoffs: 2 } },
  'orchestrator.consensus.max_extra_rounds': { value: 3, sets: { maxExtraRounds: 3 } },
  'orchestrator.consensus.tie_break': {
    value: ['evidence', 'seeded_random'],
    sets: { tieBreak: ['evidence', 'seeded_hash', 'config_order'] },
  },
  'orchestrator.consensus.on_timeout': { value: 'fail', sets: { onTimeout: 'fail' } },
  'orchestrator.consensus.judge': {
    value: backend,
    sets: { hasJudge: true },
    beside: { consensus: { on_split: 'judge' } },
  },
  'orchestrator.coordination.max_orchestration_restarts': { value: 2, sets: { maxRestarts: 2 } },
  'orchestrator.coordination.enable_agent_task_planning': {
    value: true,
    sets: { taskPlans: true },
  },
  'orchestrator.coordination.max_tasks_per_plan': { value: 4, sets: { maxTasksPerPlan: 4 } },
  'orchestrator.coordination.enable_memory_filesystem_mode': {
    value: true,
    sets: { memoryFiles: true },
  },
  'orchestrator.coordination.enable_planning_mode': { value: true, sets: { planning: 'classify' } },
  'timeout_settings.initial_round_timeout_seconds': {
    value: 60,
    sets: { softTurnMs: { first: 60_000, later: null } },
  },
  'timeout_settings.subsequent_round_timeout_seconds': {
    value: 30,
    sets: { softTurnMs: { first: null, later: 30_000 } },
  },
  'timeout_settings.round_timeout_grace_seconds': { value: 7, sets: { turnGraceMs: 7_000 } },
  'timeout_settings.hard_kill_seconds': { value: 8, sets: { hardKillMs: 8_000 } },
  'timeout_settings.presentation_timeout_seconds': {
    value: 90,
    sets: { presentationTimeoutMs: 90_000 },
  },
  'timeout_settings.post_evaluation_timeout_seconds': {
    value: 45,
    sets: { postEvaluationTimeoutMs: 45_000 },
  },
};

/** Keys that are not about the rules of a run, or are tested on their own. */
const others: readonly string[] = [
  'orchestrator.profile',
  'orchestrator.context_paths',
  'orchestrator.consensus.weights',
  'orchestrator.coordination.task_planning_filesystem_mode',
  'orchestrator.coordination.write_mode',
  'orchestrator.coordination.drift_conflict_policy',
  'orchestrator.max_model_calls_per_run',
  'orchestrator.max_cost_per_run',
  'orchestrator.timeout_with_answer_ok',
  'orchestrator.run_seed',
  'orchestrator.pace_ms',
  'orchestrator.context_path_writes',
  'orchestrator.apply',
  'orchestrator.snapshot_storage',
  'orchestrator.agent_temporary_workspace',
  'timeout_settings.orchestrator_timeout_seconds',
];

/** Settings that no key sets: they follow from others, or are what the product is. */
const unset: readonly (keyof ProfileSettings)[] = [
  'profile',
  'turnTimeoutMs',
  'maxProtocolErrors',
  'backoffMs',
];

type Written = Pick<Case, 'value' | 'beside'>;

function load(path: string, { value, beside = {} }: Written, orchestrator = {}): RunConfig {
  const [block = '', ...rest] = path.split('.');
  const nested = rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const base = { ...orchestrator, ...beside };
  const file = {
    agents: team,
    ...(block === 'orchestrator' ? {} : { [block]: nested }),
    orchestrator: block === 'orchestrator' ? merged(base, nested) : base,
  };
  const result = loadConfig(stringify(file), '(built-in)', kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return result.config;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function merged(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) {
    return other;
  }
  const keys = Object.keys({ ...one, ...other });
  return Object.fromEntries(
    keys.map((key) => [key, key in other ? merged(one[key], other[key]) : one[key]]),
  );
}

function changesOf(config: RunConfig, from: ProfileSettings): Readonly<Record<string, unknown>> {
  const { runSeed: _seed, ...settings } = config.settings;
  const known: Readonly<Record<string, unknown>> = { ...from };
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
    ),
  );
}

/** Paths of all keys below a mapping that are supported, mappings themselves left out. */
function pathsBelow(info: KeyInfo, path: string): readonly string[] {
  if (info.isUnsupported === true || path === 'orchestrator.timeout') {
    return [];
  }
  return info.shape.kind === 'mapping' ? pathsIn(info.shape, path) : [path];
}

function pathsIn(shape: Shape, path: string): readonly string[] {
  const keys = shape.kind === 'mapping' ? shape.keys : [];
  return keys.flatMap((key) => pathsBelow(key, path === '' ? key.name : `${path}.${key.name}`));
}

describe('a key of the rules', () => {
  it.each(Object.entries(cases))('%s changes exactly its setting', (path, each) => {
    const besideOnly = load('name', { value: 'x' }, each.beside);
    const { runSeed: _seed, ...before } = besideOnly.settings;
    expect(changesOf(load(path, each), before)).toEqual(each.sets);
  });

  it('is one of these: the whole schema has no other', () => {
    const found = pathsIn(teamFile(kinds).shape, '').filter((path) =>
      /^(orchestrator|timeout_settings)\./.test(path),
    );
    expect([...found].sort()).toEqual([...Object.keys(cases), ...others].sort());
  });

  it('exists for every setting that a file can choose', () => {
    const settable = new Set(Object.values(cases).flatMap(({ sets }) => Object.keys(sets)));
    const all = Object.keys(compatProfile).filter((name) => !settable.has(name));
    expect(all.sort()).toEqual([...unset].sort());
  });

  it('that is absent leaves the default of the profile', () => {
    const recommended = load('name', { value: 'x' }, { profile: 'recommended' });
    expect(changesOf(load('name', { value: 'x' }), compatProfile)).toEqual({});
    expect(changesOf(recommended, recommendedProfile)).toEqual({});
  });

  it('can take back what the recommended profile does', () => {
    const off: Readonly<Record<string, Partial<ProfileSettings>>> = {
      fairness_enabled: { fairnessLeadCap: null },
      defer_voting_until_all_answered: { deferVotingUntilAllAnswered: false },
      wait_for_first_rival: { waitForFirstRival: false },
    };
    for (const [key, sets] of Object.entries(off)) {
      const config = load(`orchestrator.${key}`, { value: false }, { profile: 'recommended' });
      expect(changesOf(config, recommendedProfile)).toEqual(sets);
    }
  });
});
