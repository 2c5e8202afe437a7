import type { RunConfig } from '../config/run-config';

/** The team as its file has it: settings with variables as they are written, without what they are on this machine. */
export function asWritten(config: RunConfig): unknown {
  const { writtenSettings = {}, ...rest } = config;
  const text = JSON.stringify(rest, (_name, value: unknown) =>
    typeof value === 'string' && Object.hasOwn(writtenSettings, value)
      ? writtenSettings[value]
      : value,
  );
  return JSON.parse(text);
}
