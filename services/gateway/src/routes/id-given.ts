// Ids in queries and bodies. One that is malformed, or of another kind, names nothing that there is.
import { decodeId, notFound } from '@kiln/contracts';
import { z } from 'zod';

/** Wide enough for any id; what it holds is looked at by `idGiven`. */
export const givenIdSchema = z.string().max(255);

/** The id itself. Throws NOT_FOUND for what can't be one. */
export function idGiven(kind: 'connection' | 'node', id: string): string {
  if (decodeId(kind, id) === null) throw notFound(`No ${kind} has this id.`);
  return id;
}
