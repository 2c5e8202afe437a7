import { z } from 'zod';
import { count, label, seconds, stampText } from './stability';
import { agreement } from './status';

const ids = z.array(z.string());

/** `vote.json` beside an accepted vote. */
export const vote = z.object({
  schema_version: z.int(),
  ballot_label: z.string(),
  voter_id: z.string(),
  voter_anon_id: z.string(),
  voted_for: z.string(),
  voted_for_anon: z.string(),
  voted_for_label: label,
  reason: z.string(),
  approve: z.array(label),
  timestamp: stampText,
  unix_timestamp: seconds,
  iteration: count,
  coordination_round: count,
  available_options: ids,
  available_options_anon: ids,
  available_options_labels: z.array(label),
  answer_label_to_agent: z.record(z.string(), z.string()),
  agent_mapping: z.record(z.string(), z.string()),
  seen: z.array(label),
  informed: z.boolean(),
  void: z.boolean(),
  voided_by: z.string().nullable(),
  weight: z.number(),
  phase: z.string().describe('vote, runoff, extra_round or dual_pass.'),
  vote_context: z.object({
    total_agents: count,
    agents_with_answers: count,
    current_task: z.string(),
  }),
});

/** `vote.json` of an attempt. */
export const resultVote = z.object({
  schema_version: z.int(),
  votes: z.record(
    z.string(),
    z.object({
      voted_for: z.string(),
      voted_for_label: label,
      reason: z.string(),
      valid: z.boolean(),
    }),
  ),
  winner: z.string().nullable(),
  winner_label: label.nullable(),
  consensus_reached: z.boolean(),
  agreement: agreement.nullable(),
  reason: z.string().nullable(),
});
