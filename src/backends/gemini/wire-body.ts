// The body of a request, as far as this product writes it.

/** Sets exactly one of its members beside the marks. Parts that the service wrote are handed back as they came. */
export type WirePart = Readonly<Record<string, unknown>>;

export interface WireContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly WirePart[];
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema?: unknown;
  readonly parameters?: unknown;
}

export type WireTool =
  | { readonly functionDeclarations: readonly FunctionDeclaration[] }
  | { readonly googleSearch: Readonly<Record<string, never>> }
  | { readonly codeExecution: Readonly<Record<string, never>> };

export interface GeminiBody {
  /** Part of the address, not of the body. */
  readonly model: string;
  readonly content: {
    readonly contents: readonly WireContent[];
    readonly systemInstruction?: { readonly parts: readonly WirePart[] };
    readonly tools?: readonly WireTool[];
    readonly toolConfig?: { readonly includeServerSideToolInvocations: true };
    readonly generationConfig?: Readonly<Record<string, unknown>>;
    readonly safetySettings?: unknown;
    /** Where an answer goes on that the service has interrupted. */
    readonly continuationToken?: string;
  };
}
