import * as assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import type { RunHandle } from '../../../src/app/app-contract';
import { riskOf } from '../../../src/extension/review/caution';
import { targetsOf } from '../../../src/extension/review/review-targets';
import { withoutIcons } from '../../../src/extension/review/review-words';
import { type ReviewRow, toRows } from '../../../src/extension/views/review-rows';
import type { RunState } from '../../../src/run/state';
import { decide, mixed, partsDecided, wonChecked } from '../../webview/fixtures/checked-runs';

/** The rows read nothing of a run but its state. */
function rowsOf(state: RunState): readonly ReviewRow[] {
  const run: Pick<RunHandle, 'runId' | 'state'> = { runId: state.runId, state: () => state };
  return toRows(run, targetsOf(run));
}

function row(rows: readonly ReviewRow[], name: string): ReviewRow {
  const found = rows.find(({ item }) => item.label === name);
  assert.ok(found, `${name} is not among the rows`);
  return found;
}

function partsOf(of: ReviewRow): readonly ReviewRow[] {
  return of.children ?? [];
}

suite('rows of the review tree', () => {
  test('a file has its parts below it, each with its lines, counts and first line', () => {
    const file = row(rowsOf(wonChecked().state()), 'duration.ts');
    assert.match(String(file.item.description), /^\+25 −10 · .*src/);
    const parts = partsOf(file);
    assert.deepEqual(
      parts.map(({ item }) => item.label),
      ['Lines 12–20', 'Line 39', 'After line 60'],
    );
    assert.equal(parts[0]?.item.description, '+18 −9 · for (const part of parts) {');
    assert.deepEqual(
      parts.map(({ target }) => target.hunk),
      ['h1', 'h2', 'h3'],
    );
  });

  test('a file with one part, or with none, stands alone', () => {
    const rows = rowsOf(wonChecked().state());
    assert.deepEqual(row(rows, 'duration.test.ts').children, []);
    assert.deepEqual(row(rows, 'CHANGELOG.md').children, []);
  });

  test('a screen reader hears the file, the lines, the counts and the decision', () => {
    const spoken = partsOf(row(rowsOf(partsDecided().state()), 'duration.ts')).map(
      ({ item }) => item.accessibilityInformation?.label,
    );
    assert.deepEqual(spoken, [
      'duration.ts, lines 12 to 20, 18 added, 9 removed, accepted',
      'duration.ts, line 39, 5 added, 1 removed, conflict, Lines 39–44 overlap yours.',
      'duration.ts, after line 60, 2 added, 0 removed, not decided',
    ]);
  });

  test('what can be done with a row goes by its own decision', () => {
    const file = row(rowsOf(partsDecided().state()), 'duration.ts');
    assert.equal(file.item.contextValue, 'file-conflict-some');
    assert.deepEqual(
      partsOf(file).map(({ item }) => item.contextValue),
      ['hunk-accepted', 'hunk-conflict', 'hunk-pending'],
    );
  });

  test('a file says how many of its parts are accepted, and a conflict before that', () => {
    const some = wonChecked().at(160, decide('accepted', 'h1')).state();
    assert.match(String(row(rowsOf(some), 'duration.ts').item.description), /1 of 3 accepted/);
    const conflict = row(rowsOf(partsDecided().state()), 'duration.ts');
    assert.match(String(conflict.item.description), /Conflict/);
  });

  test('a part of another answer says where it comes from', () => {
    const file = row(rowsOf(mixed().state()), 'duration.ts');
    assert.match(String(file.item.description), /with agent1\.1/);
    const [own, other] = partsOf(file);
    assert.doesNotMatch(String(own?.item.description), /from/);
    assert.match(String(other?.item.description), /from agent1\.1/);
    assert.match(String(other?.item.accessibilityInformation?.label), /from agent1\.1/);
  });

  test('what needs its own Accept comes last and says why', () => {
    const state = wonChecked().state();
    const files = (state.review?.files ?? []).map((file, i) =>
      i === 0 ? { ...file, caution: 'sensitive' as const, path: '.vscode/settings.json' } : file,
    );
    const review = state.review === null ? null : { ...state.review, files };
    const rows = rowsOf({ ...state, review });
    const last = rows.at(-1);
    assert.equal(last?.item.label, 'settings.json');
    assert.match(String(last.item.description), /Needs its own Accept/);
    const { tooltip } = last.item;
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /change settings and start tasks/);
  });

  test('the risk of a file goes by what reads it', () => {
    const risk = (path: string): string => riskOf({ path, caution: 'sensitive' });
    assert.match(risk('.github/workflows/ci.yml'), /build server/);
    assert.match(risk('docs/AGENTS.md'), /instructions/);
    assert.match(risk('package.json'), /run commands later/);
    const modes = { before: 0o644, after: 0o755 };
    assert.match(riskOf({ path: 'run.sh', caution: 'sensitive', modes }), /program/);
    assert.match(riskOf({ path: '.env', caution: 'ignored' }), /Git ignores it/);
  });

  test('text of a model cannot draw an icon', () => {
    assert.equal(withoutIcons('$(check) done'), '\\$(check) done');
  });
});
