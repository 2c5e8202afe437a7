import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandIds } from '../../../src/extension/commands/ids';

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly engines: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly extensionKind: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly { command: string; when?: string }[]>>;
    readonly keybindings: readonly { readonly command: string; readonly when?: string }[];
    readonly yamlValidation: readonly { readonly fileMatch: readonly string[]; url: string }[];
    readonly configuration: {
      readonly properties: Readonly<
        Record<
          string,
          {
            readonly markdownDescription?: string;
            readonly order?: number;
            readonly scope?: string;
          }
        >
      >;
    };
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const words = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<
  Record<string, string>
>;
const { contributes } = manifest;

describe('the manifest', () => {
  it('declares exactly the commands of the table', () => {
    const declared = contributes.commands.map(({ command }) => command);
    expect(declared.toSorted()).toEqual([...commandIds].sort());
  });

  it('has words for every placeholder and no words to spare', () => {
    const used = [...text.matchAll(/%([\w.]+)%/g)].map(([, key]) => key ?? '');
    expect([...new Set(used)].sort()).toEqual(Object.keys(words).sort());
  });

  it('writes command titles in title case under one category', () => {
    for (const { command, category } of contributes.commands) {
      const title = words[command.replace('massgen.', 'command.')] ?? '';
      const small = ['a', 'an', 'as', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with'];
      const lower = title.split(' ').filter((word) => /^[a-z]/.test(word));
      expect(title).toMatch(/^[A-Z]/);
      expect(lower.filter((word) => !small.includes(word))).toEqual([]);
      expect(category).toBe('MassGen');
    }
  });

  it('names only known commands in menus and key bindings', () => {
    const ids = new Set<string>(commandIds);
    const named = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    expect(named.map(({ command }) => command).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('hides commands that need an argument from the palette', () => {
    const hidden = contributes.menus['commandPalette']
      ?.filter(({ when }) => when === 'false')
      .map(({ command }) => command);
    expect(hidden).toEqual([
      'massgen.openFileDiff',
      'massgen.showRun',
      'massgen.saveDeliverable',
      'massgen.moveKeyToSecrets',
      'massgen.copyPath',
    ]);
  });

  it('binds no key without a condition', () => {
    expect(contributes.keybindings.filter(({ when }) => !when)).toEqual([]);
  });

  it('describes and orders every setting', () => {
    for (const [name, setting] of Object.entries(contributes.configuration.properties)) {
      expect(name).toMatch(/^massgen\./);
      expect(setting.markdownDescription).toMatch(/^%setting\./);
      expect(setting.order).toBeGreaterThan(0);
    }
  });

  it('lets no project say which programs are started', () => {
    const { properties } = contributes.configuration;
    const scopes = Object.entries(properties)
      .filter(([name]) => /^massgen\.(programs|mcp|tools)\./.test(name))
      .map(([name, { scope }]) => [name, scope]);
    expect(scopes).toEqual([
      ['massgen.programs.paths', 'machine'],
      ['massgen.mcp.enabled', 'machine'],
      ['massgen.mcp.useEditorServers', 'machine'],
      ['massgen.tools.editor', 'application'],
    ]);
  });

  it('never holds up the start of the editor', () => {
    expect(manifest.activationEvents).toEqual([
      // Puts the command on PATH in terminals, and loads nothing else.
      'onStartupFinished',
      'onFileSystem:massgen-base',
      'onFileSystem:massgen-proposed',
      'workspaceContains:**/*.massgen.yaml',
      'workspaceContains:.massgen/*.yaml',
    ]);
    expect(manifest.extensionKind).toEqual(['workspace']);
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toContain(
      'massgen.team',
    );
  });

  it('offers the schema to other support for YAML, for the files that are team files here', () => {
    expect(contributes.yamlValidation).toEqual([
      {
        fileMatch: ['*.massgen.yaml', '*.massgen.yml', '.massgen/*.yaml', '.massgen/*.yml'],
        url: './media/massgen.schema.json',
      },
    ]);
    expect(existsSync('media/massgen.schema.json')).toBe(true);
  });

  it('is checked against the oldest editor it supports', () => {
    expect(manifest.engines['vscode']).toBe(`^${manifest.devDependencies['@types/vscode'] ?? ''}`);
  });
});
