// Checks ids in queries and bodies. An id that is malformed or of another kind is 404, like an unknown one.
import { decodeId, notFound } from '@kiln/contracts';
import { z } from 'zod';

/** Accepts any text; `idGiven` checks it. */
export const givenIdSchema = z.string().max(255);

/** Returns the id. Throws NOT_FOUND for text that is not one. */
export function idGiven(kind: 'connection' | 'node', id: string): string {
  if (decodeId(kind, id) === null) throw notFound(`No ${kind} has this id.`);
  return id;
}
