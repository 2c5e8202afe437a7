// Every team that a wizard can put together passes the one check without a word.
import { describe, expect, it } from 'vitest';
import { keyServices, lastingModels, proposedModel } from '../../../../src/app/services-table';
import type { Found } from '../../../../src/cli/wizards/found';
import { proposedMembers, sourcesOf, type TeamPlan } from '../../../../src/cli/wizards/team-plan';
import { teamText } from '../../../../src/cli/wizards/team-text';
import { cleanTeam, kinds, lmStudioElsewhere, ollama } from './wizard-app';

const today = Date.UTC(2026, 10, 30);

const services: Found['services'] = keyServices(kinds).map((service) => ({
  ...service,
  key: { name: service.keyNames[0], place: 'environment' },
}));

const programs: Found['programs'] = [
  { title: 'Claude Code', type: 'claude_code', path: '/bin/claude', command: ['claude'] },
  { title: 'Codex', type: 'codex', path: '/opt/codex', command: ['/opt/codex'] },
  { title: 'Gemini CLI', type: 'acp', path: '/bin/gemini', command: ['gemini', '--acp'] },
  { title: 'Goose', type: 'acp', path: '/bin/goose', command: ['goose', 'acp'] },
];

const everything: Found = { services, programs, servers: [ollama, lmStudioElsewhere] };
const none: Found = { services: [], programs: [], servers: [] };

function plan(members: TeamPlan['members'], paths: TeamPlan['paths'] = []): TeamPlan {
  return { name: 'A team', members, paths, limits: { minutes: 30, usd: 2 } };
}

/** Each thing that can be found alone, and all together. */
const finds: readonly (readonly [string, Found])[] = [
  ...services.map((service) => [service.kind.type, { ...none, services: [service] }] as const),
  ...programs.map((program) => [program.title, { ...none, programs: [program] }] as const),
  ['Ollama', { ...none, servers: [ollama] }],
  ['LM Studio elsewhere', { ...none, servers: [lmStudioElsewhere] }],
  ['everything', everything],
];

const paths: readonly TeamPlan['paths'][] = [
  [],
  [{ path: '.', permission: 'read' }],
  [{ path: '.', permission: 'write', protectedPaths: ['secrets', 'no'] }],
];

describe('a proposed team', () => {
  it.each(finds)('of %s passes the check without a word, with one to five agents', (_, found) => {
    const sources = sourcesOf(found, kinds, today);
    const counts = sources.some(({ models, choosesModel }) => choosesModel || models.length > 0)
      ? [1, 2, 3, 4, 5]
      : [];
    for (const count of counts) {
      const members = proposedMembers(sources, count);
      for (const context of paths) {
        const text = teamText(plan(members, context), 'Written by a test');
        const team = cleanTeam(text);
        expect(team.agents).toHaveLength(count);
        expect(new Set(team.agents.map(({ id }) => id)).size).toBe(count);
        expect(text).toContain('profile: recommended');
        expect(team.contextPaths).toHaveLength(context.length);
      }
    }
  });

  it('has one agent of each source before a second one of any', () => {
    const sources = sourcesOf(everything, kinds, today);
    const usable = sources.filter(({ models, choosesModel }) => choosesModel || models.length > 0);
    const first = proposedMembers(sources, usable.length);
    expect(first.map(({ type, command }) => [type, command])).toEqual(
      usable.map(({ member }) => [member.type, member.command]),
    );
    expect(proposedMembers(sources, usable.length + 1).at(-1)).toMatchObject({
      ...{ id: 'openai_2', type: 'openai' },
    });
  });

  it('takes its models from the catalogue, those without an end in sight', () => {
    for (const { member, models } of sourcesOf({ ...none, services }, kinds, today)) {
      const kind = kinds.find(({ type }) => type === member.type);
      const ends = (kind?.models ?? []).filter(({ retires }) => retires !== undefined);
      const soon = ends.filter(({ retires = '' }) => Date.parse(retires) - today < 90 * 86_400_000);
      expect(models.filter((model) => soon.some(({ id }) => id === model))).toEqual([]);
      expect(kind === undefined ? [] : lastingModels(kind, today)).toEqual(
        expect.arrayContaining(models.slice(3)),
      );
      expect(models[0]).toBe(kind === undefined ? undefined : proposedModel(kind, today));
    }
  });

  it('names a server by its own type and its address', () => {
    const found = { ...none, servers: [ollama, lmStudioElsewhere] };
    expect(sourcesOf(found, kinds, today).map(({ member }) => member)).toEqual([
      { id: 'ollama', type: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
      { id: 'lm_studio', type: 'lmstudio', baseUrl: 'http://127.0.0.1:4321/v1' },
    ]);
  });

  it('has no service that cannot be reached without an address', () => {
    const types = sourcesOf(everything, kinds, today).map(({ member }) => member.type);
    expect(types).not.toContain('azure_openai');
    expect(types).toContain('openrouter');
  });
});

describe('the text of a team', () => {
  it('reads like one that a person has written', () => {
    const members = proposedMembers(sourcesOf(everything, kinds, today), 2);
    const text = teamText(plan(members, [{ path: '.', permission: 'read' }]), 'Written by a test');
    expect(text).toBe(
      [
        '# Written by a test. Keys are found by name, never written here.',
        '# massgen --validate FILE checks it; configs/README.md has every key.',
        '',
        'name: A team',
        '',
        'agents:',
        '  - id: openai',
        '    backend:',
        '      type: openai',
        `      model: ${members[0]?.model ?? ''}`,
        '',
        '  - id: claude',
        '    backend:',
        '      type: claude',
        `      model: ${members[1]?.model ?? ''}`,
        '',
        'orchestrator:',
        '  profile: recommended',
        '  context_paths:',
        "    - path: '.'",
        '      permission: read',
        '',
        'limits:',
        '  duration_minutes: 30',
        '  model_calls: 60',
        '  cost_usd: 2',
        '',
      ].join('\n'),
    );
  });

  it.each(['no', 'yes', 'on', '1:30', '010', '1e3', '~', 'null', '- x', 'a: b', '#x', "it's", '"'])(
    'keeps %j as a text',
    (word) => {
      const member = { id: 'a', type: 'openai', model: 'gpt-6.2-sol', systemMessage: word };
      const text = teamText({ ...plan([member]), name: word }, 'Written by a test');
      const team = cleanTeam(text);
      expect([team.name, team.agents[0]?.systemMessage]).toEqual([word, word]);
    },
  );
});
