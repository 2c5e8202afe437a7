// The forms in which a secret turns up in texts: as it is, in addresses, in JSON, and inside base64 and hexadecimal data.

/** Shorter pieces of base64 data stand for too many other texts. */
const shortest = 8;

/** Every form once, the secret itself first. */
export function secretForms(secret: string): readonly string[] {
  const asJson = JSON.stringify(secret).slice(1, -1);
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const forms = [secret, encodeURIComponent(secret), asJson, ...base64Forms(bytes)];
  return [...new Set([...forms, hex, hex.toUpperCase()])];
}

/**
 * The characters that stand for the secret wherever it begins within groups of three bytes. Those at the ends, which also
 * depend on the neighbours, are left out.
 */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const first = offset === 0 ? 0 : 3 - offset;
    const whole = bytes.subarray(first, first + Math.floor((bytes.length - first) / 3) * 3);
    if (whole.length < shortest) {
      return [];
    }
    const plain = btoa(Array.from(whole, (byte) => String.fromCharCode(byte)).join(''));
    return [plain, plain.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
