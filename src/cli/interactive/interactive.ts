import type { CliOptions } from '../invocation';
import { type ExitCode, exitCodes } from '../exit-codes';
import { failureOf, UsageError } from '../failure';
import { storageDirOf, withApp } from '../open-app';
import { revealHidden, revealOnOneLine } from '../../run/selectors/visible-text';
import { withPassingStorage } from '../no-logs';
import { styled, type Terminal } from '../terminal';
import type { World } from '../world';
import { perform, printFacts, sessionOf, teamLines } from './commands';
import { askForFolder, folderLines } from './context-folders';
import { Conversation, type Setting } from './conversation';
import { Prompt } from './prompt';
import { complete, readInput } from './slash-commands';
import { planTurn, playTurn } from './turn';

/**
 * Talks with a person: question by question, each a turn of one session. Throws `UsageError` where there is no terminal
 * and for everything about the team that the user can mend.
 */
export async function interactive(options: CliOptions, world: World): Promise<ExitCode> {
  const { screen } = world.output;
  if (!world.input.isInteractive || screen === undefined) {
    throw new UsageError(
      'There is no task, and no terminal to ask for one.',
      'Give it in quotes: massgen "Fix the failing test".',
    );
  }
  const quiet = { ...world, notes: onceEach(world.notes) };
  const prompt = new Prompt({ keyboard: world.input, screen, complete });
  const open = (storageDir: string): Promise<ExitCode> => {
    const { debug, noLogs, noSessionRegistry } = options;
    const place = { storageDir, debug, isListed: !noSessionRegistry, isKept: !noLogs };
    return withApp(place, quiet, (app) =>
      converse({ app, options, world: quiet, storageDir, prompt, terminal: world.output }),
    );
  };
  return options.noLogs ? withPassingStorage(open) : open(storageDirOf(options, world));
}

/** The team file is read for each turn; what it warns of is told once. */
function onceEach(notes: Terminal): Terminal {
  const told = new Set<string>();
  return {
    ...notes,
    write(text) {
      if (!told.has(text) || text.trim() === '') {
        told.add(text);
        notes.write(text);
      }
    },
  };
}

async function converse(setting: Setting): Promise<ExitCode> {
  const { world, terminal } = setting;
  const talk = await begin(setting);
  let wasInterrupted = false;
  while (!world.interrupted.aborted) {
    terminal.write('\n');
    const typed = await setting.prompt.ask(promptOf(talk), world.interrupted);
    if (typed.kind === 'end') {
      break;
    }
    if (typed.kind === 'interrupt') {
      if (typed.wasEmpty && wasInterrupted) {
        break;
      }
      wasInterrupted = typed.wasEmpty;
      terminal.write(typed.wasEmpty ? 'Press Ctrl+C again, or Ctrl+D, to leave.\n' : '');
      continue;
    }
    wasInterrupted = false;
    if ((await answer(talk, typed.text)) === 'leave') {
      break;
    }
  }
  return leave(talk);
}

/** Reads the team before anything is asked, so that what is wrong with it is told at once. */
async function begin(setting: Setting): Promise<Conversation> {
  const { terminal, app, world } = setting;
  const talk = new Conversation(setting, await app.offlineTeam());
  const plan = await planTurn(talk, 'What comes next');
  await plan.cleanUp();
  terminal.write(`${styled(`MassGen ${world.version}`, 'bold', terminal)}\n`);
  const { team, folders } = talk;
  const { follows } = plan.request;
  const facts: readonly (readonly [string, string | readonly string[]])[] = [
    ['Team', team.file === undefined ? team.name : [team.name, team.file]],
    ['Agents', teamLines(talk)],
    ['Folders', folderLines(folders)],
    ...(follows === undefined ? [] : [['Goes on', `from run ${follows}`] as const]),
  ];
  printFacts(facts, terminal);
  terminal.write('\n');
  await askForFolder(talk);
  terminal.write('\nAsk the team anything. /help lists the commands, Ctrl+D leaves.\n');
  return talk;
}

function promptOf({ turns, setting: { terminal } }: Conversation): string {
  return `${styled(`[${turns + 1}]`, 'dim', terminal)} ${styled('>', 'bold', terminal)} `;
}

async function answer(talk: Conversation, line: string): Promise<'leave' | 'stay'> {
  const { terminal } = talk.setting;
  const input = readInput(line);
  switch (input.kind) {
    case 'empty':
      terminal.write('Write a question, or /help.\n');
      break;
    case 'unknown': {
      const hint =
        input.likely === undefined ? '/help lists the commands' : `Did you mean /${input.likely}?`;
      terminal.write(`There is no command /${revealOnOneLine(input.word)}. ${hint}\n`);
      break;
    }
    case 'command':
      if (input.name === 'quit') {
        return 'leave';
      }
      await guarded(talk, perform(talk, input.name, input.operand));
      break;
    case 'question':
      await guarded(talk, playTurn(talk, input.text));
      break;
  }
  return 'stay';
}

/** What goes wrong in a turn is told, and the prompt comes back. */
async function guarded(
  { setting: { terminal } }: Conversation,
  work: Promise<void>,
): Promise<void> {
  try {
    await work;
  } catch (error) {
    const { message, hint } = failureOf(error);
    terminal.write(`${styled(revealHidden(message), 'red', terminal)}\n`);
    terminal.write(hint === undefined ? '' : `${revealHidden(hint)}\n`);
  }
}

function leave(talk: Conversation): ExitCode {
  const { world, terminal, options } = talk.setting;
  if (talk.last !== undefined && !options.noLogs) {
    const id = sessionOf(talk.last);
    terminal.write(`\nGo on later: massgen --session-id ${id}\n`);
  }
  return world.interrupted.aborted ? exitCodes.interrupted : exitCodes.done;
}
