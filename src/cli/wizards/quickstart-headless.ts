import { join } from 'node:path';
import { nearest } from '../../base/text';
import { type ExitCode, exitCodes } from '../exit-codes';
import { UsageError } from '../failure';
import { systemClock } from '../system-clock';
import type { World } from '../world';
import { foundLines, hintAtLocalModels, lookAround, shortPath } from './found';
import { privateModes, writeNew } from './private-file';
import {
  type PlannedMember,
  proposedMembers,
  sourcesOf,
  usualLimits,
  withOwnIds,
} from './team-plan';
import type { QuickstartOptions } from './wizard-options';
import type { WizardApp } from './wizard';
import { checkedText, projectTeam, teamPath, writeUnasked } from './write-team';

/**
 * Makes a team of what is found, without a question. Where nothing is found it writes a `.env` to be filled in, and
 * ends with the code of a wrong configuration.
 */
export async function quickstartHeadless(
  app: WizardApp,
  options: QuickstartOptions,
  world: World,
): Promise<ExitCode> {
  const found = await lookAround(app, world);
  const sources = sourcesOf(found, app.backendKinds, systemClock.now());
  const written = options.agents.map(parseAgent);
  const members = written.length > 0 ? withOwnIds(written) : proposedMembers(sources, 3);
  if (members.length === 0) {
    return writeTemplate(found.services, world);
  }
  const isLocal = written.length === 0 && sources.every((source) => source.isLocal);
  const file = options.config === undefined ? projectTeam(world) : teamPath(options.config, world);
  const plan = {
    ...{ name: 'Quick team', members, limits: usualLimits(isLocal) },
    paths: [{ path: '.', permission: 'read' }] as const,
  };
  const warn = (line: string): void => world.notes.write(`${line}\n`);
  const text = checkedText(app, plan, { file, origin: 'Written by massgen --quickstart', warn });
  await writeUnasked(file, text, { force: options.force, world });
  const lines = [
    ...foundLines(found),
    `Saved in ${shortPath(file, world)}: ${members.map(({ id }) => id).join(', ')}.`,
    `massgen --config ${shortPath(file, world)} --trust-config "what to do" runs it.`,
  ];
  world.output.write(`${lines.join('\n')}\n`);
  return exitCodes.done;
}

const agentKeys = ['id', 'backend', 'model', 'base_url'] as const;

/** `id=a,backend=claude,model=claude-sonnet-5-5`; throws `UsageError` for anything else. */
export function parseAgent(written: string): PlannedMember {
  const values = new Map<string, string>();
  for (const part of written.split(',')) {
    const [, name = '', value = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    const fault = faultOf(name === '' ? part.trim() : name, value, values);
    if (fault !== undefined) {
      throw new UsageError(
        `--quickstart-agent ${written}: ${fault}`,
        'Write it like id=first,backend=claude,model=claude-sonnet-5-5.',
      );
    }
    values.set(name, value);
  }
  const [type, model, baseUrl] = ['backend', 'model', 'base_url'].map((key) => values.get(key));
  if (type === undefined) {
    throw new UsageError(`--quickstart-agent ${written}: backend is missing.`);
  }
  return {
    ...{ id: values.get('id') ?? type, type },
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}

function faultOf(
  name: string,
  value: string,
  earlier: ReadonlyMap<string, string>,
): string | undefined {
  if (!agentKeys.some((key) => key === name)) {
    const likely = nearest(name, agentKeys);
    return `${name} is not known.${likely === undefined ? '' : ` Did you mean ${likely}?`}`;
  }
  if (value === '') {
    return `${name} has no value.`;
  }
  return earlier.has(name) ? `${name} is given twice.` : undefined;
}

type Services = Awaited<ReturnType<typeof lookAround>>['services'];

/** Every variable stands in it as a comment, so that it sets nothing until somebody fills it in. */
async function writeTemplate(services: Services, world: World): Promise<ExitCode> {
  const file = join(world.cwd, '.env');
  const text = [
    '# Keys for MassGen: take away the sign # before a variable and put the key behind the equals sign. One is enough.',
    '# Keep this file to yourself, and out of every repository.',
    ...services.flatMap(({ kind, keyNames }) => ['', `# ${kind.title}`, `#${keyNames[0]}=`]),
    '',
  ].join('\n');
  const isNew = await writeNew(file, text, privateModes);
  const done = isNew ? 'A template was written to ./.env.' : 'There is a ./.env, which has none.';
  throw new UsageError(
    `There is no key, no agent program and no local model server to make a team of. ${done}`,
    `Put a key into it, or set a variable such as ${services[0]?.keyNames[0] ?? 'OPENAI_API_KEY'}, and try again.\n${hintAtLocalModels}`,
  );
}
