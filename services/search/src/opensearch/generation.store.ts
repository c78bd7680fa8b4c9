import { statement, type Queryable } from '@kiln/platform';

const readRow = statement('search.read_opensearch_generation', 'select generation from opensearch_generations');

/** The part of the name of the index that changes when the schema is created again. */
export async function readGeneration(database: Queryable): Promise<string> {
  const [row] = await database.query<{ generation: string }>(readRow, []);
  if (!row) throw new Error('The table opensearch_generations is empty. Insert a row with a new name of letters and digits.');
  return row.generation;
}
