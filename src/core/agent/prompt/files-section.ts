import type { AgentWorkspace, WorkspaceRoot } from '../../ports/workspace';

/** What the agent can see and change, and what becomes of it. Paths are only those the agent itself uses. */
export function filesSection(workspace: AgentWorkspace, canRunCommands: boolean): string {
  const lines = workspace.roots.map((root) => `- ${root.shownPath}: ${describe(root)}`);
  const first = workspace.roots[0];
  return [
    '# Files',
    'You work on your own copy of everything below. Nobody else sees your changes until you submit an answer; the answer then carries the state of your files. The user decides at the end which changes to take over.',
    ...lines,
    ...(first === undefined ? [] : [`Relative paths start at ${first.shownPath}.`]),
    'Look at files before you change them, and change only what the task needs. Describe in your answer what you changed and why.',
    ...(canRunCommands
      ? [
          'Commands run in a shell without input, and a person may have to allow them first. Check your work with the means of the project, for example its tests. A command that was refused is refused for good: work without it.',
        ]
      : []),
  ].join('\n');
}

function describe(root: WorkspaceRoot): string {
  switch (root.kind) {
    case 'context':
      return `the user's folder "${root.name}" (${rights(root)}).`;
    case 'private':
      return 'a folder of your own. Files you leave here are handed to the user as new files.';
    case 'peers':
      return 'the answers you are shown with their files, one folder per agent (read only).';
  }
}

function rights({ canWrite, protectedPaths = [] }: WorkspaceRoot): string {
  if (!canWrite) {
    return 'read only';
  }
  return protectedPaths.length === 0
    ? 'you may change it'
    : `you may change it, except ${protectedPaths.join(', ')}, which can only be read`;
}
