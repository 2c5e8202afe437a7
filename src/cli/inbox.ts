// Messages to running agents from scripts: files in a folder, `inbox` beside a run's other files where none is named.
import { lstatSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AppParts, RunHandle } from '../app/app-contract';
import { type Disposable, toDisposable } from '../base/disposable';
import { parseLabel, type Slot } from '../base/ids';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { Terminal } from './terminal';

/** Often enough for a person, seldom enough to cost nothing. */
const pollMs = 2_000;
const mostBytes = 64 * 1024;

const messageShape = z.object({
  content: z.string().trim().min(1),
  /** Ids of the team file, or `agent2`; absent or empty: all agents. */
  target_agents: z.array(z.string()).nullish(),
});

type Inbox = Pick<RunHandle, 'state' | 'steer'>;

/**
 * Passes on `msg_*.json` files in the order of their names, each once: a file that was passed on ends in `.done`
 * afterwards, one that cannot be used in `.refused`. Writers must put whole files there, by renaming them.
 */
export function watchInbox(
  folder: string,
  run: Inbox,
  { clock, notes }: { readonly clock: AppParts['clock']; readonly notes: Terminal },
): Disposable {
  const passed = new Set<string>();
  const look = (): Disposable =>
    clock.after(pollMs, () => {
      readInbox(folder, run, { notes, passed });
      timer = look();
    });
  let timer = look();
  return toDisposable(() => timer.dispose());
}

interface Reading {
  readonly notes: Terminal;
  /** Messages that could not be renamed: the folder may be one that cannot be changed. */
  readonly passed: Set<string>;
}

function readInbox(folder: string, run: Inbox, { notes, passed }: Reading): void {
  for (const name of messagesIn(folder).filter((one) => !passed.has(one))) {
    const path = join(folder, name);
    const problem = pass(path, run);
    if (problem !== undefined) {
      notes.write(`The message ${revealOnOneLine(name)} was not passed on: ${problem}\n`);
    }
    try {
      renameSync(path, `${path}.${problem === undefined ? 'done' : 'refused'}`);
    } catch {
      passed.add(name);
    }
  }
}

function messagesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^msg_.*\.json$/.test(name))
      .sort();
  } catch {
    // Without the folder there are no messages.
    return [];
  }
}

/** Answers with what is wrong, a sentence for the user. */
function pass(path: string, run: Inbox): string | undefined {
  const message = messageShape.safeParse(contentOf(path));
  if (!message.success) {
    return 'it is no file of JSON with a text as content, of at most 64 KB.';
  }
  const { content, target_agents: names } = message.data;
  const slots = names?.map((name) => slotOf(name, run)) ?? [];
  const unknown = names?.find((_name, i) => slots[i] === undefined);
  if (unknown !== undefined) {
    return `there is no agent ${JSON.stringify(unknown)}.`;
  }
  const targets = slots.flatMap((slot) => slot ?? []);
  return run.steer(content, targets.length === 0 ? null : targets) ? undefined : 'the run is over.';
}

function contentOf(path: string): unknown {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= mostBytes
      ? JSON.parse(readFileSync(path, 'utf8'))
      : undefined;
  } catch {
    return undefined;
  }
}

function slotOf(name: string, { state }: Inbox): Slot | undefined {
  const { agents } = state();
  const byId = agents.find(({ info }) => info.id === name)?.info.slot;
  const label = parseLabel(name);
  const bySlot = label?.n === undefined ? label?.slot : undefined;
  return byId ?? agents.find(({ info }) => info.slot === bySlot)?.info.slot;
}
