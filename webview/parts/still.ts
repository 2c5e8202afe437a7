import { useRef } from 'preact/hooks';
import { usePanel } from '../panel-context';

/** The newest value; while a menu is open the one from before, so that nothing moves or goes away under the pointer. */
export function useStill<T>(value: T): T {
  const { isMenuOpen } = usePanel();
  const held = useRef(value);
  if (!isMenuOpen.value) {
    held.current = value;
  }
  return held.current;
}
