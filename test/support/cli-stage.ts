// The built command with a home of its own, teams in a folder of theirs, and a scripted service.
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliResult, finished, type InstalledCli, startCli } from './built-cli';
import {
  type FakeModelService,
  startFakeModelService,
} from './fake-model-service/fake-model-service';
import type { ScriptedAnswer } from './fake-model-service/script';
import type { ServiceClock } from './fake-model-service/service-clock';

export class CliStage {
  readonly home = mkdtempSync(join(tmpdir(), 'massgen-stage-'));
  readonly project = join(this.home, 'project');
  readonly temp = join(this.home, 'tmp');
  readonly storage = join(this.home, '.local/share/massgen');
  readonly registry = join(this.home, '.massgen/sessions.json');
  readonly #install: InstalledCli;
  readonly #services: FakeModelService[] = [];
  #teams = 0;

  constructor(install: InstalledCli) {
    this.#install = install;
    mkdirSync(this.project);
    mkdirSync(this.temp);
  }

  /** A team with one agent for each model of the script, named like it; `rest`: further blocks of the file. */
  async team(
    models: Readonly<Record<string, readonly ScriptedAnswer[]>>,
    rest = '',
    clock?: ServiceClock,
  ): Promise<{ readonly file: string; readonly service: FakeModelService }> {
    const scripts = Object.fromEntries(
      Object.entries(models).map(([model, answers]) => [model, { answers }]),
    );
    const service = await startFakeModelService({ models: scripts }, clock);
    this.#services.push(service);
    const agents = Object.keys(models).map(
      (id) =>
        `  - {id: ${id}, backend: {type: chatcompletion, model: ${id}, base_url: "${service.baseUrl}"}}`,
    );
    this.#teams += 1;
    const file = join(this.home, `team-${this.#teams}.yaml`);
    writeFileSync(file, `agents:\n${agents.join('\n')}\n${rest}`);
    return { file, service };
  }

  start(
    args: readonly string[],
    { cwd = this.project, environment = {} }: Partial<Parameters<typeof startCli>[2]> = {},
  ): ChildProcess {
    const own = { HOME: this.home, TMPDIR: this.temp, ...environment };
    return startCli(this.#install, args, { cwd, environment: own });
  }

  async massgen(...args: readonly string[]): Promise<CliResult> {
    return finished(this.start(args));
  }

  async massgenIn(cwd: string, ...args: readonly string[]): Promise<CliResult> {
    return finished(this.start(args, { cwd }));
  }

  /** What the product has left in the temporary folder. */
  leftovers(): readonly string[] {
    return readdirSync(this.temp).filter((name) => name.startsWith('massgen-'));
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.close()));
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Words of a model that plays by what it was shown. */
export const words = {
  answer: (content: string): ScriptedAnswer => ({
    isRepeated: true,
    steps: [{ kind: 'tool-call', name: 'new_answer', arguments: { content } }],
  }),
  /** Once all these answers are shown to it. */
  vote: (shown: string, agent: string, reason = 'It is right.'): ScriptedAnswer => ({
    when: { contains: shown, offersTool: 'vote' },
    isRepeated: true,
    steps: [{ kind: 'tool-call', name: 'vote', arguments: { agent_id: agent, reason } }],
  }),
  present: (shown: string, text: string): ScriptedAnswer => ({
    when: { contains: shown, withholdsTool: 'vote' },
    isRepeated: true,
    steps: [{ kind: 'text', text }],
  }),
  hang: { isRepeated: true, steps: [{ kind: 'hang' }] } satisfies ScriptedAnswer,
};
