// Language models of three families. What a model does is told by the last line of the last message:
//   say TEXT        streams the text in two parts
//   call NAME JSON  asks for a tool
//   blocked | no-permission | not-found | broken   fails in that way
//   too-long | wrapped | quota                     the same, as errors that the editor has no name for
//   gone-once       is not found the first time, then says so
//   empty           ends without a word
//   mode            says whether a call was demanded
//   hang            says nothing and never ends by itself
// As a member of a team it drafts, votes for agent1 when it may, and says the final text when it has no such tool.
// A test can also lay out the answers of a model: see scripted.cjs.
const vscode = require('vscode');
const { createScripts } = require('./scripted.cjs');

const { askMassGen } = require('./ask.cjs');

const families = ['alpha', 'beta', 'gamma'];

const scripts = createScripts();

let goneCalls = 0;

/** A folder that no disk has, `massgentest:/`, with one file. */
const noDisk = {
  onDidChangeFile: new vscode.EventEmitter().event,
  watch: () => new vscode.Disposable(() => undefined),
  stat: ({ path }) => {
    if (path !== '/' && path !== '/notes.txt') throw vscode.FileSystemError.FileNotFound(path);
    return { type: path === '/' ? 2 : 1, ctime: 0, mtime: 0, size: path === '/' ? 0 : 5 };
  },
  readDirectory: () => [['notes.txt', 1]],
  readFile: () => Buffer.from('notes'),
  writeFile: () => undefined,
  createDirectory: () => undefined,
  delete: () => undefined,
  rename: () => undefined,
};

exports.activate = (context) => {
  const changes = new vscode.EventEmitter();
  const state = { isEmpty: false };
  context.subscriptions.push(
    vscode.commands.registerCommand('massgenTests.ask', () => askMassGen(context.extension.id)),
    changes,
    vscode.workspace.registerFileSystemProvider('massgentest', noDisk),
    vscode.lm.registerLanguageModelChatProvider('massgen-tests', {
      onDidChangeLanguageModelChatInformation: changes.event,
      provideLanguageModelChatInformation: () => (state.isEmpty ? [] : families.map(describe)),
      provideLanguageModelChatResponse: respond,
      provideTokenCount: async (_model, text) =>
        typeof text === 'string' ? text.length : textOf(text).length,
    }),
    vscode.lm.registerTool('massgen_tests_echo', {
      invoke: async ({ input }, token) => {
        if (input.fail !== undefined) throw new Error(input.fail);
        if (input.hang !== undefined) {
          await new Promise((resolve) => token.onCancellationRequested(resolve));
          await new Promise(() => undefined);
        }
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(input.say)]);
      },
    }),
    vscode.commands.registerCommand('massgenTests.setEmpty', (isEmpty) => {
      state.isEmpty = isEmpty;
      changes.fire();
    }),
  );
  return { layOut: scripts.layOut };
};

const describe = (family) => ({
  id: `${family}-1`,
  name: `Test model ${family}`,
  family,
  version: '1',
  maxInputTokens: 8_000,
  maxOutputTokens: 1_000,
  capabilities: { toolCalling: true, imageInput: family === 'alpha' },
});

async function respond(model, messages, options, progress, token) {
  const script = scripts.of(model.id);
  if (script !== undefined) {
    await script.answer({ messages, options, progress, token });
    return;
  }
  const offered = (options.tools ?? []).map(({ name }) => name);
  if (offered.includes('vote') || offered.includes('new_answer')) {
    progress.report(memberCall(model, offered));
    return;
  }
  const lines = textOf(messages[messages.length - 1])
    .trim()
    .split('\n');
  const [order, ...rest] = lines[lines.length - 1].split(' ');
  switch (order) {
    case 'say': {
      const text = rest.join(' ');
      progress.report(new vscode.LanguageModelTextPart(text.slice(0, 3)));
      progress.report(new vscode.LanguageModelTextPart(text.slice(3)));
      return;
    }
    case 'call': {
      const [name, ...json] = rest;
      const isOffered = (options.tools ?? []).some((tool) => tool.name === name);
      const input = isOffered ? JSON.parse(json.join(' ')) : { refused: name };
      progress.report(new vscode.LanguageModelToolCallPart('call-1', name, input));
      return;
    }
    case 'blocked':
      throw vscode.LanguageModelError.Blocked('You ask too often.');
    case 'no-permission':
      throw vscode.LanguageModelError.NoPermissions('You said no.');
    case 'not-found':
      throw vscode.LanguageModelError.NotFound('The model has gone.');
    case 'broken':
      throw new Error('The provider has a bad day.');
    case 'too-long':
      throw new Error('prompt token count of 9000 exceeds the limit of 8000');
    case 'wrapped':
      throw new Error('It failed.', {
        cause: vscode.LanguageModelError.Blocked('You ask too often.'),
      });
    case 'quota': {
      const error = new vscode.LanguageModelError('The plan is used up.');
      error.name = 'ChatQuotaExceeded';
      throw error;
    }
    case 'gone-once':
      goneCalls += 1;
      if (goneCalls % 2 === 1) throw vscode.LanguageModelError.NotFound('It restarts.');
      progress.report(new vscode.LanguageModelTextPart('back'));
      return;
    case 'empty':
      return;
    case 'mode': {
      const isRequired = options.toolMode === vscode.LanguageModelChatToolMode.Required;
      progress.report(new vscode.LanguageModelTextPart(isRequired ? 'required' : 'auto'));
      return;
    }
    case 'hang':
      await new Promise((resolve) => token.onCancellationRequested(resolve));
      await new Promise(() => undefined);
      return;
    default:
      progress.report(new vscode.LanguageModelTextPart(JSON.stringify(messages.map(toPlain))));
  }
}

function memberCall({ family }, offered) {
  return offered.includes('vote')
    ? new vscode.LanguageModelToolCallPart('call-1', 'vote', {
        agent_id: 'agent1',
        reason: 'It reads well.',
      })
    : new vscode.LanguageModelToolCallPart('call-1', 'new_answer', {
        content: `Draft ${families.indexOf(family) + 1} of this team.`,
      });
}

function textOf(message) {
  return message.content
    .map((part) => {
      if (part instanceof vscode.LanguageModelTextPart) {
        return part.value;
      }
      return part instanceof vscode.LanguageModelToolResultPart
        ? part.content.map((each) => each.value ?? '').join('')
        : '';
    })
    .join('');
}

/** What arrived, as data that a test can compare. */
function toPlain(message) {
  const parts = message.content.map((part) => {
    if (part instanceof vscode.LanguageModelToolCallPart) {
      return { call: part.callId, name: part.name, input: part.input };
    }
    if (part instanceof vscode.LanguageModelToolResultPart) {
      const text = part.content.map((each) => each.value ?? each.mimeType).join('');
      return { result: part.callId, text };
    }
    if (part instanceof vscode.LanguageModelDataPart) {
      return { data: part.mimeType };
    }
    return { text: part.value };
  });
  return {
    role: message.role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant',
    parts,
  };
}
