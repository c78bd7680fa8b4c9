// Numbers in query parameters. On the bus they are numbers.
import { z } from 'zod';

/** Decimal digits and nothing else: `Number` would take 0x10, 1e2, +5 and blanks as well. */
const numberOfDigits = (given: unknown) =>
  typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;

/** A whole number from `min` to `max`. */
export function queryNumberSchema(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(numberOfDigits, z.int({ error }).min(min, { error }).max(max, { error }));
}
