import { z } from 'zod';

/** Stands in every schema, so that whoever reads one knows what may change. */
export const stability =
  'Stable within a major version of the product: fields are only added, never renamed, removed or given another ' +
  'meaning, and readers ignore fields that they do not know. schema_version grows when fields or values of an ' +
  'enumeration are added.';

export const seconds = z.number().describe('Unix seconds with a fraction.');
export const label = z.string().describe('Label of an answer: agent<slot>.<n>.');
export const stampText = z
  .string()
  .regex(/^\d{8}_\d{6}_\d{6}$/)
  .describe('Universal time, YYYYMMDD_HHMMSS_ffffff.');
export const count = z.int().min(0);
export const usd = z.number().nullable().describe('US dollars; null when a price is not known.');
