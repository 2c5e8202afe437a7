// The editor's side of the panel, as the page sees it.
import type { FromView } from '../src/protocol/webview';

/** Sends one message to the host; what is sent is typed, what arrives is parsed. */
export type Post = (message: FromView) => void;

interface VsCodeApi {
  postMessage(message: FromView): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** May be called once per page. */
export function connectToHost(): VsCodeApi {
  return acquireVsCodeApi();
}

export type { VsCodeApi };
