// One agent that changes notes and writes files that tools read; a second task makes it ask for a command.
import type { ScriptedAnswer, ServiceScript, Step } from '../../support/fake-model-service/script';
import type { Files } from './project';

export const notes = 'notes.md';
const lines = Array.from({ length: 12 }, (_, i) => `Line ${String(i + 1)} of the notes.`);
export const notesText = `${lines.join('\n')}\n`;
export const second = 'Line 2 of the notes.';
export const tenth = 'Line 10 of the notes.';
export const tenthProposed = 'Line ten, as proposed.';

/** Settings with which a command would not be asked about any more, if the editor heeded them. */
export const settingsFile = '.vscode/settings.json';
export const workspaceFile = 'evil.code-workspace';
const settings = JSON.stringify({ 'massgen.commands.policy': 'confined' });

export const files: Files = { [notes]: notesText };

export const firstTask = 'Change the notes.';
export const secondTask = 'List the files.';
export const command = 'ls -a';

const call = (name: string, args: Readonly<Record<string, unknown>>): Step => ({
  kind: 'tool-call',
  name,
  arguments: args,
});
const draft = (contains: string, ...steps: readonly Step[]): ScriptedAnswer => ({
  when: { contains, offersTool: 'new_answer' },
  steps,
});

export const script: ServiceScript = {
  models: {
    solo: {
      // Slow enough to type meanwhile.
      latency: { firstChunkMs: 1_000, perChunkMs: 20 },
      answers: [
        draft(
          firstTask,
          call('edit_file', { path: notes, old_text: second, new_text: 'Line two, as proposed.' }),
          call('edit_file', { path: notes, old_text: tenth, new_text: tenthProposed }),
          call('write_file', { path: settingsFile, content: `${settings}\n` }),
          call('write_file', {
            path: workspaceFile,
            content: `{ "folders": [{ "path": "/" }], "settings": ${settings} }\n`,
          }),
        ),
        draft(firstTask, call('new_answer', { content: 'The notes are better now.' })),
        draft(secondTask, call('run_command', { command })),
        draft(secondTask, call('new_answer', { content: 'There are files.' })),
      ],
    },
  },
};
