const secondsPer = { d: 86_400, h: 3_600, m: 60, s: 1 };

/**
 * The seconds in a text such as "90s", "1.5 h" or "1h 30m". A bare number counts as seconds.
 * Throws a TypeError when there is no duration in the text.
 */
export function parseDuration(text) {
  const trimmed = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(trimmed)) {
    return Number(trimmed);
  }
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/g)) {
    return Number(amount) * secondsPer[unit];
  }
  throw new TypeError(`Not a duration: ${text}`);
}

/** The shortest text for a number of seconds, such as "1h 30m"; rounds to whole seconds. */
export function formatDuration(seconds) {
  const parts = [];
  let rest = Math.round(seconds);
  for (const [unit, size] of Object.entries(secondsPer)) {
    const amount = Math.floor(rest / size);
    if (amount > 0) {
      parts.push(`${amount}${unit}`);
    }
    rest -= amount * size;
  }
  return parts.join(' ') || '0s';
}
