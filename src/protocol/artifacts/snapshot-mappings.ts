// `snapshot_mappings.json`: where the files that belong to each label are.
export interface SnapshotMapping {
  readonly type: 'answer' | 'vote' | 'final_answer' | 'work_in_progress';
  readonly label: string;
  readonly agent_id: string;
  /** Universal time, `YYYYMMDD_HHMMSS_ffffff`. */
  readonly timestamp: string;
  readonly iteration: number;
  readonly round: number;
  /** Relative to the folder of this file. */
  readonly path: string;
  /** Of a vote. */
  readonly voted_for?: string;
  readonly voted_for_label?: string;
}

/**
 * By label: `agent1.2` for an answer, `agent1.vote2` for a vote, `agent1.final` for the final answer, `agent1.wip3` for
 * what the agent's third turn left behind when it came to nothing.
 */
export type SnapshotMappings = Readonly<Record<string, SnapshotMapping>>;
