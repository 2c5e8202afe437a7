import { Document, isMap, isSeq } from 'yaml';
import type { PlannedMember, PlannedPath, TeamPlan } from './team-plan';

/** Text of the team file. `origin`: who wrote it, for its first line. */
export function teamText(plan: TeamPlan, origin: string): string {
  const { name, members, paths, rules = {}, limits } = plan;
  const document = new Document(
    {
      name,
      agents: members.map(agentOf),
      orchestrator: {
        profile: 'recommended',
        ...rules,
        ...(paths.length === 0 ? {} : { context_paths: paths.map(pathOf) }),
      },
      limits: { duration_minutes: limits.minutes, model_calls: 60, cost_usd: limits.usd },
    },
    // Older readers take `no` and `1:30` for something else than text, so that such words are quoted.
    { version: '1.1' },
  );
  document.commentBefore = [
    ` ${origin}. Keys are found by name, never written here.`,
    ' massgen --validate FILE checks it; configs/README.md has every key.',
  ].join('\n');
  addSpace(document);
  return document.toString({ lineWidth: 0, directives: false, singleQuote: true });
}

function agentOf({ id, systemMessage, ...member }: PlannedMember): unknown {
  return {
    id,
    ...(systemMessage === undefined ? {} : { system_message: systemMessage }),
    backend: backendOf(member),
  };
}

function backendOf(member: Omit<PlannedMember, 'id' | 'systemMessage'>): unknown {
  const { type, model, baseUrl, keyName, command, further = {} } = member;
  return {
    ...(type === undefined ? {} : { type }),
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(keyName === undefined ? {} : { api_key: `\${${keyName}}` }),
    ...(command === undefined ? {} : { command: [...command] }),
    ...further,
  };
}

function pathOf({ path, permission, protectedPaths = [] }: PlannedPath): unknown {
  return {
    path,
    permission,
    ...(protectedPaths.length === 0 ? {} : { protected_paths: [...protectedPaths] }),
  };
}

/** An empty line before each part and each further agent. */
function addSpace(document: Document): void {
  const root = document.contents;
  if (!isMap(root)) {
    return;
  }
  for (const { key } of root.items.slice(1)) {
    setSpace(key);
  }
  const agents = root.get('agents');
  for (const agent of isSeq(agents) ? agents.items.slice(1) : []) {
    setSpace(agent);
  }
}

function setSpace(node: unknown): void {
  if (typeof node === 'object' && node !== null) {
    Object.assign(node, { spaceBefore: true });
  }
}
