import { type Disposable, toDisposable } from '../base/disposable';
import { type Terminal, wantsColor } from './terminal';

/** Standard output or standard error of this process. */
export function processTerminal(stream: NodeJS.WriteStream, noColor: boolean): Terminal {
  const held: (string | Uint8Array)[] = [];
  let holders = 0;
  const write = (text: string | Uint8Array): void => {
    if (holders > 0) {
      held.push(text);
    } else {
      stream.write(text);
    }
  };
  return {
    write,
    writeBytes: write,
    hasColor: wantsColor(stream, process.env, noColor),
    get width(): number {
      return stream.isTTY ? Math.max(20, Math.min(stream.columns, 120)) : 100;
    },
    ...(stream.isTTY ? { screen: stream } : {}),
    hold(): Disposable {
      holders++;
      return toDisposable(() => {
        holders--;
        if (holders === 0) {
          held.splice(0).forEach((text) => stream.write(text));
        }
      });
    },
  };
}
