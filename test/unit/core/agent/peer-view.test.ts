import { describe, expect, it } from 'vitest';
import { PeerView } from '../../../../src/core/agent/peer-view';
import type { Revision } from '../../../../src/run/facts';
import type { RunState } from '../../../../src/run/state';
import { answerOf, startedState, turnInput, withAgent } from '../../../support/turn-input';
import { bytes, fill, never, startRun, tempFolder, text } from '../../workspace/temp-project';

/** An author with two answers, each with its own files, and a reader that is in its turn. */
async function stage() {
  const project = tempFolder();
  fill(project, { 'a.txt': 'a\n' });
  const run = startRun(project);
  const [author, reader] = [await run.agent(1), await run.agent(2)];
  const own = `${author.roots[0]?.shownPath}/a.txt`;
  const revisions: Revision[] = [];
  for (const n of [1, 2]) {
    await author.writeFile('a.txt', bytes(`version ${n}\n`), never);
    const { id: snapshotId } = await author.takeSnapshot(never);
    const label = `agent1.${n}` as const;
    const words = author.neutralizePaths(`Answer ${n}: ${own}`);
    revisions.push(answerOf(1, words, { label, n, snapshotId }));
  }
  const after = (count: number): RunState =>
    withAgent(startedState(2), 1, { revisions: revisions.slice(0, count) });
  const viewIn = (turnNo: number): PeerView =>
    new PeerView(reader, turnInput(after(1), { slot: 2, turnNo }));
  return { reader, after, viewIn };
}

describe('what a turn shows of others', () => {
  it('W5: leaves the files of an answer where they were when a newer one comes', async () => {
    const { reader, after, viewIn } = await stage();
    const view = viewIn(1);
    const first = view.show(after(1), ['agent1.1'])[0]?.folder ?? '';
    const second = view.show(after(2), ['agent1.2'])[0]?.folder ?? '';
    expect(second).not.toBe(first);
    const read = async (path: string): Promise<string> => text(await reader.readFile(path, never));
    expect(await read(`${first}/proj/a.txt`)).toBe('version 1\n');
    expect(await read(`${first}/ANSWER.md`)).toBe(`Answer 1: ${first}/proj/a.txt`);
    expect(await read(`${second}/proj/a.txt`)).toBe('version 2\n');
    expect(await read(`${second}/ANSWER.md`)).toBe(`Answer 2: ${second}/proj/a.txt`);
    const command = `cat ${first}/proj/a.txt ${second}/proj/a.txt`;
    const both = await reader.runCommand({ command, cwd: undefined, timeoutMs: 5_000 }, never);
    expect(both.output).toBe('version 1\nversion 2\n');
  });

  it('shows the newest answers alone to the next turn, in the folder of their agent', async () => {
    const { reader, after, viewIn } = await stage();
    const before = viewIn(1);
    const old = before.show(after(1), ['agent1.1'])[0]?.folder ?? '';
    const folder = viewIn(2).show(after(2), ['agent1.2'])[0]?.folder ?? '';
    expect(folder).toMatch(/\/[0-9a-f]{8}\/agent1$/);
    expect(text(await reader.readFile(`${folder}/proj/a.txt`, never))).toBe('version 2\n');
    await expect(reader.readFile(`${old}/proj/a.txt`, never)).rejects.toMatchObject({
      code: 'workspace/not-found',
    });
  });
});
