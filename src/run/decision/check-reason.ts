// What the checks have to do with a decision, in sentences.
import type { Label } from '../../base/ids';
import type { Agreement } from '../facts';

/** Why there was nothing to choose: `all 3 fail "types", which passes in your folder`. */
export function noCandidate({ failedGates = {}, unchecked = [] }: Agreement): string {
  const failures = Object.entries(failedGates).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [first, ...others] = failures;
  if (unchecked.length > 0) {
    return `No candidate passed the checks: those of ${joined(unchecked)} had not ended in time.`;
  }
  if (first === undefined) {
    return 'No candidate passed the checks.';
  }
  const shared = first[1].filter((name) => others.every(([, names]) => names.includes(name)));
  if (others.length === 0 || shared.length > 0) {
    const who = others.length === 0 ? `${first[0]} fails` : `${all(failures.length)} fail`;
    return `No candidate passed the checks: ${who} ${whatPasses(shared)}.`;
  }
  const each = failures.map(([label, names]) => `${label} fails ${quoted(names)}`);
  return `No candidate passed the checks: ${joined(each)}, which pass in your folder.`;
}

/** What is to be known of the checks of a winner, after the reason; empty when they are passed or there are none. */
export function checkWords(winner: Label, { failedGates = {}, unchecked = [] }: Agreement): string {
  const failed = failedGates[winner] ?? [];
  if (failed.length > 0) {
    return ` It fails ${whatPasses(failed)}.`;
  }
  return unchecked.includes(winner) ? ' Its checks had not ended.' : '';
}

function all(count: number): string {
  return count === 2 ? 'both' : `all ${count}`;
}

function whatPasses(names: readonly string[]): string {
  return `${quoted(names)}, which ${names.length === 1 ? 'passes' : 'pass'} in your folder`;
}

function quoted(names: readonly string[]): string {
  return joined(names.map((name) => `"${name}"`));
}

function joined(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)]
    .filter((part) => part !== '')
    .join(' and ');
}
