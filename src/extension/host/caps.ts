import * as vscode from 'vscode';
import type { RunCaps } from '../../run/facts';
import type { RunConfig } from '../../app/app-contract';

/** The user's limits; a team file's own limits come first. */
export function capsOf(config: RunConfig | undefined): RunCaps {
  const limits = vscode.workspace.getConfiguration('massgen.limits');
  const minutes = numberOf(limits.get<unknown>('durationMinutes'));
  const own = config?.caps;
  return {
    durationMs: own?.durationMs ?? (minutes === null ? null : minutes * 60_000),
    modelCalls: own?.modelCalls ?? numberOf(limits.get<unknown>('modelCalls')),
    costUsd: own?.costUsd ?? numberOf(limits.get<unknown>('costUsd')),
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
