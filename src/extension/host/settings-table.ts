// Every setting of the editor, in the order in which people see them. The manifest, its texts and the reference are made
// from this table, and the product reads its settings through it: no default is written a second time.
import {
  choice,
  flag,
  growingList,
  limit,
  line,
  list,
  safeguard,
  type Setting,
  textsByName,
} from './setting-kinds';

const ofUser = 'Only your own settings count, not those of a project.';
const addsOnly = 'A project can add to it and take nothing away.';
const always = 'Runs at work and runs with undecided files are always kept. `null`: no limit.';
const window = { scope: 'window', isRestricted: true } as const;
const kept = { scope: 'application', ifUnusable: null } as const;
const onlyUser = { scope: 'machine' } as const;

export const settingsTable = {
  team: line({
    ...window,
    text: 'Team file that new runs use until another team is chosen in the run panel: an absolute path, or a path relative to the first folder of the window. What a run may use is set by `#massgen.limits.costUsd#` and its neighbors.',
  }),
  'limits.durationMinutes': limit(30, {
    ...{ ...window, minimum: 1, maximum: 1440 },
    text: 'A run that takes longer (in minutes) makes no new model calls and votes with what there is. A team file may state its own `limits`. `null`: no limit.',
  }),
  'limits.modelCalls': limit(60, {
    ...{ ...window, minimum: 1, maximum: 10_000 },
    text: 'A run that has made this many model calls makes no new ones and votes with what there is. A team file may state its own `limits`. `null`: no limit.',
  }),
  'limits.costUsd': limit(2, {
    ...{ ...window, minimum: 0.01, maximum: 1000 },
    text: 'A run that has cost this much (in US dollars, counting calls whose price is known) makes no new calls and votes with what there is. Where prices are not known, `#massgen.limits.modelCalls#` holds. `null`: no limit.',
  }),
  'review.saveAfterAccept': flag(true, {
    scope: 'window',
    text: 'Save an open file after Accept or Undo Accept changed it, if it had no unsaved changes before.',
  }),
  'review.commitTrailers': flag(false, {
    scope: 'window',
    text: 'Add a line `MassGen-Answer: agent2.1 (model)` for each answer that changes come from to the message of Commit Accepted Files.',
  }),
  'privacy.localModelsOnly': safeguard({
    scope: 'window',
    text: 'Refuse teams that would send the task or code to another machine: models, agent programs and servers of tools must be on this one. The panel says who is in the way. It holds when you or the project want it.',
  }),
  'privacy.hide': growingList({
    scope: 'window',
    text: `Patterns of files and folders that no agent sees, neither with its tools nor with its commands, e.g. \`customers/\` or \`*.dump\`; as in a \`.massgenignore\`, and in every folder of the window. Files with secrets are hidden in any case. ${addsOnly}`,
  }),
  'commands.policy': choice('confined', {
    ...onlyUser,
    choices: {
      confined:
        "Commands that are confined to the agent's own copy run without asking; where they cannot be confined, each asks first.",
      ask: 'Each command asks first, confined or not.',
      off: 'Agents run no commands.',
    },
    // The safest that still works.
    ifUnusable: 'ask',
    text: `Which commands of agents run without asking. A command that you have allowed in this workspace runs in any case but \`off\`. What commands cannot see is set by \`#massgen.privacy.hide#\`. ${ofUser}`,
  }),
  'programs.paths': textsByName({
    ...onlyUser,
    text: `Whole paths of agent programs on this machine by type, e.g. \`{ "claude_code": "/opt/claude/bin/claude" }\`, for programs that are not on PATH. A team file that names its own \`command\` keeps it. ${ofUser}`,
  }),
  'mcp.enabled': flag(true, {
    ...onlyUser,
    text: `Whether agents get the servers of tools (MCP) that their team file names. Off: no such server is started or reached. ${ofUser}`,
  }),
  'mcp.useEditorServers': flag(false, {
    ...onlyUser,
    text: `Whether agents also get the servers of the project's \`.vscode/mcp.json\`; never while \`#massgen.mcp.enabled#\` is off. Before the first run you are shown what they start, and again when the file changes. ${ofUser}`,
  }),
  'tools.editor': list({
    scope: 'application',
    text: `Names of tools of the editor and its extensions (\`vscode.lm.tools\`) that agents may use. What they do is not known to MassGen and not confined; the editor asks before those that want it. ${ofUser}`,
  }),
  projectInstructions: flag(true, {
    ...window,
    text: "Give the agents the project's own instructions (`AGENTS.md`, `CLAUDE.md`, `.github/copilot-instructions.md`). They are shown in the run, and never grant a permission.",
  }),
  'logs.location': choice('storage', {
    ...window,
    choices: {
      storage: 'With the data of the extension; nothing is added to the project.',
      project: 'In `.massgen/massgen_logs/` of the first folder, which git is told to ignore.',
    },
    text: 'Where the readable files of a run are kept (answers, votes, events, tables). The log that the panel reads is always kept with the data of the extension; for how long is set by `#massgen.storage.keepDays#`.',
  }),
  'terminal.command': flag(true, {
    ...onlyUser,
    text: `Put \`massgen\`, the command line of this extension, on PATH in the terminals of the editor, in front of another one of that name. ${ofUser}`,
  }),
  'storage.keepRuns': limit(200, {
    ...{ ...kept, minimum: 1, maximum: 100_000 },
    text: `So many runs are kept; older ones are removed when a window shows the panel first. ${always}`,
  }),
  'storage.keepDays': limit(90, {
    ...{ ...kept, minimum: 1, maximum: 3650 },
    text: `Runs are removed after so many days. ${always}`,
  }),
  'storage.maxGigabytes': limit(10, {
    ...{ ...kept, minimum: 0.1, maximum: 10_000 },
    text: `When the stored runs take more than this (in gigabytes), the oldest are removed. ${always}`,
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

type Table = typeof settingsTable;

/** Without the `massgen.` in front. */
export type SettingName = keyof Table;

export type SettingValue<N extends SettingName> = ReturnType<Table[N]['parse']>;

/** What the editor holds for one setting. */
export interface HeldValues {
  /** What counts for the editor. */
  readonly effective: unknown;
  /** What each place says, from the default to the project; `undefined` where it says nothing. */
  readonly byPlace: readonly unknown[];
}

/** The value that counts for the product. */
export function settingFrom<T>(setting: Setting<T>, { effective, byPlace }: HeldValues): T {
  if (setting.strictest === undefined) {
    return setting.parse(effective);
  }
  const said = [effective, ...byPlace].filter((value) => value !== undefined);
  return setting.strictest(said.map((value) => setting.parse(value)));
}
