import { mapping } from './collections';
import { boolean, oneOf } from './scalars';
import { field, type FieldValues, type Spec } from './spec';
import { each, unless } from './without-effect';

const fields = {
  display_type: field(
    oneOf('rich_terminal', 'textual_terminal', 'terminal', 'simple', 'silent'),
    'How the command line shows a run; the editor has its panel.',
    { defaultText: 'rich_terminal' },
  ),
  use_orchestrator_for_single_agent: field(
    boolean(),
    'Whether an agent that works alone votes for its answer all the same.',
    { defaultText: 'true' },
  ),
  logging_enabled: unless(
    true,
    'display',
    boolean(),
    'a run is always recorded; --no-logs keeps nothing of it',
  ),
  ...each('display', ['type'], undefined, 'display_type says it'),
  ...each(
    'display',
    ['automation_mode', 'debug'],
    boolean(),
    'the command line says it with --automation and --debug',
  ),
};

export const uiBlock: Spec<UiBlock> = mapping(fields, 'warning');

export type UiBlock = FieldValues<
  Pick<typeof fields, 'display_type' | 'use_orchestrator_for_single_agent'>
>;
