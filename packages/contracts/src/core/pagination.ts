// Keyset pagination. A cursor is opaque, and bound to its list, tenant and sort order, so that a cursor from elsewhere
// is rejected instead of silently paging through another list.
import { z } from 'zod';
import { badRequest } from './errors.js';
import { queryNumberSchema } from './query-numbers.js';

export const LIMIT_MAX = 200;

/** A `limit` query parameter: 1..200. On the bus it is a number. */
export function limitSchema(defaultLimit: number) {
  return queryNumberSchema(1, LIMIT_MAX).default(defaultLimit);
}

export const cursorSchema = z.string().min(1).max(1024).optional();
export const nextCursorSchema = z.string().nullable().meta({ description: 'Null on the last page.' });

const payloadSchema = z.tuple([z.string(), z.array(z.union([z.string(), z.number()]))]);

/** A cursor after the row with these keyset `values`. `scope` names list, tenant and order, e.g. `files:<tenant>:created_at:desc`. */
export function encodeCursor(scope: string, values: (string | number)[]): string {
  return Buffer.from(JSON.stringify([scope, values])).toString('base64url');
}

/** The keyset values of a cursor. Throws BAD_REQUEST for anything that `encodeCursor` did not make for this scope. */
export function decodeCursor<Values extends z.ZodType>(
  scope: string,
  cursor: string,
  values: Values,
): z.output<Values> {
  const refusal = badRequest('cursor is not a cursor of this list. Use next_cursor of the page before, unchanged.');
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw refusal;
  }
  const payload = payloadSchema.safeParse(decoded);
  if (!payload.success || payload.data[0] !== scope) throw refusal;
  const parsed = values.safeParse(payload.data[1]);
  if (!parsed.success) throw refusal;
  return parsed.data;
}
