import * as vscode from 'vscode';
import { toParameters } from '../../backends/wire/tool-schema';
import type {
  ChatMessage,
  Media,
  ModelRequest,
  ToolCallResult,
} from '../../core/ports/model-backend';
import { imagePart } from './lm-abilities';

/** The editor's models know no system role: the system text leads the first message of the user. */
export function toLmMessages(request: ModelRequest): vscode.LanguageModelChatMessage[] {
  const system = vscode.LanguageModelChatMessage.User(request.system);
  return [system, ...request.messages.map(toLmMessage)];
}

export function toLmTools(request: ModelRequest): vscode.LanguageModelChatTool[] {
  return request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    // Providers hand it on to services that refuse much of what a schema may have.
    inputSchema: toParameters(inputSchema),
  }));
}

function toLmMessage(message: ChatMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'user':
      return withImages(message.text, message.media ?? []);
    case 'assistant':
      return vscode.LanguageModelChatMessage.Assistant([
        ...(message.text === '' ? [] : [new vscode.LanguageModelTextPart(message.text)]),
        ...message.toolCalls.map(
          (call) =>
            new vscode.LanguageModelToolCallPart(call.id, call.name, toObject(call.argumentsJson)),
        ),
      ]);
    case 'tool':
      return vscode.LanguageModelChatMessage.User(message.results.map(toResultPart));
  }
}

function withImages(text: string, media: readonly Media[]): vscode.LanguageModelChatMessage {
  const message = vscode.LanguageModelChatMessage.User(text);
  if (media.length > 0) {
    // The types of the oldest editor do not know such parts in a message.
    Reflect.set(message, 'content', [new vscode.LanguageModelTextPart(text), ...media.map(toPart)]);
  }
  return message;
}

function toResultPart({
  toolCallId,
  text,
  media = [],
}: ToolCallResult): vscode.LanguageModelToolResultPart {
  return new vscode.LanguageModelToolResultPart(toolCallId, [
    new vscode.LanguageModelTextPart(text),
    ...media.map(toPart),
  ]);
}

/** What the editor has no part for is named, so that the model knows of it. */
function toPart(media: Media): object {
  const words = `[${media.name} (${media.mediaType}) cannot be shown here]`;
  return imagePart(media) ?? new vscode.LanguageModelTextPart(words);
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
