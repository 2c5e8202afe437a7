// One Tab stop per section: arrow keys move among the elements marked `data-item`.
import { useRef } from 'preact/hooks';

interface Roving {
  /** Key of the item that Tab reaches. */
  current: string | undefined;
  index: number;
  hasFocus: boolean;
}

/**
 * A `ref` that makes the items of an element one Tab stop. When the focused item goes away, the focus takes the next
 * one, then the one before; focus that is elsewhere is never moved.
 */
export function useRoving(): (element: HTMLElement | null) => void {
  const roving = useRef<Roving>({ current: undefined, index: 0, hasFocus: false });
  const stop = useRef<(() => void) | undefined>(undefined);
  const attach = useRef((element: HTMLElement | null): void => {
    stop.current?.();
    stop.current = element === null ? undefined : start(element, roving.current);
  });
  return attach.current;
}

function start(element: HTMLElement, roving: Roving): () => void {
  const stopListening = listen(element, roving);
  // Items come and go with the state, and with sections that open.
  const observer = new MutationObserver(() => settle(element, roving));
  observer.observe(element, { childList: true, subtree: true });
  settle(element, roving);
  return () => {
    observer.disconnect();
    stopListening();
  };
}

function itemsOf(root: HTMLElement): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-item]')];
}

function settle(root: HTMLElement, roving: Roving): void {
  const items = itemsOf(root);
  const found = items.findIndex((item) => item.dataset['item'] === roving.current);
  const index = found >= 0 ? found : Math.min(roving.index, items.length - 1);
  const active = items[Math.max(0, index)];
  for (const item of items) {
    item.tabIndex = item === active ? 0 : -1;
  }
  if (found < 0 && roving.hasFocus && document.activeElement === document.body) {
    active?.focus();
  }
  roving.current = active?.dataset['item'];
  roving.index = Math.max(0, index);
}

function listen(root: HTMLElement, roving: Roving): () => void {
  const onFocusIn = (event: FocusEvent): void => {
    const item =
      event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-item]') : null;
    roving.hasFocus = true;
    if (item !== null) {
      roving.current = item.dataset['item'];
      settle(root, roving);
    }
  };
  const onFocusOut = (event: FocusEvent): void => {
    // Without a related target the window lost the focus, or the element went away: the place is kept.
    if (event.relatedTarget instanceof Node && !root.contains(event.relatedTarget)) {
      roving.hasFocus = false;
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => move(root, event);
  root.addEventListener('focusin', onFocusIn);
  root.addEventListener('focusout', onFocusOut);
  root.addEventListener('keydown', onKeyDown);
  return () => {
    root.removeEventListener('focusin', onFocusIn);
    root.removeEventListener('focusout', onFocusOut);
    root.removeEventListener('keydown', onKeyDown);
  };
}

function move(root: HTMLElement, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
    return;
  }
  const items = itemsOf(root);
  const at = items.findIndex((item) => item === document.activeElement);
  if (at < 0) {
    return;
  }
  const targets = new Map([
    ['ArrowDown', items[at + 1]],
    ['ArrowUp', items[at - 1]],
    ['Home', items[0]],
    ['End', items.at(-1)],
  ]);
  if (targets.has(event.key)) {
    targets.get(event.key)?.focus();
    event.preventDefault();
  }
}
