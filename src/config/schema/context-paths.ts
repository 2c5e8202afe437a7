// `context_paths`: folders and files of the user that agents see.
import { isScalar } from 'yaml';
import { either, list, mapping } from './collections';
import { oneOf, settingText } from './scalars';
import { field, type Spec } from './spec';

const permissions = oneOf('read', 'write');

/** What cannot be read as a permission gives the weaker one. */
const permission: Spec<'read' | 'write'> = {
  shape: permissions.shape,
  read: (node, context) => permissions.read(node, context.withWarnings()) ?? 'read',
};

const contextPath = mapping({
  path: field(settingText(), 'Folder or file, relative to the project or absolute.', {
    isRequired: true,
  }),
  permission: field(
    permission,
    'What agents may do in their own layers; your files change only when you accept.',
    { defaultText: 'read' },
  ),
  protected_paths: field(list(settingText()), 'Paths inside it that nobody may change.'),
});

type Value<S> = S extends Spec<infer T> ? T : never;

/** A plain text is short for a path with read permission. */
export type ContextPathEntry = string | Value<typeof contextPath>;

export const contextPaths: Spec<readonly ContextPathEntry[]> = list(
  either(isScalar, settingText(), contextPath),
);
