import * as vscode from 'vscode';
import type { Setting } from './setting-kinds';
import { settingFrom, type SettingName, settingsTable, type SettingValue } from './settings-table';

/** The setting as it is at this moment. */
export function readSetting<N extends SettingName>(name: N): SettingValue<N>;
export function readSetting(name: SettingName): unknown {
  const setting: Setting<unknown> = settingsTable[name];
  const held = vscode.workspace.getConfiguration('massgen');
  const places = held.inspect<unknown>(name);
  return settingFrom(setting, {
    effective: held.get<unknown>(name),
    byPlace: [places?.defaultValue, places?.globalValue, places?.workspaceValue],
  });
}
