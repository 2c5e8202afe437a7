import { resolve } from 'node:path';
import type { ConfigProblem } from '../app/app-contract';
import { type ExitCode, exitCodes } from './exit-codes';
import { UsageError } from './failure';
import { findTeamFile } from './find-file';
import type { ValidateOptions } from './invocation';
import { problemLines } from './problem-lines';
import { teamToolsOf } from './team-tools';
import type { World } from './world';

/** Checks a team file as a run would, and says everything that is wrong with it. Sends nothing anywhere. */
export async function validateCommand(options: ValidateOptions, world: World): Promise<ExitCode> {
  const { problems, effective } = await findings(options, world);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const isValid = errors.length === 0 && (!options.strict || warnings.length === 0);
  world.output.write(
    options.json
      ? `${JSON.stringify(toJson(isValid, errors, warnings), null, 2)}\n`
      : `${[...problemLines(problems), closing(errors.length, warnings.length, options), ...effective].join('\n')}\n`,
  );
  return isValid ? exitCodes.done : exitCodes.usage;
}

interface Findings {
  readonly problems: readonly ConfigProblem[];
  /** What every setting comes to; empty when nobody asked, or the file has errors. */
  readonly effective: readonly string[];
}

/** A file that is not there is a finding too, so that scripts read one form. */
async function findings(options: ValidateOptions, world: World): Promise<Findings> {
  const project = resolve(world.cwd, options.project ?? '.');
  let source;
  try {
    source = await findTeamFile(world, { file: options.file, project });
  } catch (error) {
    if (options.json && error instanceof UsageError) {
      return { problems: [missing(options.file, error)], effective: [] };
    }
    throw error;
  }
  const tools = teamToolsOf(world);
  const { problems, config } = await tools.checkTeam(
    { text: source?.text ?? '', file: source?.file ?? options.file, project, level: 'environment' },
    world.interrupted,
  );
  const effective =
    options.verbose && config !== undefined ? ['', ...tools.effectiveLines(config)] : [];
  return { problems, effective };
}

function missing(file: string, { message, hint }: UsageError): ConfigProblem {
  const at = { line: 1, column: 1, endLine: 1, endColumn: 1, keyPath: '' };
  const text = [message, hint].filter((part) => part !== undefined).join(' ');
  return { severity: 'error', file, ...at, message: text.replaceAll('\n', ' '), code: 'missing' };
}

function closing(errors: number, warnings: number, { strict }: ValidateOptions): string {
  const counts = [count(errors, 'error'), count(warnings, 'warning')].flat().join(', ');
  if (errors > 0) {
    return `The team file is not valid: ${counts}.`;
  }
  const isStopped = strict && warnings > 0;
  return counts === ''
    ? 'The team file is valid.'
    : isStopped
      ? `The team file is not valid with --strict: ${counts}.`
      : `The team file is valid, with ${counts}.`;
}

function count(number: number, word: string): readonly string[] {
  return number === 0 ? [] : [`${number} ${word}${number === 1 ? '' : 's'}`];
}

function toJson(
  valid: boolean,
  errors: readonly ConfigProblem[],
  warnings: readonly ConfigProblem[],
): unknown {
  return {
    valid,
    error_count: errors.length,
    warning_count: warnings.length,
    errors: errors.map(findingToJson),
    warnings: warnings.map(findingToJson),
  };
}

/** `location` and `suggestion` as MassGen has them; the rest says exactly where. */
function findingToJson(problem: ConfigProblem): unknown {
  return {
    message: problem.message,
    location: problem.keyPath === '' ? 'root' : problem.keyPath,
    suggestion: problem.suggestion ?? null,
    code: problem.code,
    file: problem.file,
    line: problem.line,
    column: problem.column,
    end_line: problem.endLine,
    end_column: problem.endColumn,
    key_path: problem.keyPath,
  };
}
