import { emitKeypressEvents } from 'node:readline';
import { type Disposable, toDisposable } from '../../base/disposable';
import type { Keyboard } from '../terminal';

/** A key by its name: `q`, `1`, `?`, `up`, `pagedown`, `return`, `escape`, `ctrl+c`. */
export type Key = string;

interface Pressed {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
}

/** Gives each key as it is pressed. What is pasted presses no key: it was never meant as an answer. */
export function listenForKeys({ stream }: Keyboard, onKey: (key: Key) => void): Disposable {
  let isPasting = false;
  const listener = (text: string | undefined, pressed: Pressed): void => {
    if (pressed.name === 'paste-start' || pressed.name === 'paste-end') {
      isPasting = pressed.name === 'paste-start';
    } else if (!isPasting) {
      onKey(keyName(text, pressed));
    }
  };
  emitKeypressEvents(stream);
  stream.on('keypress', listener);
  const reading = takeKeys(stream);
  return toDisposable(() => {
    stream.off('keypress', listener);
    reading.dispose();
  });
}

const takers = new WeakMap<Keyboard['stream'], number>();

/** Keys come one by one as long as anybody listens for them. */
function takeKeys(stream: Keyboard['stream']): Disposable {
  const change = (by: 1 | -1): number => {
    const count = (takers.get(stream) ?? 0) + by;
    takers.set(stream, count);
    return count;
  };
  if (change(1) === 1) {
    stream.setRawMode(true);
    stream.resume();
  }
  return toDisposable(() => {
    if (change(-1) === 0) {
      stream.setRawMode(false);
      stream.pause();
    }
  });
}

function keyName(text: string | undefined, { name, sequence, ctrl }: Pressed): Key {
  const plain = name ?? text ?? sequence ?? '';
  return ctrl === true ? `ctrl+${plain}` : text !== undefined && text > ' ' ? text : plain;
}
