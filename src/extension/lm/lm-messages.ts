import * as vscode from 'vscode';
import type { ChatMessage, ModelRequest } from '../../core/ports/model-backend';

/** The editor's models know no system role: the system text leads the first message of the user. */
export function toLmMessages(request: ModelRequest): vscode.LanguageModelChatMessage[] {
  const system = vscode.LanguageModelChatMessage.User(request.system);
  return [system, ...request.messages.map(toLmMessage)];
}

export function toLmTools(request: ModelRequest): vscode.LanguageModelChatTool[] {
  return request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
}

function toLmMessage(message: ChatMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'user':
      return vscode.LanguageModelChatMessage.User(message.text);
    case 'assistant':
      return vscode.LanguageModelChatMessage.Assistant([
        ...(message.text === '' ? [] : [new vscode.LanguageModelTextPart(message.text)]),
        ...message.toolCalls.map(
          (call) =>
            new vscode.LanguageModelToolCallPart(call.id, call.name, toObject(call.argumentsJson)),
        ),
      ]);
    case 'tool':
      return vscode.LanguageModelChatMessage.User(
        message.results.map(
          (result) =>
            new vscode.LanguageModelToolResultPart(result.toolCallId, [
              new vscode.LanguageModelTextPart(result.text),
            ]),
        ),
      );
  }
}

/** The arguments as the object that the editor wants; malformed ones are kept as text for the model to see. */
function toObject(argumentsJson: string): object {
  try {
    const value: unknown = JSON.parse(argumentsJson);
    return typeof value === 'object' && value !== null ? value : { value };
  } catch {
    return { text: argumentsJson };
  }
}
