// What people know from MassGen and what is not here: it is refused by name, never ignored.

interface Elsewhere {
  readonly names: readonly string[];
  /** What does the same, or what to do instead: a whole sentence. */
  readonly instead: string;
}

const optionsElsewhere: readonly Elsewhere[] = [
  {
    names: [
      ...['web', 'web-port', 'web-host', 'no-browser', 'web-review', 'web-quickstart'],
      ...['textual-serve', 'textual-serve-port'],
    ],
    instead: 'In the terminal --display rich shows a run, in VS Code the panel with its review.',
  },
  {
    names: [
      ...['plan', 'plan-depth', 'plan-thoroughness', 'plan-steps', 'plan-chunks'],
      ...['plan-and-execute', 'execute-plan', 'spec', 'execute-spec'],
    ],
    instead: 'Ask for a plan as the task, read it, and let it be done with --continue.',
  },
  {
    names: ['broadcast'],
    instead: 'Agents see the answers of one another; --inbox-dir passes messages to them.',
  },
  {
    names: ['step', 'session-dir'],
    instead:
      'massgen resume goes on with a run that was cut off, --continue with one that has ended.',
  },
  {
    names: ['eval-criteria', 'checklist-criteria-preset'],
    instead: 'checks in the team file, or --check, say what must hold in every answer.',
  },
  {
    names: ['personas'],
    instead: 'system_message of an agent in the team file says who it is.',
  },
  {
    names: ['save-streaming-buffers'],
    instead: 'Leave it out: every run keeps all that was said, and massgen replay shows it.',
  },
  {
    names: ['logfire'],
    instead: '--stream-events prints every event of the run as JSON.',
  },
  {
    names: ['skip-agent-selector'],
    instead: 'Leave it out: nobody is asked which agents play.',
  },
  {
    names: ['setup-docker', 'setup-skills'],
    instead: 'Nothing has to be installed: the system itself confines commands.',
  },
];

const commandsElsewhere: readonly Elsewhere[] = [
  {
    names: ['serve'],
    instead: 'Programs call run() of the package massgen, scripts massgen --automation.',
  },
  {
    names: ['shares'],
    instead: 'Nothing is uploaded from here; massgen export RUN writes a run to this disk.',
  },
];

/** What to do instead of `--name`; `undefined` when it is no option of MassGen either. */
export function insteadOfOption(name: string): string | undefined {
  return optionsElsewhere.find(({ names }) => names.includes(name))?.instead;
}

export function insteadOfCommand(name: string): string | undefined {
  return commandsElsewhere.find(({ names }) => names.includes(name))?.instead;
}

export const namesElsewhere: readonly string[] = optionsElsewhere.flatMap(({ names }) => names);
