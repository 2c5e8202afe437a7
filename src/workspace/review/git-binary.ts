// Binary files the way git writes them into a patch.
import { deflateSync } from 'node:zlib';

const digits =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const bytesPerLine = 52;

/** Both contents whole, so that the patch can also be taken back; ends with an empty line. */
export function binaryPatch(before: Uint8Array, after: Uint8Array): string {
  return `GIT binary patch\n${literal(after)}${literal(before)}`;
}

function literal(bytes: Uint8Array): string {
  const packed = deflateSync(bytes);
  const lines: string[] = [];
  for (let at = 0; at < packed.length; at += bytesPerLine) {
    const line = packed.subarray(at, at + bytesPerLine);
    lines.push(`${lengthSign(line.length)}${toBase85(line)}\n`);
  }
  return `literal ${bytes.length}\n${lines.join('')}\n`;
}

/** `A` to `Z` for 1 to 26 bytes in a line, then `a` to `z`. */
function lengthSign(length: number): string {
  return String.fromCharCode(length <= 26 ? 64 + length : 70 + length);
}

function toBase85(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0;
    for (let index = 0; index < 4; index++) {
      value = value * 256 + (bytes[at + index] ?? 0);
    }
    let group = '';
    for (let index = 0; index < 5; index++) {
      group = (digits[value % 85] ?? '') + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text;
}
