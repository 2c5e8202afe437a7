import * as assert from 'node:assert/strict';
import { suite, suiteSetup, test } from 'mocha';
import * as vscode from 'vscode';
import { backendChecks } from '../../contract/backend-checks';
import { type TestModels, stageOfEditorModels } from './language-models-stage';

suite('a model behind vscode_lm', () => {
  let models: TestModels | undefined;
  const stage = stageOfEditorModels({
    layOut: (model, answers) => {
      assert.ok(models, 'the provider of the test models is not there');
      return models.layOut(model, answers);
    },
  });

  suiteSetup(async () => {
    const provider = vscode.extensions.getExtension<TestModels>(
      'massgen-tests.massgen-test-models',
    );
    models = await provider?.activate();
    while ((await vscode.lm.selectChatModels({ vendor: 'massgen-tests' })).length === 0) {
      // The editor tells about new models some time after they were registered.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  for (const { title, reasonAgainst, run } of backendChecks) {
    const reason = reasonAgainst(stage);
    if (reason === undefined) {
      test(title, async () => run(stage));
    } else {
      test.skip(`${title}; not here: ${reason}`);
    }
  }
});
