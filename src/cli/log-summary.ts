// What `massgen logs` tells of a run, for people and as JSON.
import { formatCount, formatMoney } from '../run/selectors/formats';
import { revealOnOneLine } from '../run/selectors/visible-text';
import { language } from './language';
import type { LogStatus, ReadLog } from './log-folder';
import { tableLines } from './table';

export function summaryOf({ dir, status }: ReadLog): unknown {
  const { meta, agents, results, costs, tools, finish_reason } = status;
  return {
    log_dir: dir,
    run_id: meta.run_id,
    session_id: meta.session_id,
    turn: meta.turn,
    question: meta.question,
    start_time: meta.start_time,
    elapsed_seconds: meta.elapsed_seconds,
    finish_reason,
    winner: results.winner,
    winner_label: results.winner_label,
    votes: results.votes,
    agents: Object.fromEntries(
      Object.entries(agents).map(([id, agent]) => [
        id,
        {
          status: agent.status,
          answers: agent.answer_count,
          rounds: agent.round_history.length,
          voted_for: agent.vote_cast?.voted_for_label ?? null,
          token_usage: agent.token_usage,
        },
      ]),
    ),
    costs,
    tool_calls: tools.total_calls,
    tool_failures: tools.total_failures,
  };
}

export function summaryLines({ dir, status }: ReadLog, width: number): readonly string[] {
  const { meta, results, costs, tools } = status;
  const votes = Object.entries(results.votes).map(([label, weight]) => `${label} ${weight}`);
  const winner =
    results.winner === null ? 'none' : `${results.winner} (${results.winner_label ?? '?'})`;
  return [
    dir,
    `  Task      ${revealOnOneLine(meta.question).slice(0, 200)}`,
    `  Started   ${new Date(meta.start_time * 1000).toISOString()}, turn ${meta.turn} of ${meta.session_id}`,
    `  End       ${status.finish_reason} after ${meta.elapsed_seconds.toFixed(1)} s`,
    `  Winner    ${winner}`,
    `  Votes     ${votes.length === 0 ? 'none' : votes.join(', ')}`,
    `  Cost      ${costOf(costs.total_estimated_cost)} in ${formatCount(costs.total_calls, language)} calls, ` +
      `${formatCount(costs.total_input_tokens, language)} tokens in, ${formatCount(costs.total_output_tokens, language)} out`,
    `  Tools     ${formatCount(tools.total_calls, language)} calls, ${formatCount(tools.total_failures, language)} failed`,
    '',
    ...tableLines(
      ['Agent', 'Status', 'Answers', 'Rounds', 'Voted for', 'Tokens', 'Cost'],
      Object.entries(status.agents).map(agentRow),
      width,
    ),
  ];
}

function agentRow([id, agent]: readonly [string, LogStatus['agents'][string]]): readonly string[] {
  const { input_tokens, output_tokens, estimated_cost } = agent.token_usage;
  return [
    revealOnOneLine(id),
    agent.status,
    String(agent.answer_count),
    String(agent.round_history.length),
    agent.vote_cast?.voted_for_label ?? '',
    formatCount(input_tokens + output_tokens, language),
    costOf(estimated_cost),
  ];
}

function costOf(dollars: number | null): string {
  return dollars === null ? 'price unknown' : formatMoney(dollars, language);
}

type Tool = LogStatus['tools']['by_tool'][string] & { readonly name: string };

function sorted({ status }: ReadLog, sort: 'time' | 'calls'): readonly Tool[] {
  const weight = (tool: Tool): number =>
    sort === 'time' ? tool.total_execution_time_ms : tool.call_count;
  return Object.entries(status.tools.by_tool)
    .map(([name, tool]): Tool => ({ ...tool, name }))
    .toSorted((a, b) => weight(b) - weight(a) || (a.name < b.name ? -1 : 1));
}

export function toolsOf(log: ReadLog, sort: 'time' | 'calls'): unknown {
  const { by_tool: _by, ...totals } = log.status.tools;
  return { log_dir: log.dir, ...totals, tools: sorted(log, sort) };
}

export function toolLines(log: ReadLog, sort: 'time' | 'calls', width: number): readonly string[] {
  const tools = sorted(log, sort);
  if (tools.length === 0) {
    return [log.dir, '  No tool was called.'];
  }
  const rows = tools.map((tool) => [
    ...[revealOnOneLine(tool.name), String(tool.call_count), String(tool.failure_count)],
    ...[seconds(tool.total_execution_time_ms), seconds(tool.avg_execution_time_ms)],
  ]);
  return [log.dir, '', ...tableLines(['Tool', 'Calls', 'Failed', 'Time', 'Average'], rows, width)];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
