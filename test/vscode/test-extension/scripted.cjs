// Answers that a test lays out for one model, step by step, and the requests that came for them. Like providers that
// really exist it refuses requests that the services behind it would refuse.
//
// A step has one member:
//   text, thinking         some words
//   call                   [id, name, input]
//   data                   [MIME type, text], which no reader knows
//   unknown                a value of no class of the editor
//   fail                   { code } of the editor's own errors, or { name }, and { message }
//   hang                   silence that does not end by itself
//   pause                  silence until the test says `goOn`; the editor drops what was not read before a failure
const vscode = require('vscode');

exports.createScripts = () => {
  const scripts = new Map();
  return {
    of: (model) => scripts.get(model),
    /** `answers`: lists of steps, one for each request; the last one also answers what comes after it. */
    layOut(model, answers) {
      const script = createScript(answers);
      scripts.set(model, script);
      const { requests, settled, goOn } = script;
      return { requests, settled, goOn, end: () => scripts.delete(model) };
    },
  };
};

function createScript(answers) {
  const requests = [];
  const gone = [];
  const pause = Promise.withResolvers();
  return {
    requests,
    goOn: () => pause.resolve(),
    /** Resolves once every request was answered to its end or given up by who asked. */
    settled: async () => void (await Promise.all(gone)),
    async answer({ messages, options, progress, token }) {
      requests.push(messages.map((message) => message.content.map(toPlain)));
      check(messages, options);
      const cancelled = new Promise((resolve) => token.onCancellationRequested(resolve));
      const steps = answers[Math.min(requests.length, answers.length) - 1];
      const played = play(steps, progress, pause.promise);
      gone.push(Promise.race([played.catch(() => undefined), cancelled]));
      await played;
    },
  };
}

async function play(steps, progress, pause) {
  for (const [[kind, value]] of steps.map(Object.entries)) {
    switch (kind) {
      case 'text':
        progress.report(new vscode.LanguageModelTextPart(value));
        break;
      case 'thinking':
        progress.report(new vscode.LanguageModelThinkingPart(value));
        break;
      case 'call':
        progress.report(new vscode.LanguageModelToolCallPart(...value));
        break;
      case 'data':
        progress.report(vscode.LanguageModelDataPart.text(value[1], value[0]));
        break;
      case 'unknown':
        progress.report(value);
        break;
      case 'fail':
        throw failure(value);
      case 'pause':
        await pause;
        break;
      case 'hang':
        await new Promise(() => undefined);
        break;
      default:
        throw new Error(`there is no step ${kind}`);
    }
  }
}

function failure({ code, name, message }) {
  if (code !== undefined) {
    return vscode.LanguageModelError[code](message);
  }
  const error =
    name === 'ChatQuotaExceeded' ? new vscode.LanguageModelError(message) : new Error(message);
  error.name = name ?? error.name;
  return error;
}

function check(messages, { tools = [], toolMode }) {
  if (toolMode === vscode.LanguageModelChatToolMode.Required && tools.length > 1) {
    throw new Error('a call can be demanded of one tool only');
  }
  for (const { name, inputSchema } of tools) {
    if (!/^[\w-]{1,64}$/.test(name)) {
      throw new Error(`this is no name of a tool: ${name}`);
    }
    checkSchema(inputSchema, name);
  }
  checkCalls(messages);
}

/** What the services behind providers take of JSON Schema, all together. */
const taken = ['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf'];

function checkSchema(schema, place) {
  const unknown = Object.keys(schema).find(
    (name) => !taken.includes(name) && !(name === 'additionalProperties' && schema[name] === false),
  );
  if (unknown !== undefined) {
    throw new Error(`${place}: ${unknown} is not taken`);
  }
  if (Array.isArray(schema.type) || (schema.type === 'array' && schema.items === undefined)) {
    throw new Error(`${place}: this type is not taken: ${JSON.stringify(schema)}`);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    checkSchema(property, `${place}.${name}`);
  }
  for (const inner of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) {
    checkSchema(inner, `${place}[]`);
  }
}

/** Every call has its result in the next message, which has nothing else. */
function checkCalls(messages) {
  messages.forEach(({ content }, at) => {
    if (content.length === 0) {
      throw new Error('a message is empty');
    }
    const calls = idsOf(content, vscode.LanguageModelToolCallPart);
    const next = messages[at + 1]?.content ?? [];
    const results = idsOf(next, vscode.LanguageModelToolResultPart);
    const isWhole = calls.every((id) => results.includes(id)) && results.length === next.length;
    if (calls.length > 0 && !isWhole) {
      throw new Error('a call is not followed by its result');
    }
  });
}

function idsOf(content, type) {
  return content.filter((part) => part instanceof type).map(({ callId }) => callId);
}

/** What arrived, as data that a test can search. */
function toPlain(part) {
  if (part instanceof vscode.LanguageModelDataPart) {
    return { type: part.mimeType, base64: Buffer.from(part.data).toString('base64') };
  }
  return part instanceof vscode.LanguageModelToolResultPart
    ? { result: part.callId, content: part.content.map(toPlain) }
    : part;
}
