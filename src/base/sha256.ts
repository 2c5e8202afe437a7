const roundConstants = primes(64).map((p) => fraction(Math.cbrt(p)));
const initialHash = primes(8).map((p) => fraction(Math.sqrt(p)));

/** First `count` prime numbers; the constants of SHA-256 are made from their roots. */
function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((p) => n % p !== 0)) {
      found.push(n);
    }
  }
  return found;
}

function fraction(x: number): number {
  return ((x - Math.floor(x)) * 2 ** 32) | 0;
}

function rotate(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n));
}

/** The message with padding: one 1 bit, zeros, then the length in bits as a 64-bit number. */
function padded(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const block = new Uint8Array(length);
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, (bytes.length << 3) >>> 0);
  return view;
}

function schedule(view: DataView, offset: number): Int32Array {
  const w = new Int32Array(64);
  for (let i = 0; i < 16; i++) {
    w[i] = view.getInt32(offset + i * 4);
  }
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15] ?? 0;
    const b = w[i - 2] ?? 0;
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    w[i] = ((w[i - 16] ?? 0) + s0 + (w[i - 7] ?? 0) + s1) | 0;
  }
  return w;
}

function compress(hash: Int32Array, w: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (roundConstants[i] ?? 0) + (w[i] ?? 0)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((x, i) => {
    hash[i] = ((hash[i] ?? 0) + x) | 0;
  });
}

/**
 * SHA-256 of a text in UTF-8, as 64 hex digits. For the pure core, which has no Node and must hash synchronously
 * (seeded ties, display order); adapters use the platform's own.
 */
export function sha256Hex(text: string): string {
  const view = padded(new TextEncoder().encode(text));
  const hash = Int32Array.from(initialHash);
  for (let offset = 0; offset < view.byteLength; offset += 64) {
    compress(hash, schedule(view, offset));
  }
  return [...hash].map((x) => (x >>> 0).toString(16).padStart(8, '0')).join('');
}
