// Steps two and three of the long wizard: how many agents, and what each of them is.
import type { App } from '../../app/app-contract';
import type { Choice } from './asker';
import { askForCount, chooseModel, chooseSource } from './choose-members';
import { memberOf, type PlannedMember, type Source, withOwnIds } from './team-plan';
import type { Wizard } from './wizard';

export type HostedTool = 'web-search' | 'code-execution';

/** What the use case suggests. */
export interface Suggestion {
  readonly count: number;
  readonly tools: readonly HostedTool[];
}

type Kind = App['backendKinds'][number];

export async function askForAgents(
  wizard: Wizard,
  sources: readonly Source[],
  { count: suggested, tools }: Suggestion,
): Promise<readonly PlannedMember[]> {
  const count = await askForCount(wizard, suggested);
  const isMixed =
    count > 1 &&
    sources.length > 1 &&
    (await wizard.ask.choose('Who plays them?', [
      { value: true, label: 'Different ones', hint: 'they err in different ways' },
      { value: false, label: 'The same for all' },
    ]));
  const same = isMixed ? undefined : await chooseSource(wizard, sources, 'Who plays them?');
  wizard.ask.say('Step 3 of 4: each agent');
  const members: PlannedMember[] = [];
  for (let number = 1; number <= count; number += 1) {
    const title = `Agent ${number} of ${count}`;
    const source = same ?? (await chooseSource(wizard, sources, `${title}: who plays it?`));
    members.push(await askForAgent(wizard, { title, source, tools, earlier: members.at(-1) }));
  }
  return withOwnIds(members);
}

interface AgentRequest {
  readonly title: string;
  readonly source: Source;
  readonly tools: readonly HostedTool[];
  readonly earlier: PlannedMember | undefined;
}

async function askForAgent(
  wizard: Wizard,
  { title, source, tools, earlier }: AgentRequest,
): Promise<PlannedMember> {
  const { ask, app } = wizard;
  ask.say(title);
  const isLike = earlier?.type === source.member.type;
  if (earlier !== undefined && isLike && (await ask.confirm('Like the one before?', true))) {
    return { ...earlier, id: source.member.id };
  }
  const kind = app.backendKinds.find(({ type }) => type === source.member.type);
  const member = memberOf(source, await chooseModel(wizard, source));
  const effort = await askForEffort(wizard, kind);
  const suggested = tools.filter((tool) => kind?.hostedTools?.includes(tool) === true);
  const basic = { ...member, further: { ...effort, ...toolKeys(suggested) } };
  return (await ask.confirm('Change more of it?', false))
    ? askForMore(wizard, basic, { kind, effort, suggested })
    : basic;
}

async function askForEffort(
  { ask }: Wizard,
  kind: Kind | undefined,
): Promise<Readonly<Record<string, string>>> {
  const key = kind?.keys.find(({ name }) => name === 'reasoning_effort' || name === 'effort');
  if (key?.values === undefined) {
    return {};
  }
  const own: Choice<string | undefined> = { value: undefined, label: 'As the model does it' };
  const chosen = await ask.choose('How much may it think?', [
    own,
    ...key.values.map((value) => ({ value, label: value })),
  ]);
  return chosen === undefined ? {} : { [key.name]: chosen };
}

const toolNames: Readonly<Record<HostedTool, readonly [key: string, label: string]>> = {
  'web-search': ['enable_web_search', 'Search the web (at the service)'],
  'code-execution': ['enable_code_execution', 'Run code (on machines of the service)'],
};

function toolKeys(tools: readonly HostedTool[]): Readonly<Record<string, true>> {
  return Object.fromEntries(tools.map((tool) => [toolNames[tool][0], true]));
}

interface SoFar {
  readonly kind: Kind | undefined;
  readonly effort: Readonly<Record<string, string>>;
  readonly suggested: readonly HostedTool[];
}

async function askForMore(
  wizard: Wizard,
  member: PlannedMember,
  { kind, effort, suggested }: SoFar,
): Promise<PlannedMember> {
  const { ask } = wizard;
  const offered = (kind?.hostedTools ?? []).map((value) => ({ value, label: toolNames[value][1] }));
  const tools =
    offered.length === 0
      ? []
      : await ask.chooseSeveral(
          'What may the service do for it? (space marks, Enter goes on)',
          offered,
          offered.flatMap(({ value }, index) => (suggested.includes(value) ? [index] : [])),
        );
  const systemMessage = await ask.text('What should it always keep in mind? (empty: nothing)');
  const servers = await askForServers(wizard);
  return {
    ...member,
    ...(systemMessage === '' ? {} : { systemMessage }),
    further: {
      ...effort,
      ...toolKeys(tools),
      ...(Object.keys(servers).length === 0 ? {} : { mcp_servers: servers }),
    },
  };
}

/** Programs that bring tools (MCP), by name; they run confined and get only the variables that are named here. */
async function askForServers({ ask }: Wizard): Promise<Readonly<Record<string, unknown>>> {
  const servers: Record<string, unknown> = {};
  while (await ask.confirm('Add a server of tools (MCP)?', false)) {
    const name = await ask.text('Its name', {
      check: (answer) =>
        /^[A-Za-z][\w-]*$/.test(answer) && !Object.hasOwn(servers, answer)
          ? undefined
          : 'A new name of letters, digits, - and _.',
    });
    const line = await ask.text('The program and its arguments, with spaces between them', {
      check: (answer) =>
        answer === '' ? 'E.g. npx -y @modelcontextprotocol/server-memory' : undefined,
    });
    const variables = await ask.text('Names of variables that it gets (empty: none)', {
      check: (answer) =>
        words(answer).every((word) => /^[A-Za-z_]\w*$/.test(word))
          ? undefined
          : 'Names alone, with spaces between them; values stay in the environment.',
    });
    const [command = '', ...args] = words(line);
    const env = Object.fromEntries(words(variables).map((word) => [word, `\${${word}}`]));
    servers[name] = {
      command,
      ...(args.length === 0 ? {} : { args }),
      ...(variables === '' ? {} : { env }),
    };
  }
  return servers;
}

function words(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
