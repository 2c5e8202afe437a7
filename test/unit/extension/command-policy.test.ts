import { describe, expect, it } from 'vitest';
import type { CommandToApprove } from '../../../src/core/ports/approvals';
import { Memory } from '../../../src/extension/memory';
import {
  type PolicyMode,
  WorkspaceCommandPolicy,
} from '../../../src/extension/runs/command-policy';
import { MapMemento } from '../../vscode/integration/map-memento';

const command: CommandToApprove = {
  command: 'npm test',
  cwd: '/storage/run-1/agent-a/app',
  isConfined: false,
  hash: 'hash of run 1',
  rememberedAs: 'npm test in the project',
};

const asks = (): PolicyMode => 'ask';

function makeMemory(): { memory: Memory; workspace: MapMemento } {
  const workspace = new MapMemento();
  return { memory: new Memory(workspace, new MapMemento()), workspace };
}

describe('commands allowed for a workspace', () => {
  it('a command that nobody allowed is left to a person', () => {
    expect(new WorkspaceCommandPolicy(makeMemory().memory, asks).decide(command)).toBeUndefined();
  });

  it('a remembered command is allowed in the copy of any agent and run', async () => {
    const { memory } = makeMemory();
    await new WorkspaceCommandPolicy(memory, asks).remember(command);
    const later = { ...command, cwd: '/storage/run-2/agent-c/app', hash: 'hash of run 2' };
    expect(new WorkspaceCommandPolicy(memory, asks).decide(later)).toEqual({
      isAllowed: true,
      by: 'earlier-decision',
    });
  });

  it.each(['ask', 'confined'] as const)(
    'a tool that has changed is not covered (%s)',
    async (mode) => {
      const { memory } = makeMemory();
      const policy = new WorkspaceCommandPolicy(memory, () => mode);
      const tool = { ...command, isConfined: true };
      await policy.remember(tool);
      expect(policy.decide(tool)?.isAllowed).toBe(true);
      expect(policy.decide({ ...tool, isChanged: true })).toBeUndefined();
    },
  );

  it('another text or another folder is not covered', async () => {
    const { memory } = makeMemory();
    const policy = new WorkspaceCommandPolicy(memory, asks);
    await policy.remember(command);
    expect(policy.decide({ ...command, command: 'npm test; rm -rf .' })).toBeUndefined();
    expect(policy.decide({ ...command, rememberedAs: 'npm test elsewhere' })).toBeUndefined();
  });

  it('a command taken off the list asks again', async () => {
    const { memory } = makeMemory();
    const policy = new WorkspaceCommandPolicy(memory, asks);
    await policy.remember(command);
    await policy.remember(command);
    expect(memory.allowedCommands).toHaveLength(1);
    await memory.setAllowedCommands([]);
    expect(policy.decide(command)).toBeUndefined();
  });
});

describe('the setting for commands', () => {
  const decided = (mode: PolicyMode, isConfined: boolean): unknown =>
    new WorkspaceCommandPolicy(makeMemory().memory, () => mode).decide({ ...command, isConfined });

  it('lets what is confined run without asking, and nothing else', () => {
    expect(decided('confined', true)).toEqual({ isAllowed: true, by: 'policy' });
    expect(decided('confined', false)).toBeUndefined();
  });

  it('asks for each command where the user wants that', () => {
    expect(decided('ask', true)).toBeUndefined();
  });

  it('lets nothing run while commands are off, not even what was allowed before', async () => {
    const { memory } = makeMemory();
    await new WorkspaceCommandPolicy(memory, asks).remember(command);
    const policy = new WorkspaceCommandPolicy(memory, () => 'off');
    expect(policy.decide({ ...command, isConfined: true })).toEqual({
      isAllowed: false,
      by: 'policy',
    });
  });

  it('counts at once when it is changed during a run', () => {
    let mode: PolicyMode = 'confined';
    const policy = new WorkspaceCommandPolicy(makeMemory().memory, () => mode);
    expect(policy.decide({ ...command, isConfined: true })?.isAllowed).toBe(true);
    mode = 'ask';
    expect(policy.decide({ ...command, isConfined: true })).toBeUndefined();
  });
});

describe('what the extension remembers', () => {
  it('reads nothing into values that another version wrote', async () => {
    const { memory, workspace } = makeMemory();
    await workspace.update('massgen.allowedCommands', [{ command: 7 }, 'x', null]);
    await workspace.update('massgen.permissions', ['read']);
    await workspace.update('massgen.teamId', { id: 1 });
    await workspace.update('massgen.trustedTeamFiles', null);
    expect(memory.allowedCommands).toEqual([]);
    expect(memory.permissionOf('/a')).toBe('write');
    expect(memory.teamId).toBeUndefined();
    expect(memory.isTrustedTeamFile('/a', 'h')).toBe(false);
  });

  it('trusts a team file for exactly one content', async () => {
    const { memory } = makeMemory();
    await memory.trustTeamFile('/a.massgen.yaml', 'h1');
    expect(memory.isTrustedTeamFile('/a.massgen.yaml', 'h1')).toBe(true);
    expect(memory.isTrustedTeamFile('/a.massgen.yaml', 'h2')).toBe(false);
    expect(memory.isTrustedTeamFile('/b.massgen.yaml', 'h1')).toBe(false);
  });

  it('knows no models of the editor until the user chose them', async () => {
    const { memory } = makeMemory();
    expect(memory.editorModels).toBeUndefined();
    await memory.setEditorModels([]);
    expect(memory.editorModels).toEqual([]);
  });
});
