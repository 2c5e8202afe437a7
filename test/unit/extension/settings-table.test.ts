import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type HeldValues,
  settingFrom,
  settingsTable,
} from '../../../src/extension/host/settings-table';
import type { Setting } from '../../../src/extension/host/setting-kinds';

const all: readonly (readonly [string, Setting<unknown>])[] = Object.entries(settingsTable);

/** As if the default, the user and the project said these things, and the editor let the last of them count. */
function held(...byPlace: readonly unknown[]): HeldValues {
  return { effective: byPlace.findLast((value) => value !== undefined), byPlace };
}

describe('the settings of the editor', () => {
  it.each(all)(
    'massgen.%s has a default that it accepts itself, and means it when it is not set',
    (_name, setting) => {
      expect(setting.schema['default']).toEqual(setting.fallback);
      expect(setting.parse(setting.fallback)).toEqual(setting.fallback);
      expect(setting.parse(undefined)).toEqual(setting.fallback);
    },
  );

  it.each(all)('massgen.%s names only settings that exist', (_name, { text }) => {
    const named = [...text.matchAll(/#massgen\.([\w.]+)#/g)].map(([, name]) => name);
    const known = all.map(([name]) => name);
    expect(named.filter((name) => name !== undefined && !known.includes(name))).toEqual([]);
  });

  it('are read from the editor in one place alone', () => {
    const root = 'src/extension';
    const readers = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.ts') &&
        readFileSync(join(root, name), 'utf8').includes("getConfiguration('massgen"),
    );
    expect(readers).toEqual([join('host', 'read-settings.ts')]);
  });

  it('leave to a project what only the user may say: a project cannot loosen commands, programs and privacy', () => {
    const open = all
      .filter(([name]) => /^(commands|programs|mcp|tools|privacy)\b/.test(name))
      .filter(([, setting]) => setting.scope === 'window' && setting.strictest === undefined);
    expect(open.map(([name]) => name)).toEqual([]);
  });

  it('do not look at an untrusted folder for what costs money, writes files or is told to agents', () => {
    const restricted = all.filter(([, { isRestricted }]) => isRestricted).map(([name]) => name);
    expect(restricted).toEqual([
      'team',
      'limits.durationMinutes',
      'limits.modelCalls',
      'limits.costUsd',
      'projectInstructions',
      'logs.location',
    ]);
  });
});

describe('a value that cannot be used', () => {
  it('is the usual limit where money and time are at stake', () => {
    const limit = settingsTable['limits.costUsd'];
    expect(['5', true, -1, 0, Number.NaN].map((value) => limit.parse(value))).toEqual([
      2, 2, 2, 2, 2,
    ]);
    expect([limit.parse(null), limit.parse(0.001)]).toEqual([null, 0.001]);
  });

  it('removes no run', () => {
    const limit = settingsTable['storage.keepRuns'];
    expect(['all', -1, 0].map((value) => limit.parse(value))).toEqual([null, null, null]);
  });

  it('asks before each command', () => {
    const policy = settingsTable['commands.policy'];
    expect(['yolo', true, null, 'toString'].map((value) => policy.parse(value))).toEqual([
      'ask',
      'ask',
      'ask',
      'ask',
    ]);
    expect(['off', undefined].map((value) => policy.parse(value))).toEqual(['off', 'confined']);
  });

  it('is left out of a list and of a mapping, where the rest counts', () => {
    expect(settingsTable['tools.editor'].parse(['a', 1, ' ', 'b'])).toEqual(['a', 'b']);
    expect(settingsTable['programs.paths'].parse({ codex: ' /bin/codex ', acp: 3 })).toEqual({
      codex: '/bin/codex',
    });
    expect(settingsTable['programs.paths'].parse('codex')).toEqual({});
  });
});

describe('a setting of privacy', () => {
  const hide = settingsTable['privacy.hide'];
  const local = settingsTable['privacy.localModelsOnly'];

  it('hides what the user hides and what the project hides', () => {
    expect(settingFrom(hide, held([], ['*.dump'], ['customers/']))).toEqual([
      'customers/',
      '*.dump',
    ]);
    expect(settingFrom(hide, held([], ['*.dump'], []))).toEqual(['*.dump']);
  });

  it.each([
    ['nobody wants it', [false, undefined, undefined], false],
    ['the user wants it', [false, true, undefined], true],
    ['the project wants it', [false, undefined, true], true],
    ['the project does not want it and the user does', [false, true, false], true],
    ['the user does not want it and the project does', [false, false, true], true],
  ])('keeps teams on this machine when %s: %s is %s', (_who, said, holds) => {
    expect(settingFrom(local, held(...said))).toBe(holds);
  });

  it('counts what an administrator has set, which is in no place of the user', () => {
    expect(settingFrom(local, { effective: true, byPlace: [false] })).toBe(true);
  });

  it('is different from the others, of which the nearest to the project counts', () => {
    expect(settingFrom(settingsTable['review.commitTrailers'], held(false, true, false))).toBe(
      false,
    );
  });
});
