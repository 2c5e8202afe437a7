import { isScalar } from 'yaml';
import { either, list, mapping, nullable, record, unsupported } from './collections';
import { originalCoordinationKeys, originalOrchestratorKeys } from './original-keys';
import { boolean, integer, number, oneOf, text } from './scalars';
import { field } from './spec';

const share = number({ above: 0, maximum: 1 });

const consensusBlock = mapping({
  rule: field(
    oneOf('plurality', 'majority', 'supermajority', 'unanimity', 'min_agreement', 'weighted'),
    'How many votes decide.',
    { defaultText: 'majority (recommended), plurality (compat)' },
  ),
  threshold: field(nullable(share), 'Share of the votes for `supermajority` and `weighted`.', {
    defaultText: '2/3 for supermajority',
  }),
  min_agreement: field(integer({ minimum: 1 }), 'Votes needed by the rule `min_agreement`.', {
    defaultText: '2',
  }),
  quorum: field(share, 'Share of the voters whose votes close the poll.', { defaultText: '1' }),
  electorate: field(
    oneOf('all', 'answered'),
    'Who votes: everybody, or those with an answer of their own.',
    { defaultText: 'all' },
  ),
  self_vote: field(
    oneOf('allow', 'forbid', 'ignore'),
    'Whether a vote for its own answer counts, is refused, or is accepted and not counted.',
    { defaultText: 'allow' },
  ),
  weights: field(record(number({ minimum: 0, maximum: 1000 })), 'Weight of a vote by agent id.', {
    defaultText: '1 each',
  }),
  early_stop: field(boolean(), 'Stop as soon as the missing votes cannot change the result.', {
    defaultText: 'false',
  }),
  on_split: field(
    oneOf('tie_break', 'runoff', 'another_round', 'fail', 'judge', 'human'),
    'What follows when the rule is not met.',
    { defaultText: 'runoff (recommended), tie_break (compat)' },
  ),
  max_runoffs: field(integer({ minimum: 0, maximum: 5 }), 'Run-off votes at most.', {
    defaultText: '1',
  }),
  max_extra_rounds: field(integer({ minimum: 0, maximum: 5 }), 'Further rounds at most.', {
    defaultText: '1',
  }),
  tie_break: field(
    list(
      oneOf(
        'votes_from_others',
        'approvals',
        'smaller_change',
        'latest',
        'earliest',
        'seeded_hash',
        'seeded_random',
        'config_order',
        'evidence',
      ),
    ),
    'What narrows a tie, in this order, until one answer is left.',
    { defaultText: 'approvals, votes_from_others, smaller_change, seeded_hash' },
  ),
  on_timeout: field(oneOf('best_available', 'fail'), 'What the deadline does without a decision.', {
    defaultText: 'best_available',
  }),
  judge: unsupported('is not supported yet; a split goes to the tie break.'),
  margin: unsupported('is not supported yet and has no effect.'),
  ballot: unsupported('is not supported yet and has no effect.'),
  families: unsupported('is not supported yet and has no effect.'),
  stop: unsupported('is not supported yet and has no effect.'),
});

const contextPath = mapping({
  path: field(text(), 'Folder or file, relative to the project or absolute.', {
    isRequired: true,
  }),
  permission: field(
    oneOf('read', 'write'),
    'What agents may do in their own layers; your files change only when you accept.',
    { defaultText: 'read' },
  ),
  protected_paths: field(list(text()), 'Paths inside it that nobody may change.'),
});

const sensitivities = [
  ...['lenient', 'balanced', 'strict', 'roi', 'roi_conservative', 'roi_balanced'],
  ...['roi_aggressive', 'sequential', 'adversarial', 'consistency', 'diversity', 'reflective'],
  ...['checklist', 'checklist_scored', 'checklist_gated'],
];

const coordinationBlock = mapping({
  max_orchestration_restarts: field(integer({ minimum: 0 }), 'Restarts of the whole run.', {
    defaultText: '0',
  }),
  write_mode: field(
    oneOf('auto', 'worktree', 'isolated', 'legacy'),
    "Accepted for MassGen's sake: agents always write into layers of their own.",
    { defaultText: 'auto' },
  ),
  ...originalCoordinationKeys,
});

const count = integer({ minimum: 1 });

export const orchestratorBlock = mapping({
  profile: field(
    oneOf('recommended', 'compat'),
    "Which set of default rules holds: this product's, or those of MassGen.",
    { defaultText: 'compat' },
  ),
  context_paths: field(
    list(either(isScalar, text(), contextPath)),
    'Folders and files of yours that all agents see.',
  ),
  consensus: field(consensusBlock, 'How the team decides.'),
  voting_sensitivity: field(
    oneOf(...sensitivities),
    'How critical agents are asked to be before they vote instead of answering anew.',
    { defaultText: 'lenient' },
  ),
  answer_novelty_requirement: field(
    oneOf('lenient', 'balanced', 'strict'),
    'How different a new answer must be from the answers that exist.',
    { defaultText: 'lenient' },
  ),
  max_new_answers_per_agent: field(nullable(count), 'Answers of one agent at most.', {
    defaultText: '3 (recommended), null (compat)',
  }),
  max_new_answers_global: field(nullable(count), 'Answers of all agents together at most.', {
    defaultText: 'null',
  }),
  vote_invalidation: field(
    oneOf('all', 'superseded_only'),
    'Which votes a new answer makes void: all, or those for the answer that it replaces.',
    { defaultText: 'all' },
  ),
  update_delivery: field(
    oneOf('inject', 'restart', 'defer', 'off'),
    "How a running agent learns of others' new answers.",
    { defaultText: 'inject' },
  ),
  max_midstream_injections_per_round: field(
    nullable(integer({ minimum: 0 })),
    'Updates put into one turn of an agent at most.',
    { defaultText: '2 (recommended), null (compat)' },
  ),
  defer_peer_updates_until_restart: field(boolean(), 'The same as `update_delivery: defer`.'),
  disable_injection: field(boolean(), 'The same as `update_delivery: off`.'),
  first_answer_protection: field(
    boolean(),
    "An agent finishes its first answer before it sees others'.",
    { defaultText: 'true' },
  ),
  wait_for_first_rival: field(boolean(), 'Nobody votes while there is only one answer.', {
    defaultText: 'true (recommended), false (compat)',
  }),
  max_stale_redeliveries: field(
    integer({ minimum: 0 }),
    'Votes on old answers sent back at most.',
    {
      defaultText: '5',
    },
  ),
  defer_voting_until_all_answered: field(boolean(), 'Voting opens when every agent has answered.', {
    defaultText: 'true (recommended), false (compat)',
  }),
  skip_voting: field(boolean(), 'The run ends when every agent has answered.', {
    defaultText: 'false',
  }),
  skip_final_presentation: field(boolean(), 'The same as `final_answer_strategy: winner_reuse`.'),
  final_answer_strategy: field(
    nullable(oneOf('winner_present', 'winner_reuse', 'synthesize')),
    'Whether the winner writes the final text, or the voted text is shown as it is.',
    { defaultText: 'winner_present' },
  ),
  max_failed_turns_per_agent: field(count, 'Failed turns in a row that end an agent.', {
    defaultText: '2',
  }),
  backend_retries: field(
    integer({ minimum: 0, maximum: 10 }),
    'Retries of one call after a passing fault.',
    { defaultText: '2' },
  ),
  rate_limit_max_wait: field(
    number({ minimum: 0, maximum: 86_400 }),
    'Longest wait for a rate limit in one turn, in seconds.',
    { defaultText: '600' },
  ),
  max_answer_chars: field(integer({ minimum: 1000 }), 'Longest answer in characters.', {
    defaultText: '200000',
  }),
  max_model_calls_per_run: field(nullable(count), 'The same as `limits.model_calls`.'),
  max_cost_per_run: field(nullable(number({ above: 0 })), 'The same as `limits.cost_usd`.'),
  display_order: field(oneOf('shuffle', 'config'), 'Order in which an agent reads the answers.', {
    defaultText: 'shuffle (recommended), config (compat)',
  }),
  run_seed: field(text(), 'Makes shuffles and seeded ties repeat; drawn and recorded when absent.'),
  coordination_mode: field(oneOf('voting', 'decomposition'), 'How agents work together.', {
    defaultText: 'voting',
  }),
  context_path_writes: field(
    oneOf('layered', 'presenter_only'),
    'Which agents may edit their own view of a folder with `permission: write`.',
    { defaultText: 'layered' },
  ),
  coordination: field(coordinationBlock, "MassGen's further keys."),
  timeout: field(
    mapping({ orchestrator_timeout_seconds: field(nullable(number({ above: 0 })), 'Deadline.') }),
    'Older place of `timeout_settings`.',
  ),
  snapshot_storage: field(text(), "Accepted for MassGen's sake; the run has its own storage."),
  agent_temporary_workspace: field(
    text(),
    "Accepted for MassGen's sake; the run has its own storage.",
  ),
  ...originalOrchestratorKeys,
});
