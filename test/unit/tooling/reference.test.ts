import { describe, expect, it } from 'vitest';
import { ownKeys } from '../../../scripts/reference/own-keys';
import { teamReference } from '../../../scripts/reference/team-reference';
import { builtInBackends } from '../../../src/backends/registry';
import { keysWithoutEffect } from '../../../src/config/keys-without-effect';
import { settingsTable } from '../../../src/extension/host/settings-table';

const kinds = builtInBackends({ recordingsDir: '' });
const text = teamReference(kinds);

/** The first cells of the table below a heading. */
function keysBelow(heading: string): readonly string[] {
  const [, after = ''] = text.split(`### \`${heading}\`\n`);
  const [section = ''] = after.split(/\n#{2,3} /);
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, key]) => key ?? '');
}

describe('the reference of team files', () => {
  it('has the keys of every part of a file, and of every type of backend', () => {
    expect(keysBelow('limits')).toEqual([
      'duration_minutes',
      'model_calls',
      'cost_usd',
      'command_timeout_seconds',
    ]);
    expect(keysBelow('orchestrator.consensus')).toContain('tie_break');
    expect(keysBelow('agents[].backend.mcp_servers[].security')).toContain('allow_localhost');
    const backend = new Set(keysBelow('agents[].backend'));
    const missing = kinds.flatMap(({ keys }) => keys.filter(({ name }) => !backend.has(name)));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('tells no part twice', () => {
    const headings = [...text.matchAll(/^#{2,3} .*$/gm)].map(([heading]) => heading);
    expect(new Set(headings).size).toBe(headings.length);
  });

  it.each([...ownKeys])('marks %s as a key that MassGen does not have', (path) => {
    const end = path.lastIndexOf('.');
    const heading = end === -1 ? '### The file' : `### \`${path.slice(0, end)}\``;
    const [, after = ''] = text.split(`${heading}\n`);
    const [section = ''] = after.split(/\n#{2,3} /);
    expect(section).toContain(`| \`${path.slice(end + 1)}\` † |`);
  });

  it('lists every key without an effect with what is done with it', () => {
    const idle = keysWithoutEffect(kinds);
    expect(idle.length).toBeGreaterThan(50);
    for (const { path, group } of idle) {
      expect(text).toContain(`| \`${path}\` | ${group} |`);
    }
  });

  it.each(Object.keys(settingsTable))('describes the setting massgen.%s', (name) => {
    expect(text).toContain(`| \`massgen.${name}\` |`);
  });

  it('breaks no table: each row has as many cells as its head', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    const cells = rows.map((row) => row.split(/(?<!\\)\|/).length);
    let head = 0;
    const odd = rows.filter((_row, i) => {
      head = rows[i + 1]?.startsWith('| --- ') === true ? (cells[i] ?? 0) : head;
      return cells[i] !== head;
    });
    expect(odd).toEqual([]);
  });
});
