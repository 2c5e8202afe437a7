import { linkAbort, onAbort, raceAbort } from '../../base/abort';
import type { SnapshotId } from '../../base/ids';
import { MassGenError } from '../../core/errors';
import type { CheckRunner, OnCheckEnded } from '../../core/ports/checks';
import type { ChangedTests, CheckReport, CheckResult, CheckSpec } from '../../run/check-facts';
import { compareResults } from '../../run/checks';
import type { Manifest } from '../manifest';
import type { SnapshotStore } from '../snapshot-store';
import { changedTests } from './changed-tests';
import { brokenHere, checkTree, notRun, type TreeChecks, type TreeOutcome } from './check-tree';
import { type KeptResult, KeptResults } from './kept-results';
import { Places } from './places';

export interface CheckRunnerParts extends TreeChecks {
  readonly specs: readonly CheckSpec[];
  readonly store: SnapshotStore;
  /** Names of the folders of the user; what agents keep for themselves has no tests. */
  readonly contextRoots: readonly string[];
  /** Keeps the results for whoever goes on with the run. */
  readonly resultsFile: string;
  /** How many checks may run at a time. */
  readonly places: number;
  /**
   * The folders may have changed since the run began, so that what was found out on a tree then says nothing now: only the
   * baseline is taken over, and nothing is kept. Absent: no.
   */
  readonly isLater?: boolean;
}

/** Stands for the folders as they are among the keys of results. */
const untouched = 'base';

const noTests: ChangedTests = { edited: [], deleted: [], skipped: [], isRestored: false };

/** Where the check of a candidate runs, and what it is compared with. */
interface Tree {
  readonly forGates: SnapshotId | null;
  readonly own: SnapshotId | null;
  readonly baseline: CheckReport | undefined;
}

/**
 * Each check runs in a workspace of its own: gates on the candidate with the tests of the base, the others on the
 * candidate as it is. The checks of one candidate run one after the other.
 */
export function createCheckRunner(parts: CheckRunnerParts): CheckRunner {
  return new Checks(parts);
}

class Checks implements CheckRunner {
  readonly #parts: CheckRunnerParts;
  readonly #kept: KeptResults;
  readonly #places: Places;
  readonly #closing = new AbortController();
  readonly #working = new Set<Promise<unknown>>();
  #baseline: Promise<CheckReport> | undefined;

  constructor(parts: CheckRunnerParts) {
    this.#parts = parts;
    this.#kept = new KeptResults(parts.resultsFile);
    this.#places = new Places(parts.places);
  }

  async baseline(onEnded: OnCheckEnded, signal: AbortSignal): Promise<CheckReport> {
    signal.throwIfAborted();
    const isFirst = this.#baseline === undefined;
    this.#baseline ??= this.#tracked(this.#checkBaseline(onEnded));
    const report = await raceAbort(this.#baseline, signal);
    if (!isFirst) {
      report.results.forEach(onEnded);
    }
    return report;
  }

  async candidate(
    snapshotId: SnapshotId,
    onEnded: OnCheckEnded,
    signal: AbortSignal,
  ): Promise<CheckReport> {
    const baseline = await this.baseline(() => undefined, signal);
    const branch = linkAbort(signal);
    const tie = onAbort(this.#closing.signal, (reason) => branch.abort(reason));
    try {
      const work = this.#checkCandidate(snapshotId, baseline, onEnded, branch.signal);
      return await this.#tracked(work);
    } finally {
      tie.dispose();
      branch.dispose();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new MassGenError('cancelled/shutdown', 'The checks are over.'));
    await Promise.allSettled(this.#working);
  }

  async #tracked<T>(work: Promise<T>): Promise<T> {
    this.#working.add(work);
    try {
      return await work;
    } finally {
      this.#working.delete(work);
    }
  }

  async #checkBaseline(onEnded: OnCheckEnded): Promise<CheckReport> {
    const tree = { forGates: null, own: null, baseline: undefined };
    const results = await this.#runAll(tree, onEnded, this.#closing.signal);
    return { results, tests: noTests };
  }

  async #checkCandidate(
    snapshotId: SnapshotId,
    baseline: CheckReport,
    onEnded: OnCheckEnded,
    signal: AbortSignal,
  ): Promise<CheckReport> {
    const { store, specs, contextRoots } = this.#parts;
    const manifest = store.readManifest(snapshotId);
    if (manifest === undefined) {
      return { results: unrunnable(specs, onEnded), tests: noTests };
    }
    const {
      tests,
      restored,
      isRestored: isChanged,
    } = changedTests(manifest, new Set(contextRoots), store);
    const isRestored = isChanged && specs.some(({ mode }) => mode === 'gate');
    const forGates = isRestored ? treeOf(restored, store) : treeOf(manifest, store);
    const tree = { forGates, own: treeOf(manifest, store), baseline };
    const results = await this.#runAll(tree, onEnded, signal);
    return { results, tests: { ...tests, isRestored } };
  }

  async #runAll(
    tree: Tree,
    onEnded: OnCheckEnded,
    signal: AbortSignal,
  ): Promise<readonly CheckResult[]> {
    const results: CheckResult[] = [];
    for (const spec of this.#parts.specs) {
      const result = await this.#resultOf(spec, tree, signal);
      signal.throwIfAborted();
      results.push(result);
      onEnded(result);
    }
    return results;
  }

  async #resultOf(spec: CheckSpec, tree: Tree, signal: AbortSignal): Promise<CheckResult> {
    const where = spec.mode === 'gate' ? tree.forGates : tree.own;
    const before = tree.baseline?.results.find(({ name }) => name === spec.name);
    const isKept = tree.baseline === undefined || this.#parts.isLater !== true;
    const known = isKept ? this.#kept.get(where ?? untouched, spec) : undefined;
    const { result, hasRun } =
      known === undefined
        ? await this.#run({ spec, where, before }, signal)
        : { result: known, hasRun: true };
    if (known === undefined && isKept && hasRun) {
      this.#kept.put(where ?? untouched, spec, result);
    }
    return {
      name: spec.name,
      ...result,
      isCached: known !== undefined,
      comparison: compareResults(result, before),
    };
  }

  async #run({ spec, where, before }: OneCheck, signal: AbortSignal): Promise<Found> {
    const isGood = before?.status === 'passed';
    const once = async (): Promise<Found> =>
      toFound(await checkTree(this.#parts, spec, where, signal), isGood);
    // By chance the untouched folders must not fail either: everybody would come through that gate.
    const isDecisive = isGood || before === undefined;
    return this.#places.run(async () => (isDecisive ? unlessFlaky(once) : once()), signal);
  }
}

interface Found {
  readonly result: KeptResult;
  /** Whether the command has come to an end of its own, so that another run of it would say the same. */
  readonly hasRun: boolean;
}

interface OneCheck {
  readonly spec: CheckSpec;
  readonly where: SnapshotId | null;
  readonly before: CheckResult | undefined;
}

/** Without any change it is the untouched folders, whose results are known. */
function treeOf(manifest: Manifest, store: SnapshotStore): SnapshotId | null {
  const isEmpty = [...manifest.values()].every((paths) => paths.size === 0);
  return isEmpty ? null : store.save(manifest);
}

function toFound(outcome: TreeOutcome, wasGood: boolean): Found {
  if (outcome.kind === 'ran') {
    return { result: outcome.result, hasRun: true };
  }
  const isFailure = outcome.kind === 'broken' && wasGood;
  return { result: isFailure ? brokenHere(outcome.why) : notRun(outcome.why), hasRun: false };
}

/** What fails where the untouched folders pass is run once more, so that chance keeps nobody out. */
async function unlessFlaky(once: () => Promise<Found>): Promise<Found> {
  const first = await once();
  if (first.result.status === 'passed' || first.result.status === 'not-run') {
    return first;
  }
  const second = await once();
  return second.result.status === 'passed'
    ? { ...second, result: { ...second.result, isFlaky: true } }
    : first;
}

function unrunnable(specs: readonly CheckSpec[], onEnded: OnCheckEnded): readonly CheckResult[] {
  const why = notRun('The files of this answer were not kept.');
  return specs.map(({ name }) => {
    const result: CheckResult = { name, ...why, isCached: false, comparison: 'unknown' };
    onEnded(result);
    return result;
  });
}
