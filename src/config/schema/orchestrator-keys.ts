import { nullable } from './collections';
import { boolean, integer, oneOf, text } from './scalars';
import { inSeconds, seconds, setting } from './settings';

const count = integer({ minimum: 1 });
const fromZero = integer({ minimum: 0 });
const tokens = { defaultText: "a share of the model's window" };

/** Keys about answers and votes that each set one thing. */
const answerKeys = {
  answer_novelty_requirement: setting(
    'novelty',
    oneOf('lenient', 'balanced', 'strict'),
    'How different a new answer must be from the answers that exist.',
  ),
  novelty_measure: setting(
    'noveltyMeasure',
    oneOf('words', 'phrases'),
    'What answers are compared by for novelty: their words, or each three words in a row.',
    { defaultText: 'words' },
  ),
  duplicate_considers_files: setting(
    'duplicateConsidersFiles',
    boolean(),
    'The same text with other files is a new answer of its author.',
  ),
  max_new_answers_per_agent: setting(
    'maxNewAnswersPerAgent',
    nullable(count),
    'Answers of one agent at most.',
  ),
  max_new_answers_global: setting(
    'maxNewAnswersGlobal',
    nullable(count),
    'Answers of all agents together at most.',
  ),
  max_answer_chars: setting(
    'maxAnswerChars',
    integer({ minimum: 1000 }),
    'Longest answer in characters.',
  ),
  vote_invalidation: setting(
    'voteInvalidation',
    oneOf('all', 'superseded_only'),
    'Which votes a new answer makes void: all, or those for the answer that it replaces.',
  ),
  defer_voting_until_all_answered: setting(
    'deferVotingUntilAllAnswered',
    boolean(),
    'Voting opens when every agent has answered.',
  ),
  skip_voting: setting('skipVoting', boolean(), 'The run ends when every agent has answered.'),
  skip_coordination_rounds: setting(
    'skipCoordination',
    boolean(),
    'For finding faults: the first agent presents at once, without answers and votes.',
  ),
  single_agent_vote: setting(
    'singleAgentVote',
    boolean(),
    'Whether an agent that works alone votes for itself all the same.',
  ),
  display_order: setting(
    'displayOrder',
    oneOf('shuffle', 'config'),
    'Order in which an agent reads the answers.',
  ),
};

/** Keys about how agents learn of one another that each set one thing. */
const deliveryKeys = {
  update_delivery: setting(
    'updateDelivery',
    oneOf('inject', 'restart', 'defer', 'off'),
    "How a running agent learns of others' new answers.",
  ),
  max_midstream_injections_per_round: setting(
    'maxMidstreamInjections',
    nullable(fromZero),
    'Updates put into one turn of an agent at most.',
  ),
  first_answer_protection: setting(
    'firstAnswerProtection',
    boolean(),
    "An agent finishes its first answer before it sees others'.",
  ),
  wait_for_first_rival: setting(
    'waitForFirstRival',
    boolean(),
    'Nobody votes while there is only one answer.',
  ),
  max_stale_redeliveries: setting(
    'maxStaleRedeliveries',
    fromZero,
    'Votes on old answers sent back at most.',
  ),
  settle_ms: setting(
    'settleMs',
    integer({ minimum: 0, maximum: 60_000 }),
    'Answers that arrive within this time of one another cost one prompt, in milliseconds.',
  ),
  fairness_max_wait_seconds: setting(
    'fairnessMaxWaitMs',
    seconds({ minimum: 0, maximum: 86_400 }),
    'Longest time an agent is held back for being ahead, in seconds.',
    { show: inSeconds },
  ),
};

/** Keys about faults, the end and its limits that each set one thing. */
const courseKeys = {
  coordination_mode: setting(
    'mode',
    oneOf('voting', 'decomposition'),
    'Whether agents do the same task and vote, or divide it among them.',
  ),
  reopen_on_update: setting(
    'reopenOnUpdate',
    boolean(),
    'In decomposition: an answer of another agent starts those again that had done their part.',
    { defaultText: 'false' },
  ),
  debug_final_answer: setting(
    'debugFinalAnswer',
    text(),
    'For finding faults: this text is the final one, and nobody presents.',
    { defaultText: 'none' },
  ),
  max_failed_turns_per_agent: setting(
    'maxFailedTurns',
    count,
    'Failed turns in a row that end an agent.',
  ),
  backend_retries: setting(
    'backendRetries',
    integer({ minimum: 0, maximum: 10 }),
    'Retries of one call after a passing fault.',
  ),
  rate_limit_max_wait: setting(
    'rateLimitMaxWaitMs',
    seconds({ minimum: 0, maximum: 86_400 }),
    'Longest wait for a rate limit in one turn, in seconds.',
    { show: inSeconds },
  ),
  timeout_presentation: setting(
    'timeoutPresentation',
    oneOf('reuse', 'present'),
    'After the deadline: the chosen text as it is, or presented by its author.',
  ),
  evaluator: setting(
    'evaluator',
    oneOf('winner', 'other', 'judge'),
    'Who looks at the finished work before it is handed over, when restarts are allowed.',
  ),
  workspace_after_answer: setting(
    'workspaceAfterAnswer',
    oneOf('keep', 'clear'),
    'What a new turn starts with: its files as they were left, or as at the start of the run.',
  ),
  restart_workspace: setting(
    'restartWorkspace',
    oneOf('seed', 'clear'),
    'What agents start anew with: the files that were found wanting, or nothing.',
  ),
  repeated_effects: setting(
    'repeatedEffects',
    oneOf('ask', 'deny', 'mark'),
    'An effect outside that is done again with other arguments: asked about, refused, or done and marked.',
  ),
  project_instructions: setting(
    'projectInstructions',
    boolean(),
    'Puts AGENTS.md, CLAUDE.md and .github/copilot-instructions.md of the folders before the agents.',
  ),
  answers_budget_tokens: setting(
    'answersBudgetTokens',
    nullable(count),
    'Tokens that answers may take in a prompt.',
    tokens,
  ),
  history_budget_tokens: setting(
    'historyBudgetTokens',
    nullable(count),
    'Tokens that earlier turns of a session may take in a prompt.',
    tokens,
  ),
  memory_budget_tokens: setting(
    'memoryBudgetTokens',
    nullable(count),
    "Tokens that agents' notes may take in a prompt.",
    tokens,
  ),
};

/** Keys that each set one thing. */
export const orchestratorKeys = { ...answerKeys, ...deliveryKeys, ...courseKeys };
