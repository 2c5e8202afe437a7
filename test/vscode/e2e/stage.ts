// What the tests of one `describe` play on: a real VS Code, and for most of them a project with a team of scripted models.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, onTestFailed } from 'vitest';
import {
  type FakeModelService,
  startFakeModelService,
} from '../../support/fake-model-service/fake-model-service';
import type { ServiceScript } from '../../support/fake-model-service/script';
import type { ServiceClock } from '../../support/fake-model-service/service-clock';
import { startSession } from '../session.mjs';
import { type TeamOptions, teamFile } from './fake-team';
import { pictures } from './panel';
import { type Files, type Project, makeProject } from './project';

type Session = Awaited<ReturnType<typeof startSession>>;

/** What is there from `beforeAll` to `afterAll` of the `describe` that asked for it. */
export interface Stage {
  readonly session: Session;
}

export interface ServiceStage extends Stage {
  readonly service: FakeModelService;
}

export interface TeamStage extends ServiceStage {
  /** Is there at once, without the team file. */
  readonly project: Project;
  /** The window in which the project is open. */
  readonly page: Page;
}

type SessionOptions = NonNullable<Parameters<typeof startSession>[0]>;

/** Starts VS Code for a `describe`, and ends it; keeps a picture of each window when one of the tests fails. */
export function stage(options: SessionOptions = {}): Stage {
  let session: Session | undefined;
  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    session = await startSession(options);
  });
  afterAll(async () => {
    await session?.close();
  });
  beforeEach(({ task }) => {
    onTestFailed(async () => {
      for (const [i, page] of (session?.context.pages() ?? []).entries()) {
        const name = task.name.replace(/\W+/g, '-').slice(0, 60);
        await page.screenshot({ path: join(pictures, `failed-${name}-${String(i)}.png`) });
      }
    });
  });
  return {
    get session() {
      return there(session);
    },
  };
}

/** The same with models that answer by a script. */
export function serviceStage(
  script: ServiceScript,
  options: SessionOptions & { readonly clock?: ServiceClock } = {},
): ServiceStage {
  const { clock, ...sessionOptions } = options;
  let service: FakeModelService | undefined;
  beforeAll(async () => {
    service = await startFakeModelService(script, clock);
  });
  afterAll(async () => {
    await service?.close();
  });
  const outer = stage(sessionOptions);
  return {
    get session() {
      return outer.session;
    },
    get service() {
      return there(service);
    },
  };
}

/**
 * The same with a project that has a team file, open in a window. `spoil` changes the text of the file, `files` are
 * committed in the project.
 */
export function teamStage(
  script: ServiceScript,
  options: SessionOptions & {
    readonly clock?: ServiceClock;
    readonly team?: TeamOptions;
    readonly files?: Files;
    readonly spoil?: (text: string) => string;
  } = {},
): TeamStage {
  const { team, files, spoil = (text: string) => text, ...others } = options;
  const project = makeProject(files);
  let page: Page | undefined;
  afterAll(() => project.remove());
  const outer = serviceStage(script, others);
  beforeAll(async () => {
    const text = spoil(teamFile(outer.service.baseUrl, team));
    writeFileSync(join(project.folder, 'team.massgen.yaml'), text);
    page = await outer.session.open(project.folder);
  });
  return {
    project,
    get session() {
      return outer.session;
    },
    get service() {
      return outer.service;
    },
    get page() {
      return there(page);
    },
  };
}

function there<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('this is there only while the tests of its describe run');
  }
  return value;
}
