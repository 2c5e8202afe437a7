// What is hidden from confined commands and programs goes away while they are started.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentWorkspace } from '../../../../src/core/ports/workspace';
import { findSandbox } from '../../../../src/workspace/confinement/probe';
import { script } from '../program/script';
import { outputOf } from '../program/started-program';
import { never, tempFolder } from '../temp-project';
import { confinedRun, isLayered, named, output } from './confined-run';

/** The sandbox fails the first starts with these words, as it does when a place has gone; later ones are real. */
async function agentAfter(failures: number, words: string) {
  const folder = tempFolder();
  const count = join(folder, 'count');
  writeFileSync(count, '');
  const agent: AgentWorkspace = await confinedRun(tempFolder(), {
    findSandbox: async (signal) => {
      const found = await findSandbox({ storageFolder: folder }, signal);
      if (found.kind !== 'linux') {
        return found;
      }
      const bwrap = join(folder, 'bwrap');
      const isLate = `[ "$(wc -c < ${count})" -gt ${failures} ]`;
      const lines = [
        ...['#!/bin/sh', `printf x >> ${count}`],
        ...[`if ${isLate}; then exec ${found.programs.bwrap} "$@"; fi`],
        ...[`echo "${words}" >&2`, 'exit 1', ''],
      ];
      writeFileSync(bwrap, lines.join('\n'), { mode: 0o755 });
      return { ...found, programs: { ...found.programs, bwrap } };
    },
  }).agent();
  return { agent, starts: () => readFileSync(count, 'utf8').length };
}

const gone = [
  "bwrap: Can't mkdir parents for /home/a/b/socket: Read-only file system",
  "bwrap: Can't create file at /home/a/socket: Read-only file system",
  "bwrap: Can't find source path /home/a/.tool: No such file or directory",
];

describe.skipIf(!isLayered)(named('a hidden place that has just gone'), () => {
  test.each(gone)('does not keep a program from its start: %s', async (words) => {
    const { agent, starts } = await agentAfter(2, words);
    expect(await outputOf(agent, 'console.log("up")')).toBe('up\n');
    expect(starts()).toBe(3);
  });

  test.each(gone)('does not keep a command from its start: %s', async (words) => {
    const { agent, starts } = await agentAfter(2, words);
    expect(await output(agent, 'echo up')).toBe('up\n');
    expect(starts()).toBe(3);
  });

  test('is told when it goes again and again', async () => {
    const { agent, starts } = await agentAfter(99, gone[0] ?? '');
    await expect(agent.startProgram(script(''), never)).rejects.toMatchObject({
      ...{ code: 'tool/failed', message: `The program could not be confined: ${gone[0]}` },
    });
    await expect(output(agent, 'echo up')).rejects.toMatchObject({ code: 'tool/failed' });
    expect(starts()).toBe(8);
  });

  test('is nothing else: other failures of the sandbox are told at once', async () => {
    const { agent, starts } = await agentAfter(1, 'bwrap: No permissions to create a namespace');
    await expect(agent.startProgram(script(''), never)).rejects.toThrow('No permissions');
    expect(starts()).toBe(1);
  });
});
