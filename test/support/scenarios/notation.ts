// Reads the notation in which coordination scenarios are written.
import { readConfiguration } from './configuration';
import type { Configuration } from './configuration';
import { readStep } from './steps';
import type { ScriptStep } from './steps';

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly configuration: Configuration;
  /** By slot: what each agent's model does, one step per call. */
  readonly agents: readonly (readonly ScriptStep[])[];
  readonly expected: Expected;
}

export interface Expected {
  readonly trace: readonly string[];
  /** `undefined`: not stated. */
  readonly tally: string | undefined;
  readonly calls: string | undefined;
}

/** A scenario that cannot be read keeps its id and says why. */
export type Entry =
  | { readonly kind: 'scenario'; readonly scenario: Scenario }
  | { readonly kind: 'unreadable'; readonly id: string; readonly problem: string };

/** Takes the fenced `scenarios` blocks of a document, or else the whole text. */
export function readScenarios(text: string): readonly Entry[] {
  const fenced = [...text.matchAll(/^```scenarios[^\n]*\n(.*?)^```/gms)].map((block) => block[1]);
  const source = fenced.length > 0 ? fenced.join('\n') : text;
  return sections(source).map(readSection);
}

interface Section {
  readonly head: string;
  readonly body: string;
}

/** A line that begins in the first column begins a scenario; indented lines belong to it. */
function sections(source: string): readonly Section[] {
  const found: { head: string; body: string }[] = [];
  for (const line of source.split(/\r?\n/)) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) {
      continue;
    }
    const last = found.at(-1);
    if (/^\S/.test(line) && !line.startsWith('=>')) {
      found.push({ head: line.trim(), body: '' });
    } else if (last === undefined) {
      found.push({ head: '?', body: line });
    } else {
      last.body += `${line}\n`;
    }
  }
  return found;
}

function readSection({ head, body }: Section): Entry {
  const [id = '?'] = head.split(/\s/, 1);
  try {
    const at = head.lastIndexOf(' @ ');
    const title = (at < 0 ? head : head.slice(0, at)).slice(id.length).trim();
    const arrow = body.indexOf('=>');
    if (arrow < 0) {
      throw new Error('there is no line with "=>"');
    }
    const agents = body
      .slice(0, arrow)
      .split(';;')
      .map((agent, index) => readAgent(agent, index));
    const scenario: Scenario = {
      id,
      title,
      configuration: readConfiguration(at < 0 ? '' : head.slice(at + 3)),
      agents,
      expected: readExpected(body.slice(arrow + 2)),
    };
    return { kind: 'scenario', scenario };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { kind: 'unreadable', id, problem };
  }
}

function readAgent(text: string, index: number): readonly ScriptStep[] {
  const match = /^\s*([A-Z]):(.*)$/s.exec(text);
  if (match?.[1] !== agentLetter(index + 1)) {
    throw new Error(`agent ${agentLetter(index + 1)} was expected at "${text.trim()}"`);
  }
  return (match[2] ?? '').split('|').flatMap((step) => (step.trim() === '' ? [] : readStep(step)));
}

/** A for slot 1, B for slot 2 … */
export function agentLetter(slot: number): string {
  return String.fromCharCode(64 + slot);
}

function readExpected(text: string): Expected {
  const [trace = '', ...rest] = text.split(' | ').map((part) => part.replace(/\s+/g, ' ').trim());
  let tally: string | undefined;
  let calls: string | undefined;
  for (const part of rest) {
    const [name, value = ''] = part.split(/ (.*)/);
    if (name === 'tally') {
      tally = value;
    } else if (name === 'calls') {
      calls = value;
    } else {
      throw new Error(`unknown expectation "${part}"`);
    }
  }
  return { trace: trace.split(';').map(normalized), tally, calls };
}

/** Lists in brackets are sets: their order says nothing. */
function normalized(line: string): string {
  return line.trim().replace(
    /\[([^\]]*)\]/,
    (_all, list: string) =>
      `[${list
        .split(',')
        .map((x) => x.trim())
        .sort()
        .join(',')}]`,
  );
}
