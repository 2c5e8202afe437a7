/** What the driver must know of secrets. */
export interface SecretFilter {
  redact(text: string): string;
  /** How many characters at the end of a text may be the beginning of a secret whose rest is still to come. */
  holdBack(text: string): number;
}
