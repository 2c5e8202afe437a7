import * as assert from 'node:assert/strict';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import type { App, RunConfig } from '../../../src/app/app-contract';
import { findBlocker } from '../../../src/extension/host/blockers';
import { readSetting } from '../../../src/extension/host/read-settings';
import { settingsTable } from '../../../src/extension/host/settings-table';
import type { Team } from '../../../src/extension/host/teams';
import { Memory } from '../../../src/extension/memory';
import { MapMemento } from './map-memento';

const { Global, Workspace } = vscode.ConfigurationTarget;
const touched = ['privacy.localModelsOnly', 'privacy.hide', 'review.commitTrailers'];

async function set(
  name: string,
  value: unknown,
  target: vscode.ConfigurationTarget,
): Promise<void> {
  await vscode.workspace.getConfiguration('massgen').update(name, value, target);
}

suite('settings in the editor', () => {
  teardown(async () => {
    for (const name of touched) {
      await set(name, undefined, Global);
      await set(name, undefined, Workspace);
    }
  });

  test('the editor knows every setting, with the default that counts for the product', () => {
    const held = vscode.workspace.getConfiguration('massgen');
    for (const [name, { fallback }] of Object.entries(settingsTable)) {
      assert.deepEqual(held.inspect(name)?.defaultValue, fallback, name);
    }
  });

  test('a project adds privacy and takes none away', async () => {
    await set('privacy.localModelsOnly', true, Global);
    await set('privacy.localModelsOnly', false, Workspace);
    assert.equal(readSetting('privacy.localModelsOnly'), true);
    await set('privacy.hide', ['*.dump'], Global);
    await set('privacy.hide', ['customers/'], Workspace);
    assert.deepEqual([...readSetting('privacy.hide')].sort(), ['*.dump', 'customers/']);
  });

  test('of other settings the nearest to the project counts', async () => {
    await set('review.commitTrailers', true, Global);
    assert.equal(readSetting('review.commitTrailers'), true);
    await set('review.commitTrailers', false, Workspace);
    assert.equal(readSetting('review.commitTrailers'), false);
  });

  for (const name of ['commands.policy', 'programs.paths', 'mcp.enabled', 'tools.editor']) {
    test(`a project cannot set massgen.${name}`, async () => {
      await assert.rejects(set(name, 'x', Workspace));
    });
  }

  test('a team that sends code elsewhere is refused with who and where, while local models are wanted', async () => {
    const hosts = [{ host: 'api.example.com', agentIds: ['gpt'], keys: [] }];
    const app = { backendKinds: [], describeEgress: () => ({ hosts }) };
    const services = {
      // Only these two are asked.
      app: app as unknown as App,
      memory: new Memory(new MapMemento(), new MapMemento()),
    };
    const config = { agents: [] } as unknown as RunConfig;
    const remote: Team = {
      ...{ id: 'remote', name: 'Remote', config, problems: [], file: undefined },
      isScripted: false,
    };
    assert.equal(findBlocker(remote, services), undefined);
    await set('privacy.localModelsOnly', true, Workspace);
    const blocker = findBlocker(remote, services);
    assert.equal(blocker?.kind, 'leaves-this-machine');
    assert.deepEqual(blocker.detail, ['gpt: api.example.com']);
    assert.deepEqual(
      blocker.actions.map(({ action }) => action),
      ['change-privacy-setting'],
    );
  });
});
