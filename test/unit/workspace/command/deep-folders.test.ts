import { expect, test } from 'vitest';
import { never, startRun, tempFolder } from '../temp-project';
import { confinedRun, isLayered } from '../confinement/confined-run';

const ways: readonly (readonly [string, typeof startRun])[] = [
  ['a copy', startRun],
  ...(isLayered ? ([['merged layers', confinedRun]] as const) : []),
];

test.each(ways)(
  'of folders within folders a hundred are followed in %s, and no more',
  async (_name, make) => {
    const started = make(tempFolder());
    const agent = await started.agent();
    const script = `for (let i = 0; i < 150; i++) { fs.mkdirSync('d'); process.chdir('d'); }`;
    const command = `${process.execPath} -e "${script}"; echo a > a.txt`;
    await agent.runCommand({ command, cwd: undefined, timeoutMs: 60_000 }, never);
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map(({ path }) => path)).toContain('a.txt');
    expect(Math.max(...changes.map(({ path }) => path.split('/').length))).toBeLessThanOrEqual(100);
    expect(started.warnings).toEqual(['path-too-long']);
  },
);
