// The parts of `status.json` about votes, decision, money and finished work.
import { clip } from '../base/text';
import type { CheckResult } from '../run/check-facts';
import type { Agreement } from '../run/facts';
import type { RunState, UsageTotals } from '../run/state';
import type { AgentTally, RunTallies, ToolTally } from './run-tallies';
import type { StatusAgreement, StatusCheck, StatusJson, StatusTools } from './status-shape';

export function toResults(state: RunState): StatusJson['results'] {
  const { agents, selection, finalAnswer } = state;
  const ballots = agents.flatMap((agent) => agent.ballots);
  const winner = selection?.winner ?? null;
  return {
    votes: validVotes(state),
    void_votes: ballots.filter((ballot) => ballot.void !== undefined).length,
    winner: winner === null ? null : (agents[winner.slot - 1]?.info.id ?? null),
    winner_label: winner?.label ?? null,
    final_answer_preview: finalAnswer === null ? null : clip(finalAnswer.text, 200),
    agreement: selection === null ? null : toStatusAgreement(selection.agreement),
    ...toChecks(state),
  };
}

function toChecks({ checks }: RunState): Pick<StatusJson['results'], 'checks'> {
  if (checks === undefined) {
    return {};
  }
  const answers = Object.entries(checks.answers).flatMap(([label, { report }]) =>
    report === null ? [] : [[label, report.results.map(toStatusCheck)] as const],
  );
  return {
    checks: {
      baseline: checks.baseline?.report?.results.map(toStatusCheck) ?? null,
      answers: Object.fromEntries(answers),
    },
  };
}

function toStatusCheck({ name, status, comparison, isFlaky }: CheckResult): StatusCheck {
  return { name, status, comparison, flaky: isFlaky };
}

/** Weight by label. */
function validVotes({ agents }: RunState): Readonly<Record<string, number>> {
  const votes: Record<string, number> = {};
  for (const { ballot } of agents) {
    if (ballot !== null) {
      votes[ballot.target] = (votes[ballot.target] ?? 0) + ballot.weight;
    }
  }
  return votes;
}

export function toStatusAgreement(agreement: Agreement): StatusAgreement {
  return {
    rule: agreement.rule,
    threshold: agreement.threshold,
    quorum: agreement.quorum,
    electorate: agreement.electorate,
    eligible_weight: agreement.eligibleWeight,
    ballots: agreement.ballots,
    votes: agreement.votes,
    votes_from_others: agreement.votesFromOthers,
    needed: agreement.needed,
    share: agreement.share,
    satisfied: agreement.isSatisfied,
    tie: agreement.isTie,
    tied: agreement.tied,
    runoffs: agreement.runoffs,
    extra_rounds: agreement.extraRounds,
    tie_break_used: agreement.tieBreakUsed,
    decided_by: agreement.decidedBy,
    unanimous: agreement.isUnanimous,
    uninformed_ballots: agreement.uninformedBallots,
    void_ballots: agreement.voidBallots,
    result: agreement.result,
    lead: agreement.lead,
    margin: agreement.margin,
    effective_voters: agreement.effectiveVoters,
    ignored_self_votes: agreement.ignoredSelfVotes,
  };
}

/** Agents and what is asked on behalf of the run. */
export function toCosts({ agents, systemCalls }: RunState): StatusJson['costs'] {
  const all = [...agents.map(({ usage }) => usage), systemCalls.usage];
  const sum = (pick: (usage: UsageTotals) => number): number =>
    all.reduce((total, usage) => total + pick(usage), 0);
  const unmetered = sum((usage) => usage.unmeteredCalls);
  return {
    total_estimated_cost: all.every(({ unpricedCalls }) => unpricedCalls === 0)
      ? sum((usage) => usage.costUsd)
      : null,
    total_input_tokens: sum((usage) => usage.inputTokens),
    total_output_tokens: sum((usage) => usage.outputTokens),
    total_calls: sum((usage) => usage.calls),
    unmetered_calls: unmetered,
    estimated: unmetered > 0,
    system: {
      calls: systemCalls.usage.calls,
      input_tokens: systemCalls.usage.inputTokens,
      output_tokens: systemCalls.usage.outputTokens,
      estimated_cost: costOf(systemCalls.usage),
    },
  };
}

export function costOf(usage: UsageTotals): number | null {
  return usage.unpricedCalls === 0 ? usage.costUsd : null;
}

export function toTools(tallies: readonly AgentTally[]): StatusTools {
  const byTool = new Map<string, ToolTally>();
  for (const [tool, one] of tallies.flatMap(({ tools }) => [...tools])) {
    const known = byTool.get(tool);
    byTool.set(tool, {
      calls: one.calls + (known?.calls ?? 0),
      failures: one.failures + (known?.failures ?? 0),
      ms: one.ms + (known?.ms ?? 0),
      outputBytes: one.outputBytes + (known?.outputBytes ?? 0),
    });
  }
  const all = [...byTool.values()];
  return {
    total_calls: total(all.map(({ calls }) => calls)),
    total_failures: total(all.map(({ failures }) => failures)),
    total_execution_time_ms: total(all.map(({ ms }) => ms)),
    by_tool: Object.fromEntries(
      [...byTool].map(([tool, { calls, failures, ms, outputBytes }]) => [
        tool,
        {
          call_count: calls,
          success_count: calls - failures,
          failure_count: failures,
          total_execution_time_ms: ms,
          avg_execution_time_ms: Math.round(ms / calls),
          output_bytes: outputBytes,
        },
      ]),
    ),
  };
}

export function toRounds(tallies: RunTallies): StatusJson['rounds'] {
  const rounds = [...tallies.values()].flatMap((tally) => tally.rounds);
  const outcomes: Record<string, number> = {};
  for (const { outcome } of rounds) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  const isPriced = rounds.every(({ costUsd }) => costUsd !== null);
  return {
    total_rounds: rounds.length,
    by_outcome: outcomes,
    total_round_input_tokens: total(rounds.map(({ inputTokens }) => inputTokens)),
    total_round_output_tokens: total(rounds.map(({ outputTokens }) => outputTokens)),
    total_round_cost: isPriced ? total(rounds.map(({ costUsd }) => costUsd ?? 0)) : null,
  };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
