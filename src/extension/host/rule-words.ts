import * as vscode from 'vscode';
import type { RunConfig } from '../../app/app-contract';

/** How the team decides, in words and numbers, e.g. `Majority, 2 of 3 votes`. */
export function ruleInWords({ agents, settings }: RunConfig): string {
  const voters = agents.length;
  if (voters === 1) {
    return vscode.l10n.t('One agent; no vote is needed');
  }
  switch (settings.rule) {
    case 'plurality':
      return vscode.l10n.t('Plurality, most of {0} votes', voters);
    case 'majority':
      return vscode.l10n.t('Majority, {0} of {1} votes', Math.floor(voters / 2) + 1, voters);
    case 'unanimity':
      return vscode.l10n.t('Unanimity, {0} of {0} votes', voters);
    case 'min_agreement':
      return vscode.l10n.t('At least {0} of {1} votes', settings.minAgreement, voters);
    case 'supermajority': {
      const needed = Math.ceil(voters * (settings.threshold ?? 2 / 3) - 1e-9);
      return vscode.l10n.t('Supermajority, {0} of {1} votes', needed, voters);
    }
    case 'weighted':
      return vscode.l10n.t('Weighted votes of {0} agents', voters);
  }
}
