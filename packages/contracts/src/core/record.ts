// Records whose keys callers choose.
import { z } from 'zod';

/** JavaScript treats it as the prototype of an object, so zod drops it from a record silently. */
const PROTOTYPE = '__proto__';

/** Like `z.record`, but rejects a key that would be dropped: a dropped filter would match everything. */
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
  // The preceding check accepts anything; the record schema then types it.
  return z.preprocess(refuseLostKey, z.record(key, value, params)) as unknown as z.ZodRecord<Key, Value>;
}
