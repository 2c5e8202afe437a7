import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RunHandle } from '../../app/app-contract';
import { playerOf } from '../../app/player-of';
import { formatCost } from '../../run/selectors/formats';
import { playerName } from '../../run/selectors/player-name';
import { revealHidden, revealOnOneLine } from '../../run/selectors/visible-text';
import { language } from '../language';
import { votesPage } from '../live-view/pages';
import { systemClock } from '../system-clock';
import { styled, type Terminal } from '../terminal';
import { contextCommand, folderLines } from './context-folders';
import type { Conversation } from './conversation';
import { applyChanges, printDiff } from './offer-changes';
import { type CommandName, slashCommands } from './slash-commands';

/** Does what a slash command says; `quit` is the caller's. */
export async function perform(
  talk: Conversation,
  name: Exclude<CommandName, 'quit'>,
  operand: string,
): Promise<void> {
  const { terminal, world } = talk.setting;
  switch (name) {
    case 'help': {
      printHelp(terminal);
      return;
    }
    case 'status': {
      printStatus(talk);
      return;
    }
    case 'team': {
      teamLines(talk).forEach((line) => terminal.write(`  ${line}\n`));
      return;
    }
    case 'context':
      return contextCommand(talk, operand);
    case 'config':
      return openConfig(talk);
    case 'reset':
      talk.reset();
      terminal.write('A new session begins with the next question. Earlier runs are kept.\n');
      return;
    case 'votes':
      return withLast(talk, (handle) => printVotes(handle, terminal));
    case 'answer':
      return withLast(talk, (handle) => printAnswer(handle, operand, terminal));
    case 'diff':
      return withLast(talk, (handle) => printDiff(handle, terminal, world.interrupted));
    case 'apply':
      return withLast(talk, (handle) => applyChanges(handle, terminal, world.interrupted));
  }
}

async function withLast(
  { last, setting }: Conversation,
  use: (handle: RunHandle) => void | Promise<void>,
): Promise<void> {
  if (last === undefined) {
    setting.terminal.write('There is no answer yet: ask the team something first.\n');
    return;
  }
  await use(last);
}

function printHelp(terminal: Terminal): void {
  for (const { name, aliases, operand, summary } of slashCommands) {
    const words = [`/${name}`, ...aliases.map((alias) => `/${alias}`)].join(', ');
    const usage = `${words}${operand === '' ? '' : ` ${operand}`}`;
    terminal.write(`  ${styled(usage.padEnd(30), 'cyan', terminal)} ${summary}\n`);
  }
  terminal.write(
    '\nEverything else is a question; // begins one with a slash. A question of several lines begins and ends with """,\n' +
      'or is pasted, or has Ctrl+J between its lines. Ctrl+C stops a turn; at an empty line, twice, it leaves.\n',
  );
}

function printStatus(talk: Conversation): void {
  const { terminal } = talk.setting;
  const { team, folders, turns, last, costUsd, hasUnknownCost } = talk;
  const cost = formatCost({ costUsd, unpricedCalls: hasUnknownCost ? 1 : 0 }, language);
  const lines: readonly (readonly [string, string])[] = [
    [
      'Team',
      `${team.name}, ${team.agents.length === 1 ? 'one agent' : `${team.agents.length} agents`}`,
    ],
    ['File', team.file ?? 'none'],
    ['Turns', String(turns)],
    ['Cost', cost],
    ['Session', last === undefined ? 'begins with the next question' : sessionOf(last)],
    ['Run files', last === undefined ? 'none yet' : last.artifactsDir],
  ];
  printFacts([...lines, ['Folders', folderLines(folders)]], terminal);
}

/** Names at the left, what they are at the right. */
export function printFacts(
  facts: readonly (readonly [name: string, text: string | readonly string[]])[],
  terminal: Terminal,
): void {
  for (const [name, text] of facts) {
    for (const [i, line] of [text].flat().entries()) {
      const title = styled((i === 0 ? name : '').padEnd(10), 'dim', terminal);
      terminal.write(`  ${title}${revealOnOneLine(line)}\n`);
    }
  }
}

export function sessionOf(handle: RunHandle): string {
  const { session, runId } = handle.state();
  return session?.sessionId ?? runId;
}

/** Who is in the team, one line each. */
export function teamLines({ team, setting: { app } }: Conversation): readonly string[] {
  return team.agents.map(({ id, backend }, i) =>
    revealOnOneLine(`${i + 1} ${id} (${playerName(playerOf(backend, app.backendKinds))})`),
  );
}

function printVotes(handle: RunHandle, terminal: Terminal): void {
  const size = { width: terminal.width, now: systemClock.now() };
  for (const line of votesPage(handle.state(), size)) {
    const text = line.map(({ text: part, style }) =>
      style === undefined ? part : styled(part, style, terminal),
    );
    terminal.write(`${text.join('')}\n`);
  }
}

function printAnswer(handle: RunHandle, operand: string, terminal: Terminal): void {
  const state = handle.state();
  const number = operand === '' ? undefined : Number(operand.replace(/^agent/i, ''));
  const agent = number === undefined ? undefined : state.agents[number - 1];
  if (number !== undefined && agent === undefined) {
    terminal.write(`There are the agents 1 to ${state.agents.length}.\n`);
    return;
  }
  const found = agent === undefined ? state.finalAnswer : agent.revisions.at(-1);
  if (found === null || found === undefined) {
    terminal.write('It has no answer.\n');
    return;
  }
  terminal.write(`${styled(found.label, 'bold', terminal)}\n${revealHidden(found.text)}\n`);
}

/** Opens the team file in the editor of the user; where none is named, says where the file is. */
async function openConfig(talk: Conversation): Promise<void> {
  const { terminal, world } = talk.setting;
  const { file } = talk.team;
  if (file === undefined) {
    terminal.write('No team file is in use. massgen --quickstart writes one.\n');
    return;
  }
  const written = world.environment['VISUAL'] ?? world.environment['EDITOR'] ?? '';
  const [editor, ...args] = written.split(' ').filter((word) => word !== '');
  if (editor === undefined) {
    terminal.write(`${revealOnOneLine(file)}\nWith VISUAL or EDITOR set, it is opened there.\n`);
    return;
  }
  const child = spawn(editor, [...args, file], { stdio: 'inherit', cwd: world.cwd });
  try {
    await once(child, 'exit');
    terminal.write('What is in the file now counts from the next question on.\n');
  } catch {
    terminal.write(`${editor} could not be started. The file is ${revealOnOneLine(file)}\n`);
  }
}
