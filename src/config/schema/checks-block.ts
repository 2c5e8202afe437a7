import { isScalar } from 'yaml';
import { longestCheckTimeoutMs } from '../../run/check-specs';
import { either, list, mapping } from './collections';
import { oneOf, text } from './scalars';
import { seconds } from './settings';
import { field, type Spec } from './spec';

const oneCheck = mapping({
  name: field(text(), 'Name for people and agents, different from the others.', {
    defaultText: 'the command',
  }),
  command: field(text(), 'Shell command, run in the first folder of a copy of the project.', {
    isRequired: true,
  }),
  kind: field(
    oneOf('build', 'types', 'test', 'lint', 'format', 'other'),
    'What it looks at; for showing.',
    { defaultText: 'by the words of the command' },
  ),
  time_limit: field(
    seconds({ minimum: 1, maximum: longestCheckTimeoutMs / 1000 }),
    'Longest run in seconds.',
    { defaultText: '300' },
  ),
  mode: field(
    oneOf('gate', 'inform'),
    '`gate`: an answer that fails it, while the untouched project passes, cannot be chosen. `inform`: it is only told.',
    { defaultText: 'gate' },
  ),
});

type Value<S> = S extends Spec<infer T> ? T : never;

export type CheckEntry = string | Value<typeof oneCheck>;

/** A plain text is short for a gate with that command. */
export const checksBlock = list(either(isScalar, text(), oneCheck));

export type ChecksBlock = Value<typeof checksBlock>;
