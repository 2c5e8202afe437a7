import type { BackendKind } from '../../core/ports/backend-kind';
import { mapping, nullable } from './collections';
import { type ConsensusBlock, consensusBlock } from './consensus-block';
import { contextPaths } from './context-paths';
import { coordinationBlock } from './coordination-block';
import { originalOrchestratorKeys } from './original-orchestrator-keys';
import { orchestratorKeys } from './orchestrator-keys';
import { boolean, integer, number, oneOf, text } from './scalars';
import { field, type Field, type FieldValues, type Spec } from './spec';
import { sensitivity } from './sensitivity';
import { timeoutBlock } from './timeout-block';

const count = integer({ minimum: 1 });

/** Keys that say something together with others, or are not about the rules. */
const otherKeys = {
  defer_peer_updates_until_restart: field(boolean(), 'The same as `update_delivery: defer`.'),
  disable_injection: field(boolean(), 'The same as `update_delivery: off`.'),
  fairness_enabled: field(boolean(), 'Whether an agent that is ahead waits for slower ones.', {
    defaultText: 'true (recommended), false (compat)',
  }),
  fairness_lead_cap_answers: field(
    integer({ minimum: 0 }),
    'How many answers an agent may be ahead.',
    {
      defaultText: '2',
    },
  ),
  final_answer_strategy: field(
    nullable(oneOf('winner_present', 'winner_reuse', 'synthesize')),
    'Whether the winner writes the final text, the voted text is shown as it is, or one text is made of all answers.',
    { defaultText: 'winner_present' },
  ),
  skip_final_presentation: field(boolean(), 'The same as `final_answer_strategy: winner_reuse`.'),
  presenter_agent: field(
    text(),
    'Id of the agent that puts the final text together, for `decomposition` and `synthesize`.',
    { defaultText: 'the winner; in decomposition the last one with an answer' },
  ),
  max_model_calls_per_run: field(nullable(count), 'The same as `limits.model_calls`.'),
  max_cost_per_run: field(nullable(number({ above: 0 })), 'The same as `limits.cost_usd`.'),
  timeout_with_answer_ok: field(
    boolean(),
    'On the command line: whether a run that hit its deadline with an answer ends with exit code 0.',
    { defaultText: 'false' },
  ),
  pace_ms: field(
    integer({ minimum: 0, maximum: 60_000 }),
    'Shortest time between the starts of two turns with one model and key, in milliseconds.',
    { defaultText: '0' },
  ),
  run_seed: field(text(), 'Makes shuffles and seeded ties repeat; drawn and recorded when absent.'),
  context_path_writes: field(
    oneOf('layered', 'presenter_only'),
    'Which agents may edit their own view of a folder with `permission: write`.',
    { defaultText: 'layered' },
  ),
  apply: field(
    oneOf('review', 'auto'),
    'How the result gets into your files: you accept it, or the command line writes what needs no decision. In the editor you accept, always.',
    { defaultText: 'review' },
  ),
  snapshot_storage: field(text(), "Accepted for MassGen's sake; the run has its own storage."),
  agent_temporary_workspace: field(
    text(),
    "Accepted for MassGen's sake; the run has its own storage.",
  ),
};

const ownFields = {
  profile: field(
    oneOf('recommended', 'compat'),
    "Which set of default rules holds: this product's, or those of MassGen.",
    { defaultText: 'compat' },
  ),
  context_paths: field(contextPaths, 'Folders and files of yours that all agents see.'),
  voting_sensitivity: field(
    sensitivity,
    'How critical agents are asked to be before they vote instead of answering anew.',
    { defaultText: 'lenient' },
  ),
  ...orchestratorKeys,
  ...otherKeys,
  coordination: field(coordinationBlock, "MassGen's further keys."),
  timeout: field(timeoutBlock, 'Older place of `timeout_settings`.'),
  ...originalOrchestratorKeys,
};

export type OrchestratorBlock = FieldValues<
  typeof ownFields & { readonly consensus: Field<ConsensusBlock> }
>;

export function orchestratorBlock(kinds: readonly BackendKind[]): Spec<OrchestratorBlock> {
  const consensus = field(consensusBlock(kinds), 'How the team decides.');
  return mapping({ ...ownFields, consensus });
}
