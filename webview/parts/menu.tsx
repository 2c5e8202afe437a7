import type { ComponentChildren, JSX, RefObject, TargetedKeyboardEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from '../panel-context';

export interface MenuItem {
  readonly text: string;
  readonly onSelect: () => void;
}

interface MenuProps {
  /** Name of the button that opens it. */
  readonly name: string;
  readonly buttonClass: string;
  readonly children: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly item?: string;
  /** Left out of the Tab order; reached by the keys of its row. */
  readonly isSkipped?: boolean;
}

/**
 * A button that opens a short list of commands. Esc and a choice bring the focus back to the button. While it is open
 * no command moves, comes or goes under the pointer: one that cannot be given any more is only grayed.
 */
export function Menu(props: MenuProps): JSX.Element {
  const { name, buttonClass, children, items, item, isSkipped } = props;
  const [listed, setListed] = useState<readonly string[] | null>(null);
  const isOpen = listed !== null;
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useOpenMenu(root, isOpen, setListed);

  function close(): void {
    setListed(null);
    button.current?.focus();
  }

  return (
    <span class="menu-root" ref={root}>
      <button
        type="button"
        ref={button}
        class={buttonClass}
        aria-label={name}
        title={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-item={item}
        {...(isSkipped === true ? { tabIndex: -1 } : {})}
        onClick={() => setListed(isOpen ? null : items.map(({ text }) => text))}
      >
        {children}
      </button>
      {isOpen ? (
        <div
          id={id}
          class="menu"
          role="menu"
          aria-label={name}
          onKeyDown={(event) => onMenuKey(event, close)}
        >
          {listed.map((text) => (
            <Item
              key={text}
              text={text}
              onSelect={items.find((each) => each.text === text)?.onSelect}
              close={close}
            />
          ))}
        </div>
      ) : null}
    </span>
  );
}

interface ItemProps {
  readonly text: string;
  /** `undefined`: the command cannot be given now. */
  readonly onSelect: (() => void) | undefined;
  readonly close: () => void;
}

/** Keeps the focus when it is grayed, so that the keys of the menu go on working. */
function Item({ text, onSelect, close }: ItemProps): JSX.Element {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class="menu-item"
      aria-disabled={onSelect === undefined}
      onClick={() => {
        if (onSelect !== undefined) {
          close();
          onSelect();
        }
      }}
    >
      {text}
    </button>
  );
}

/** An open menu has the focus, and closes when something else is pressed. */
function useOpenMenu(
  root: RefObject<HTMLElement | null>,
  isOpen: boolean,
  setListed: (listed: null) => void,
): void {
  const { isMenuOpen } = usePanel();
  useLayoutEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    isMenuOpen.value = true;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) {
        setListed(null);
      }
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => {
      isMenuOpen.value = false;
      document.removeEventListener('pointerdown', closeOutside);
    };
  }, [isOpen, isMenuOpen, root, setListed]);
}

function onMenuKey(event: TargetedKeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const targets = new Map([
    ['ArrowDown', items[(at + 1) % items.length]],
    ['ArrowUp', items.at(at - 1)],
    ['Home', items[0]],
    ['End', items.at(-1)],
  ]);
  const target = targets.get(event.key);
  if (target !== undefined) {
    target.focus();
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    close();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
