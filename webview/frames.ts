// When changes may reach the page.

/**
 * Gives a function that calls back in the next frame. While a pointer is down it waits, so that nothing moves away
 * under a click; losing the window ends the wait.
 */
export function createFrames(page: Window): (callback: () => void) => void {
  let isPointerDown = false;
  let waiting: (() => void)[] = [];

  const release = (): void => {
    isPointerDown = false;
    const callbacks = waiting;
    waiting = [];
    for (const callback of callbacks) {
      // The click that ends with the pointer comes first.
      page.requestAnimationFrame(callback);
    }
  };
  page.addEventListener('pointerdown', () => {
    isPointerDown = true;
  });
  for (const end of ['pointerup', 'pointercancel', 'blur', 'dragend']) {
    page.addEventListener(end, release);
  }

  return (callback) => {
    page.requestAnimationFrame(() => {
      if (isPointerDown) {
        waiting.push(callback);
      } else {
        callback();
      }
    });
  };
}
