import * as vscode from 'vscode';
import type { Media, ModelCapabilities } from '../../core/ports/model-backend';

/** What the editor tells of a model. Editors that are older than the API tell nothing, and then it takes no images. */
export function abilitiesOf(model: vscode.LanguageModelChat): ModelCapabilities {
  const hasImages = told(model, 'supportsImageToText') === true && makerOfImages() !== undefined;
  return {
    hasTools: told(model, 'supportsToolCalling') !== false,
    hasParallelToolCalls: true,
    ...(hasImages ? { media: ['image'] } : {}),
    contextWindowTokens: model.maxInputTokens,
    maxOutputTokens: undefined,
  };
}

function told(model: vscode.LanguageModelChat, ability: string): unknown {
  const abilities: unknown = Reflect.get(model, 'capabilities');
  return typeof abilities === 'object' && abilities !== null
    ? Reflect.get(abilities, ability)
    : undefined;
}

/** A part of a message for a picture; `undefined` where the editor has none, or for other media. */
export function imagePart({ kind, mediaType, base64 }: Media): object | undefined {
  const make = kind === 'image' ? makerOfImages() : undefined;
  const part = make?.(Uint8Array.from(Buffer.from(base64, 'base64')), mediaType);
  return typeof part === 'object' && part !== null ? part : undefined;
}

/** The class came later than the oldest editor that this runs in. */
function makerOfImages(): ((bytes: Uint8Array, mediaType: string) => unknown) | undefined {
  const type: unknown = Reflect.get(vscode, 'LanguageModelDataPart');
  const make: unknown = typeof type === 'function' ? Reflect.get(type, 'image') : undefined;
  return typeof make !== 'function'
    ? undefined
    : (bytes, mediaType): unknown => Reflect.apply(make, type, [bytes, mediaType]);
}
