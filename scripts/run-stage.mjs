// Runs one stage of the tests, streams what it prints, and counts its tests.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { processTree } from '../test/vscode/processes.mjs';

const root = resolve(import.meta.dirname, '..');

/**
 * A command that prints nothing for this time (ms) hangs: it is ended and counts as failed. How long it takes in all
 * tells only how busy the machine is; the tests in it have limits of their own.
 */
const SILENCE = 10 * 60_000;

/** So much of a failure is said again at the end of all stages. */
const FAILURE_LINES = 16;

/** The end of what a command printed, kept for a failure that no test explains. */
const ENDING_LINES = 40;

/** What a command printed last, kept for a failure that its report names and does not explain. */
const KEPT_LINES = 600;

/**
 * `{ passed, failed, skipped, failures }`; `skipped` lists names, `failures` names with the first
 * lines of their messages. Every line of output is written with the
 * stage's name before it, so that no line of a tool can be taken for the closing line.
 */
export async function runStage(stage, write) {
  const reason = stage.skip?.();
  if (reason !== undefined) {
    const skipped = testNames(stage).map((test) => `${test} (${reason})`);
    return { passed: 0, failed: 0, skipped, failures: [] };
  }
  if (stage.report !== undefined) {
    rmSync(stage.report, { force: true });
  }
  let ok = true;
  const ending = [];
  const onLine = (line) => {
    write(`${stage.name} | ${line}`);
    ending.push(line);
    ending.splice(0, ending.length - KEPT_LINES);
  };
  const commands = typeof stage.commands === 'function' ? stage.commands() : stage.commands;
  for (const command of commands) {
    ok &&= await runCommand(command, onLine, stage.silence ?? SILENCE);
  }
  if (stage.report !== undefined) {
    return countReport(stage.report, ok, ending);
  }
  const failures = ok ? [] : [`its command${firstLines(ending.slice(-ENDING_LINES).join('\n'))}`];
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [], failures };
}

/** Tools write no color codes into a log. */
function plainEnvironment() {
  const { FORCE_COLOR: _, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1' };
}

/** Resolves with true when the command ended with exit code 0. */
function runCommand([command, ...args], onLine, silence) {
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: plainEnvironment(),
  });
  const endAll = () => endTree(child);
  const timer = setTimeout(() => {
    onLine(`nothing was printed for ${silence / 60_000} minutes`);
    endAll();
  }, silence);
  process.once('exit', endAll);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      timer.refresh();
      onLine(line);
    });
  }
  return new Promise((done) => {
    const finish = (ok) => {
      clearTimeout(timer);
      endAll();
      process.removeListener('exit', endAll);
      done(ok);
    };
    child.on('error', (error) => {
      onLine(error.message);
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
  });
}

/**
 * Ends what is left of a process group and, while the process itself runs, all that it started in
 * groups of their own (servers, browsers).
 */
function endTree(child) {
  const runs = child.exitCode === null && child.signalCode === null && existsSync('/proc');
  const under = runs ? processTree(child.pid).map(({ pid }) => pid) : [];
  for (const pid of [-child.pid, ...under]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }
}

/**
 * Reads vitest's report (the integration suite writes the same form). A file that could not be
 * loaded counts as one failure, and so does a bad exit code that no test explains.
 */
function countReport(file, ok, ending) {
  const counts = { passed: 0, failed: 0, skipped: [], failures: [] };
  const fail = (name, message, limit) => {
    counts.failed += 1;
    counts.failures.push(`${name}${firstLines(message, limit)}`);
  };
  const suites = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : [];
  for (const { name, status, message, assertionResults } of suites) {
    for (const { status: outcome, fullName, failureMessages } of assertionResults) {
      if (outcome === 'passed') {
        counts.passed += 1;
      } else if (outcome === 'failed') {
        fail(fullName.trim(), failureMessages?.join('\n'), FAILURE_LINES);
      } else {
        counts.skipped.push(fullName.trim());
      }
    }
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
      fail(nameOf(name), message || printedAbout(nameOf(name), ending), FAILURE_LINES);
    }
  }
  if (!ok && counts.failed === 0) {
    fail(
      'its command ended with an error that no test explains',
      ending.slice(-ENDING_LINES).join('\n'),
    );
  }
  return counts;
}

/** A failure around the tests of a file (a hook of a `describe`) is in no report: what was printed of it. */
function printedAbout(name, lines) {
  const start = lines.findLastIndex((line) => /^\s*FAIL\s/.test(line) && line.includes(name));
  return start < 0 ? '' : lines.slice(start + 1).join('\n');
}

/** The first lines of a failure, indented: enough to know it by where only the end is kept. */
function firstLines(message = '', limit = ENDING_LINES) {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(0, limit)
    .map((line) => `\n    ${line.trimEnd().slice(0, 240)}`)
    .join('');
}

/** The names of a stage's tests without running them, or the stage's own when it has no list. */
function testNames(stage) {
  const [command, ...args] = stage.list ?? [];
  if (command === undefined) {
    return [stage.name];
  }
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  try {
    const names = JSON.parse(result.stdout).map((test) => test.name);
    return names.length > 0 ? names : [`all tests of ${stage.name}`];
  } catch {
    return [`all tests of ${stage.name}`];
  }
}

/** A file of tests, from the top of the project. */
function nameOf(file = 'a file of tests') {
  return isAbsolute(file) ? relative(root, file) : file;
}
