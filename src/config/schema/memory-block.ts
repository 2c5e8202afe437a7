// `memory` of MassGen: a store of vectors beside the run. Checked as MassGen checks it; nothing of it is here.
import { mapping } from './collections';
import { boolean, integer, number, oneOf, text } from './scalars';
import { secretName } from './secret-key';
import { field } from './spec';

const share = number({ minimum: 0, maximum: 1 });

const model = (usual: string) =>
  mapping(
    {
      provider: field(text(), 'Maker of the model.'),
      model: field(text(), `Model, usually ${usual}.`),
      api_key: field(secretName('OPENAI_API_KEY'), 'Variable that holds the key.'),
      base_url: field(text(), 'Address of the service.'),
    },
    'warning',
  );

const persistent = mapping(
  {
    enabled: field(boolean(), 'Whether memories outlive a run.'),
    on_disk: field(boolean(), 'Whether they are kept on disk.'),
    path: field(text(), 'Folder of the store.'),
    agent_name: field(text(), 'Whose memories.'),
    session_name: field(text(), 'Of which session.'),
    vector_store: field(text(), 'Kind of store.'),
    llm: field(model('a small one'), 'Model that finds what is worth keeping.'),
    embedding: field(model('a small one'), 'Model that compares texts.'),
    qdrant: field(
      mapping(
        {
          mode: field(oneOf('server', 'local'), 'Where the store runs.'),
          host: field(text(), 'Host of the store.'),
          port: field(integer({ minimum: 1, maximum: 65_535 }), 'Port of the store.'),
          path: field(text(), 'Folder of the store.'),
        },
        'warning',
      ),
      'The store itself.',
    ),
  },
  'warning',
);

/** All members in their right form; nothing is made of them. */
export const memoryBlock = mapping(
  {
    enabled: field(boolean(), 'Whether agents remember.'),
    conversation_memory: field(
      mapping({ enabled: field(boolean(), 'Whether a run remembers itself.') }, 'warning'),
      'Within a run.',
    ),
    persistent_memory: field(persistent, 'Beyond a run.'),
    compression: field(
      mapping(
        {
          trigger_threshold: field(
            share,
            'Share of the window at which earlier parts are shortened.',
          ),
          target_ratio: field(share, 'Share that is left afterwards.'),
        },
        'warning',
      ),
      'Shortening of what is long.',
    ),
    recording: field(
      mapping(
        {
          record_all_tool_calls: field(boolean(), 'Whether calls of tools are remembered.'),
          record_reasoning: field(boolean(), 'Whether thoughts are remembered.'),
        },
        'warning',
      ),
      'What is remembered.',
    ),
    retrieval: field(
      mapping(
        {
          limit: field(integer({ minimum: 1 }), 'Memories that are found at most.'),
          exclude_recent: field(boolean(), 'Whether what is still in the window is left out.'),
        },
        'warning',
      ),
      'What is found again.',
    ),
  },
  'warning',
);
