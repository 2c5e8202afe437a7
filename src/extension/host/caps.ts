import * as vscode from 'vscode';
import type { RunCaps } from '../../run/facts';
import type { RunConfig } from '../../app/app-contract';

/** The user's limits; those that the team file itself states come first, also when they are higher or none. */
export function capsOf(config: RunConfig | undefined): RunCaps {
  const limits = vscode.workspace.getConfiguration('massgen.limits');
  const minutes = numberOf(limits.get<unknown>('durationMinutes'));
  const cap = (name: keyof RunCaps, ofUser: number | null): number | null =>
    config?.capsFromFile?.includes(name) === true ? config.caps[name] : ofUser;
  return {
    durationMs: cap('durationMs', minutes === null ? null : minutes * 60_000),
    modelCalls: cap('modelCalls', numberOf(limits.get<unknown>('modelCalls'))),
    costUsd: cap('costUsd', numberOf(limits.get<unknown>('costUsd'))),
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
