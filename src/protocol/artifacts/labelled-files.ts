// The folders of answers, votes and the final answer, and `snapshot_mappings.json`, which says where they are.
import type { FinalAnswer } from '../../run/poll-events';
import type { AnswerSubmitted, UpdateDelivered } from '../../run/turn-events';
import type { Ballot } from '../../run/facts';
import type { RunState } from '../../run/state';
import { type ArtifactPart, type ArtifactSink, jsonText, type Step } from './artifact-part';
import { authorOf, type BallotFile, toBallotFile } from './ballot-file';
import { answersText, type Conversations } from './conversation';
import { stamp } from './places';
import type { Progress } from './progress';
import type { SnapshotMapping } from './snapshot-mappings';
import { type UnfinishedFiles, UnfinishedWork } from './unfinished-work';

export interface LabelledFilesParts {
  readonly sink: ArtifactSink;
  /** `''`, or ends with `/`. */
  readonly attemptDir: string;
  readonly folders: ReadonlyMap<number, string>;
  /** Both have taken a step before this takes it. */
  readonly conversations: Conversations;
  readonly progress: Progress;
}

interface StoredBallot {
  readonly path: string;
  readonly file: BallotFile;
}

export class LabelledFiles implements ArtifactPart {
  readonly #parts: LabelledFilesParts;
  readonly #ballots = new Map<string, StoredBallot>();
  readonly #mappings: Record<string, SnapshotMapping> = {};
  readonly #unfinished = new UnfinishedWork();
  #final: FinalAnswer | undefined;
  #isDirty = false;

  constructor(parts: LabelledFilesParts) {
    this.#parts = parts;
  }

  take(step: Step): void {
    const { recorded, before, after } = step;
    const { event } = recorded;
    const left = this.#unfinished.take(step);
    if (left !== undefined) {
      this.#keepUnfinished(left, step);
    }
    switch (event.type) {
      case 'answer-submitted':
        this.#answer(event, step);
        return;
      case 'vote-cast':
        this.#vote(event.ballotId, step);
        return;
      case 'votes-voided':
        this.#voided(after);
        return;
      case 'update-delivered':
        this.#update(event, step);
        return;
      case 'final-answer':
        this.#final = event;
        this.#writeFinal(event, before);
        this.#map(`agent${event.slot}.final`, step, {
          ...{ type: 'final_answer', slot: event.slot },
          path: `final/${this.#folder(event.slot)}/answer.txt`,
        });
        return;
      case 'run-ended':
        // What came of the last attempt also stands where a reader looks who knows of no attempts.
        if (this.#parts.attemptDir !== '' && this.#final !== undefined) {
          this.#writeFinal(this.#final, before, '');
        }
        return;
      default:
    }
  }

  refresh(): void {
    if (this.#isDirty) {
      this.#isDirty = false;
      const path = `${this.#parts.attemptDir}snapshot_mappings.json`;
      this.#parts.sink.replace(path, jsonText(this.#mappings));
    }
  }

  #answer(event: AnswerSubmitted, step: Step): void {
    const { sink, attemptDir, conversations } = this.#parts;
    const folder = this.#folderAt(event.slot, step);
    const dir = `${attemptDir}${folder}`;
    sink.replace(`${dir}/answer.txt`, event.text);
    sink.replace(`${dir}/context.txt`, conversations.of(event.slot));
    if (event.snapshotId !== null) {
      sink.copyFiles(dir, event.snapshotId);
    }
    this.#map(event.label, step, {
      type: 'answer',
      slot: event.slot,
      path: `${folder}/answer.txt`,
    });
  }

  /** Beside the answers, where nobody takes it for one. */
  #keepUnfinished({ slot, turnNo, snapshotId }: UnfinishedFiles, step: Step): void {
    const { sink, attemptDir, conversations } = this.#parts;
    const folder = `${this.#folderAt(slot, step)}/wip`;
    const path = `${folder}/context.txt`;
    sink.replace(`${attemptDir}${path}`, conversations.of(slot));
    sink.copyFiles(`${attemptDir}${folder}`, snapshotId);
    this.#map(`agent${slot}.wip${turnNo}`, step, { type: 'work_in_progress', slot, path });
  }

  #vote(ballotId: string, step: Step): void {
    const ballot = ballotsOf(step.after).find(({ id }) => id === ballotId);
    if (ballot === undefined) {
      return;
    }
    const { sink, attemptDir, conversations, progress } = this.#parts;
    const folder = this.#folderAt(ballot.voter, step);
    const counts = { iteration: progress.iteration, round: progress.round(ballot.voter) };
    const path = `${attemptDir}${folder}/vote.json`;
    const file = toBallotFile(ballot, step.after, counts);
    this.#ballots.set(ballotId, { path, file });
    sink.replace(path, jsonText(file));
    sink.replace(`${attemptDir}${folder}/context.txt`, conversations.of(ballot.voter));
    this.#map(ballotId, step, {
      ...{ type: 'vote', slot: ballot.voter, path: `${folder}/vote.json` },
      voted: {
        voted_for: authorOf(ballot.target, step.after)?.info.id ?? '',
        voted_for_label: ballot.target,
      },
    });
  }

  /** A vote that became void says so in its file; all else there stays as it was when the vote was cast. */
  #voided(state: RunState): void {
    for (const ballot of ballotsOf(state)) {
      const stored = this.#ballots.get(ballot.id);
      if (stored !== undefined && ballot.void?.seq === state.seq) {
        const file = { ...stored.file, void: true, voided_by: ballot.void.by };
        this.#parts.sink.replace(stored.path, jsonText(file));
      }
    }
  }

  #update({ slot, labels, at }: UpdateDelivered, step: Step): void {
    const { sink, attemptDir } = this.#parts;
    const text = `New answers: ${labels.join(', ')} (with the ${at.replace('-', ' ')})\n\n${answersText(step.before, labels)}\n`;
    sink.replace(`${attemptDir}${this.#folderAt(slot, step)}/update_message.txt`, text);
  }

  #writeFinal(event: FinalAnswer, state: RunState, root = this.#parts.attemptDir): void {
    const { sink, conversations } = this.#parts;
    const dir = `${root}final/${this.#folder(event.slot)}`;
    const revision = authorOf(event.label, state)?.revisions.find(
      ({ label }) => label === event.label,
    );
    sink.replace(`${dir}/answer.txt`, event.text);
    sink.replace(`${dir}/context.txt`, conversations.of(event.slot));
    const snapshotId = revision?.snapshotId ?? null;
    if (snapshotId !== null) {
      sink.copyFiles(dir, snapshotId);
    }
  }

  #map(
    label: string,
    { recorded: { at, seq }, after }: Step,
    file: {
      readonly type: SnapshotMapping['type'];
      readonly slot: number;
      readonly path: string;
      readonly voted?: { readonly voted_for: string; readonly voted_for_label: string };
    },
  ): void {
    const { progress } = this.#parts;
    this.#isDirty = true;
    this.#mappings[label] = {
      type: file.type,
      label,
      agent_id: after.agents[file.slot - 1]?.info.id ?? '',
      timestamp: stamp(at, seq),
      iteration: progress.iteration,
      round: progress.round(file.slot),
      path: file.path,
      ...file.voted,
    };
  }

  #folder(slot: number): string {
    return this.#parts.folders.get(slot) ?? `agent${slot}`;
  }

  #folderAt(slot: number, { recorded: { at, seq } }: Step): string {
    return `${this.#folder(slot)}/${stamp(at, seq)}`;
  }
}

function ballotsOf({ agents }: RunState): readonly Ballot[] {
  return agents.flatMap(({ ballots }) => ballots);
}
