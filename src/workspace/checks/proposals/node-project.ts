import { z } from 'zod';
import type { CheckProposal } from '../../../core/ports/checks';
import type { CheckKind } from '../../../run/check-facts';
import { type ProjectFiles, proposal } from './project-files';

const kinds: Readonly<Record<string, CheckKind>> = {
  ...{ test: 'test', 'test:unit': 'test', tests: 'test' },
  ...{ lint: 'lint', eslint: 'lint' },
  ...{ typecheck: 'types', 'type-check': 'types', 'check-types': 'types', 'check:types': 'types' },
  ...{ types: 'types', tsc: 'types', build: 'build', compile: 'build' },
  ...{ 'format:check': 'format', 'check:format': 'format', 'prettier:check': 'format' },
};

const packageSchema = z.looseObject({
  packageManager: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** Scripts of package.json, by the names that such scripts usually have. */
export async function nodeProposals(files: ProjectFiles): Promise<readonly CheckProposal[]> {
  const json = packageSchema.safeParse(parsed(await files.read('package.json'))).data;
  if (json === undefined) {
    return [];
  }
  const manager = await managerOf(files, json.packageManager);
  return Object.entries(json.scripts ?? {}).flatMap(([name, script]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    return kind === undefined || typeof script !== 'string' || saysNothing(script)
      ? []
      : [proposal({ name, kind, command: commandOf(manager, name) }, sourceOf(name))];
  });
}

function sourceOf(name: string): string {
  return `package.json, script "${name}"`;
}

/** What npm puts there when nothing was said, and what never ends. */
function saysNothing(script: string): boolean {
  return /no test specified|--watch(?!=false|All=false)\b|^\s*$/.test(script);
}

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const lockFiles: readonly (readonly [string, Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

async function managerOf(files: ProjectFiles, written: string | undefined): Promise<Manager> {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(written ?? '')?.[1];
  for (const [lock, manager] of lockFiles) {
    if (manager === named || (named === undefined && (await files.has(lock)))) {
      return manager;
    }
  }
  return 'npm';
}

function commandOf(manager: Manager, script: string): string {
  return manager === 'npm' && script === 'test' ? 'npm test' : `${manager} run ${script}`;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
