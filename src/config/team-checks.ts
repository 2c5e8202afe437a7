import type { CheckSpec } from '../run/check-facts';
import {
  checkOfCommand,
  defaultCheckTimeoutMs,
  kindOfCommand,
  nameOfCommand,
} from '../run/check-specs';
import type { ProfileSettings } from '../run/profiles';
import type { CheckEntry } from './schema/checks-block';
import type { TeamFile } from './schema/team-file';
import { shown } from './secret-text';
import type { TeamReport } from './team-report';

/** An empty list says that this team has none, whatever the user has chosen elsewhere. */
export function checksOf({ checks }: TeamFile): Pick<ProfileSettings, 'checks'> {
  return checks === undefined ? {} : { checks: checks.flatMap((entry) => toSpec(entry) ?? []) };
}

/** Entries without a command have been reported. */
function toSpec(entry: CheckEntry): CheckSpec | undefined {
  if (typeof entry === 'string') {
    return checkOfCommand(entry);
  }
  const { command, name, kind, time_limit: timeoutMs, mode } = entry;
  return command === undefined
    ? undefined
    : {
        name: name ?? nameOfCommand(command),
        command,
        kind: kind ?? kindOfCommand(`${name ?? ''} ${command}`),
        timeoutMs: timeoutMs ?? defaultCheckTimeoutMs,
        mode: mode ?? 'gate',
      };
}

const longestName = 80;

/** Names must tell checks apart; a command must be one that a shell can be given. */
export function checkChecks({ checks = [] }: TeamFile, report: TeamReport): void {
  const taken = new Set<string>();
  for (const [index, entry] of checks.entries()) {
    const spec = toSpec(entry);
    if (spec === undefined) {
      continue;
    }
    const isShort = typeof entry === 'string';
    const at = (key: string): readonly (string | number)[] =>
      isShort ? ['checks', index] : ['checks', index, key];
    const namedAt = !isShort && entry.name === undefined ? at('command') : at('name');
    if (taken.has(spec.name)) {
      const message = `There is already a check with the name ${shown(spec.name)}.`;
      report.at(namedAt, { code: 'duplicate', message });
    }
    taken.add(spec.name);
    if (/\p{Cc}/u.test(spec.name) || spec.name.length > longestName) {
      const message = `The name of a check is one line of at most ${longestName} characters.`;
      report.at(namedAt, { code: 'wrong-value', message });
    }
    if (spec.command.includes('\0')) {
      const message = 'A command cannot hold a NUL character.';
      report.at(at('command'), { code: 'wrong-value', message });
    }
  }
}
