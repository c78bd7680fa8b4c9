// Records whose keys callers choose.
import { z } from 'zod';

/** JavaScript takes it for the prototype of an object, so that zod leaves it out of a record without a word. */
const PROTOTYPE = '__proto__';

/** Like `z.record`, but a key that would be lost is refused: a lost filter would match everything. */
export function recordSchema<Key extends z.ZodType<string, string>, Value extends z.ZodType>(
  key: Key,
  value: Value,
  params?: { error: string },
): z.ZodRecord<Key, Value> {
  const refuseLostKey = (given: unknown, context: z.RefinementCtx) => {
    if (typeof given === 'object' && given !== null && Object.hasOwn(given, PROTOTYPE)) {
      context.addIssue({ code: 'custom', path: [PROTOTYPE], message: 'is not a possible name' });
    }
    return given;
  };
  // What comes before the record takes anything, as far as types know; the record says what it may be.
  return z.preprocess(refuseLostKey, z.record(key, value, params)) as unknown as z.ZodRecord<Key, Value>;
}
