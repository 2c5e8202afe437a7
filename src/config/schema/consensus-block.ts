import { isScalar } from 'yaml';
import type { BackendKind } from '../../core/ports/backend-kind';
import { type BackendBlock, backendBlock } from './backend-block';
import { either, list, mapping, nullable, record } from './collections';
import { boolean, integer, number, oneOf, text } from './scalars';
import { inSeconds, seconds, setting } from './settings';
import { field, type Field, type FieldValues, type Spec } from './spec';

const share = number({ above: 0, maximum: 1 });

export const ballotKeys = {
  dual_pass: setting(
    'dualPass',
    oneOf('off', 'close'),
    '`close`: leaders one vote apart or less are compared once more, in the opposite order.',
  ),
};

/** Keys that each set one thing. */
export const consensusKeys = {
  rule: setting(
    'rule',
    oneOf('plurality', 'majority', 'supermajority', 'unanimity', 'min_agreement', 'weighted'),
    'How many votes decide.',
  ),
  threshold: setting(
    'threshold',
    nullable(share),
    'Share of the votes for `supermajority` and `weighted`.',
    { defaultText: '2/3 for supermajority' },
  ),
  min_agreement: setting(
    'minAgreement',
    integer({ minimum: 1 }),
    'Votes needed by the rule `min_agreement`.',
  ),
  quorum: setting('quorum', share, 'Share of the voters whose votes close the poll.'),
  electorate: setting(
    'electorate',
    oneOf('all', 'answered'),
    'Who votes: everybody, or those with an answer of their own.',
  ),
  self_vote: setting(
    'selfVote',
    oneOf('allow', 'forbid', 'ignore', 'by_panel_size'),
    'Whether a vote for its own answer counts, is refused, or is accepted and not counted; `by_panel_size`: it counts among two voters only.',
  ),
  margin: setting(
    'margin',
    number({ minimum: 0, maximum: 1000 }),
    'Lead over the next answer that is asked for beside the share, in votes.',
  ),
  families: setting(
    'families',
    oneOf('label', 'weight'),
    '`weight`: agents of one model family share one vote. `label`: families are only shown.',
  ),
  stop: setting(
    'stop',
    oneOf('full', 'exact', 'posterior'),
    'When asking for votes ends: when all are in, when the missing ones can change nothing, or when the leader is better with the probability `posterior`.',
  ),
  posterior: setting(
    'posteriorAt',
    number({ above: 0.5, maximum: 0.999 }),
    'Probability that is enough for `stop: posterior`.',
  ),
  on_split: setting(
    'onSplit',
    oneOf('tie_break', 'runoff', 'another_round', 'judge', 'human', 'fail'),
    'What follows when the rule is not met. `judge` needs `judge`; `human` asks you where you can be asked.',
  ),
  human_timeout: setting(
    'humanTimeoutMs',
    seconds({ above: 0, maximum: 86_400 }),
    'How long `on_split: human` waits for you, in seconds.',
    { show: inSeconds },
  ),
  max_runoffs: setting('maxRunoffs', integer({ minimum: 0, maximum: 5 }), 'Runoff votes at most.'),
  max_extra_rounds: setting(
    'maxExtraRounds',
    integer({ minimum: 0, maximum: 5 }),
    'Further rounds at most.',
  ),
  on_timeout: setting(
    'onTimeout',
    oneOf('best_available', 'fail'),
    'What the deadline does without a decision.',
  ),
};

const tieBreakElements = oneOf(
  'evidence',
  'approvals',
  'votes_from_others',
  'smaller_change',
  'latest',
  'earliest',
  'seeded_hash',
  'seeded_random',
  'config_order',
);

const ownFields = {
  ...consensusKeys,
  weights: field(record(number({ minimum: 0, maximum: 1000 })), 'Weight of a vote by agent id.', {
    defaultText: '1 each',
  }),
  early_stop: field(boolean(), 'The same as `stop: exact`, and `stop: full` when false.', {
    defaultText: 'true (recommended), false (compat)',
  }),
  ballot: field(mapping(ballotKeys), 'How votes are cast.'),
  tie_break: field(
    list(tieBreakElements),
    'What narrows a tie, in this order, until one answer is left.',
    {
      defaultText:
        'evidence, approvals, votes_from_others, smaller_change, seeded_hash (recommended), config_order (compat)',
    },
  ),
};

export type ConsensusBlock = FieldValues<
  typeof ownFields & { readonly judge: Field<string | BackendBlock> }
>;

export function consensusBlock(kinds: readonly BackendKind[]): Spec<ConsensusBlock> {
  return mapping({
    ...ownFields,
    judge: field(
      either(isScalar, text(), backendBlock(kinds)),
      'Who decides a split with `on_split: judge`: a model of its own, or the id of an agent, which then only judges.',
    ),
  });
}
