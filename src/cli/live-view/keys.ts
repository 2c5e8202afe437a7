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
  stream.setRawMode(true);
  stream.resume();
  return toDisposable(() => {
    stream.off('keypress', listener);
    stream.setRawMode(false);
    stream.pause();
  });
}

function keyName(text: string | undefined, { name, sequence, ctrl }: Pressed): Key {
  const plain = name ?? text ?? sequence ?? '';
  return ctrl === true ? `ctrl+${plain}` : text !== undefined && text > ' ' ? text : plain;
}
