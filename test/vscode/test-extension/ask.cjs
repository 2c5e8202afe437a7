// Another extension that gives MassGen a task, and writes what came of it into the open folder.
const { join } = require('node:path');
const { writeFileSync, renameSync } = require('node:fs');
const vscode = require('vscode');

exports.askMassGen = async (extensionId) => {
  const api = await vscode.extensions.getExtension('massgen.massgen').activate();
  const told = { apiVersion: api.apiVersion, events: [] };
  try {
    const run = api.run('Say something about this project.', { extensionId });
    for await (const { type } of run) {
      told.events.push(type);
    }
    const { outcome, finalAnswer, agents, changes } = await run;
    Object.assign(told, { outcome, finalAnswer, agents: agents.map(({ model }) => model) });
    told.apply = await changes.apply().catch(({ code, message }) => `${code}: ${message}`);
  } catch ({ name, code, message }) {
    Object.assign(told, { error: `${name} ${code}: ${message}` });
  }
  const file = join(vscode.workspace.workspaceFolders[0].uri.fsPath, 'told.json');
  writeFileSync(`${file}.new`, JSON.stringify(told));
  renameSync(`${file}.new`, file);
};
