// What every part of the panel may need: how to ask the host for something, the language, the time, the view's memory.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Memory } from './memory';
import type { RevealedPart } from './store';
import type { Post } from './vscode-api';

interface PanelTools {
  readonly post: Post;
  readonly memory: Memory;
  /** Unix ms by the clock of the events; changes once a second while a run is going on. */
  readonly now: ReadonlySignal<number>;
  readonly language: string;
  /** A part that a command leads to; the part takes it and leaves `null`. */
  readonly revealed: Signal<{ readonly part: RevealedPart } | null>;
  /** While a menu is open nothing around it goes away or changes its place. */
  readonly isMenuOpen: Signal<boolean>;
  /** A stored run is looked at step by step: nothing of it can be changed. */
  readonly isReplay: boolean;
  /** The page is a file: whatever only a host can do is not offered, and texts open in the page itself. */
  readonly isFile: boolean;
}

export const PanelContext = createContext<PanelTools | null>(null);

export function usePanel(): PanelTools {
  const tools = useContext(PanelContext);
  if (tools === null) {
    throw new Error('the panel is not inside its context');
  }
  return tools;
}
